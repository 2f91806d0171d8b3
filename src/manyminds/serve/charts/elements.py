"""Elements of SVG and HTML, with all text escaped."""

from markupsafe import Markup, escape

__all__ = ["element", "format_tick", "join", "shorten"]


def element(name: str, content: str = "", /, **attributes: object) -> Markup:
    """Return an element with escaped attributes and content.

    Parameters
    ----------
    name : str
        Of the element.
    content : str, default=""
        Plain text is escaped; `Markup` is kept.
    **attributes : object
        ``class_`` means class and ``data_tip`` means data-tip. Numbers are rounded to
        two decimals; attributes that are None are left out.

    Returns
    -------
    element : Markup

    Examples
    --------
    >>> from manyminds.serve.charts.elements import element
    >>> print(element("text", "a < b", x=1.0, class_="tick"))
    <text x="1" class="tick">a &lt; b</text>
    """
    parts = [f"<{name}"]
    for key, value in attributes.items():
        if value is not None:
            word = key.rstrip("_").replace("_", "-")
            text = f"{value:.2f}" if isinstance(value, float) else str(value)
            if isinstance(value, float) and "." in text:
                text = text.rstrip("0").rstrip(".")
            parts.append(f' {word}="{escape(text)}"')
    return Markup(f"{''.join(parts)}>{escape(content)}</{name}>")


def join(parts: list[Markup]) -> Markup:
    """Return elements one after the other."""
    return Markup("").join(parts)


def shorten(text: str, n_characters: int) -> str:
    """Return a text of at most ``n_characters``, with an ellipsis if it was longer.

    Examples
    --------
    >>> from manyminds.serve.charts.elements import shorten
    >>> shorten("Alcalinity_of_ash", 10)
    'Alcalinit…'
    """
    return text if len(text) <= n_characters else f"{text[: n_characters - 1]}…"


def format_tick(value: float) -> str:
    """Format a number of an axis.

    Examples
    --------
    >>> from manyminds.serve.charts.elements import format_tick
    >>> format_tick(0.30000000000000004), format_tick(12000.0), format_tick(-0.0)
    ('0.3', '12k', '0')
    """
    size = abs(value)
    for limit, sign in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if size >= limit:
            unit = 1e3 if sign == "k" else limit
            return f"{value / unit:.4g}{sign}"
    return f"{value + 0.0:.4g}" if size > 1e-12 else "0"
