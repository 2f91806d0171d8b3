"""Confusion matrix: how many rows of each class are predicted as each class."""

from collections.abc import Sequence

from markupsafe import Markup

from manyminds.serve.charts.axes import Frame, wrap_chart
from manyminds.serve.charts.elements import element, shorten
from manyminds.serve.charts.marks import mark

__all__ = ["draw_confusion"]

LEFT, TOP = 112.0, 44.0
TALL = 60.0  # more height for names of columns that stand upright
MAX_CELL = 84.0
NARROW = 52.0  # cells in which a name does not fit


def draw_confusion(
    counts: Sequence[Sequence[int]], labels: Sequence[str], *, label: str
) -> Markup:
    """Draw a confusion matrix.

    Parameters
    ----------
    counts : sequence of sequence of int
        True classes in rows, predicted ones in columns.
    labels : sequence of str
        Names of the classes.
    label : str
        Name of the chart for screen readers.

    Returns
    -------
    chart : Markup

    Examples
    --------
    >>> from manyminds.serve.charts import draw_confusion
    >>> chart = draw_confusion([[3, 1], [0, 4]], ["no", "yes"], label="Matrix")
    >>> "1 row of no predicted as yes" in chart
    True
    """
    n_classes = len(labels)
    cell = min(MAX_CELL, (480.0 - LEFT - 8.0) / max(n_classes, 1))
    is_narrow = cell < NARROW
    top = TOP + TALL * is_narrow
    frame = Frame(height=top + cell * n_classes + 10.0)
    middle = LEFT + cell * n_classes / 2
    parts = [
        element(
            "text", "predicted", x=middle, y=14.0, class_="axis-label",
            text_anchor="middle",
        ),
        element("text", "true", x=LEFT - 8.0, y=14.0, class_="axis-label",
                text_anchor="end"),
    ]  # fmt: skip
    kind = "tick dense" if cell < 15.0 else "tick"
    for k, name in enumerate(labels):
        x, y = LEFT + cell * (k + 0.5), top + cell * (k + 0.5)
        parts += [
            _name_column(name, x, top, cell, kind),
            element("text", shorten(name, 14), x=LEFT - 8.0, y=y + 4.0,
                    class_=kind, text_anchor="end"),
        ]  # fmt: skip
    for i, row in enumerate(counts):
        total = max(sum(row), 1)
        for j, n_rows in enumerate(row):
            parts += _draw_cell(i, j, n_rows, total, labels, cell, top)
    return wrap_chart(frame, label, parts)


def _name_column(name: str, x: float, top: float, cell: float, kind: str) -> Markup:
    """Write the name of a column; upright if the cells are narrow."""
    if cell >= NARROW:
        text = shorten(name, max(3, int(cell / 7.5)))
        return element(
            "text", text, x=x, y=top - 10.0, class_=kind, text_anchor="middle"
        )
    turn = f"rotate(-90 {x + 4.0:.1f} {top - 6.0:.1f})"
    return element(
        "text", shorten(name, 11), x=x + 4.0, y=top - 6.0, class_=kind, transform=turn
    )


def _draw_cell(
    i: int,
    j: int,
    n_rows: int,
    total: int,
    labels: Sequence[str],
    cell: float,
    top: float,
) -> list[Markup]:
    share = n_rows / total
    words = "row" if n_rows == 1 else "rows"
    tip = (
        f"{n_rows:,} {words} of {labels[i]} predicted as {labels[j]}\n"
        f"{share:.1%} of the class"
    )
    x, y = LEFT + cell * j, top + cell * i
    kind = "cell right" if i == j else "cell wrong"
    parts = [
        mark(
            "rect", tip, kind=kind, is_first=i == j == 0, x=x + 1.0, y=y + 1.0,
            width=cell - 2.0, height=cell - 2.0, rx=3.0,
            fill_opacity=round(0.04 + 0.66 * share, 3),
        )
    ]  # fmt: skip
    if cell >= 24.0:
        parts.append(
            element("text", f"{n_rows:,}", x=x + cell / 2, y=y + cell / 2 + 5.0,
                    class_="count", text_anchor="middle")
        )  # fmt: skip
    return parts
