"""Marks of a chart: what answers to the pointer and to the keyboard."""

from collections.abc import Mapping

from markupsafe import Markup

from manyminds.serve.charts.elements import element

__all__ = ["mark"]


def mark(
    name: str,
    tip: str,
    *,
    kind: str,
    is_first: bool = False,
    data: Mapping[str, str] | None = None,
    **attributes: object,
) -> Markup:
    """Return an element that shows a text on hover and on focus.

    One mark of a chart can be reached by the tab key; arrow keys move on from there.

    Parameters
    ----------
    name : str
        Of the element, such as "circle".
    tip : str
        The text; lines are separated by newlines.
    kind : str
        Its class, besides "mark".
    is_first : bool, default=False
        Whether it is the one that the tab key reaches.
    data : mapping of str to str, default=None
        Reported to scripts of the page when the mark is chosen.
    **attributes : object
        Geometry.

    Returns
    -------
    element : Markup

    Examples
    --------
    >>> from manyminds.serve.charts.marks import mark
    >>> print(mark("circle", "a & b", kind="dot"))
    <circle class="mark dot" role="img" aria-label="a &amp; b" tabindex="-1"></circle>
    """
    return element(
        name, **attributes, class_=f"mark {kind}", role="img",
        aria_label=tip, tabindex="0" if is_first else "-1",
        **{f"data_{key}": value for key, value in (data or {}).items()},
    )  # fmt: skip
