"""Intervals: a score and its interval for each name, on one axis."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from manyminds.serve.charts.axes import Axis, Frame, find_range, wrap_chart
from manyminds.serve.charts.elements import element, shorten
from manyminds.serve.charts.marks import mark

__all__ = ["Interval", "draw_intervals"]

ROW = 26.0
LABEL = 168.0


@dataclass(frozen=True)
class Interval:
    """A score with its interval.

    Parameters
    ----------
    name : str
    low, value, high : float
        Without an interval, ``low`` and ``high`` are NaN.
    tip : str
        Shown on hover and focus.
    color : int, default=0
    """

    name: str
    low: float
    value: float
    high: float
    tip: str
    color: int = 0


def draw_intervals(rows: Sequence[Interval], *, label: str, x_label: str) -> Markup:
    """Draw a dot and a line for each score.

    Parameters
    ----------
    rows : sequence of Interval
        From top to bottom.
    label : str
        Name of the chart for screen readers.
    x_label : str

    Returns
    -------
    chart : Markup

    Examples
    --------
    >>> from manyminds.serve.charts import Interval, draw_intervals
    >>> row = Interval("honest", 0.9, 0.95, 0.97, "honest 0.95")
    >>> chart = draw_intervals([row], label="Scores", x_label="accuracy")
    >>> chart.count("<circle")
    1
    """
    frame = Frame(height=12.0 + ROW * len(rows) + 46.0, left=LABEL)
    ends = [value for one in rows for value in (one.low, one.value, one.high)]
    axis = frame.make_x(*find_range(ends), n_ticks=4)
    parts = [frame.draw_x(axis, x_label)]
    for place, one in enumerate(rows):
        parts += _draw_row(axis, one, place)
    return wrap_chart(frame, label, parts)


def _draw_row(axis: Axis, row: Interval, place: int) -> list[Markup]:
    y, color = 12.0 + ROW * (place + 0.5), f"color-{row.color}"
    parts = [
        element(
            "text", shorten(row.name, 21), x=LABEL - 8.0, y=y + 4.0,
            class_="tick name", text_anchor="end",
        )
    ]  # fmt: skip
    if row.low == row.low and row.high == row.high:
        low, high = axis.place(row.low), axis.place(row.high)
        parts.append(
            element("line", x1=low, x2=high, y1=y, y2=y, class_=f"range {color}")
        )
    if row.value == row.value:
        parts.append(
            mark(
                "circle", row.tip, kind=f"point {color}", is_first=place == 0,
                cx=axis.place(row.value), cy=y, r=5.5,
            )
        )  # fmt: skip
    return parts
