"""Scatter: a point for each row of a table."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from manyminds.serve.charts.axes import Axis, Frame, find_range, wrap_chart
from manyminds.serve.charts.lines import draw_path
from manyminds.serve.charts.marks import mark

__all__ = ["Point", "draw_scatter"]


@dataclass(frozen=True)
class Point:
    """A point.

    Parameters
    ----------
    x, y : float
    tip : str
        Shown on hover and focus.
    color : int, default=0
    is_ringed : bool, default=False
        Whether a ring marks it, such as a misclassified row.
    data : dict of str to str, default={}
        Reported to scripts of the page when the point is chosen.
    """

    x: float
    y: float
    tip: str
    color: int = 0
    is_ringed: bool = False
    data: dict[str, str] = field(default_factory=dict)


def draw_scatter(
    points: Sequence[Point],
    *,
    label: str,
    x_label: str,
    y_label: str,
    diagonal: bool = False,
    zero_line: bool = False,
    height: float = 360.0,
) -> Markup:
    """Draw points with axes.

    Parameters
    ----------
    points : sequence of Point
    label : str
        Name of the chart for screen readers.
    x_label, y_label : str
    diagonal : bool, default=False
        Whether to draw the line of equal numbers; both axes have the same ends then.
    zero_line : bool, default=False
        Whether to draw the horizontal line at 0.
    height : float, default=360.0

    Returns
    -------
    chart : Markup

    Examples
    --------
    >>> from manyminds.serve.charts import Point, draw_scatter
    >>> points = [Point(1.0, 2.0, "row 1", data={"row": "1"})]
    >>> chart = draw_scatter(points, label="Rows", x_label="x", y_label="y")
    >>> 'data-row="1"' in chart
    True
    """
    frame = Frame(height=height)
    x_range = find_range([one.x for one in points])
    y_range = find_range([one.y for one in points])
    if diagonal:
        x_range = y_range = find_range([*x_range, *y_range])
    if zero_line:
        y_range = find_range([*y_range, 0.0])
    x_axis, y_axis = frame.make_x(*x_range), frame.make_y(*y_range)
    parts = [frame.draw_x(x_axis, x_label), frame.draw_y(y_axis, y_label)]
    if diagonal:
        parts.append(draw_path(x_axis, y_axis, x_range, x_range, "diagonal"))
    if zero_line:
        ends = [x_axis.low, x_axis.high]
        parts.append(draw_path(x_axis, y_axis, ends, [0.0, 0.0], "diagonal"))
    for place, one in enumerate(points):
        parts.append(_draw_point(x_axis, y_axis, one, is_first=place == 0))
    return wrap_chart(frame, label, parts)


def _draw_point(x_axis: Axis, y_axis: Axis, point: Point, is_first: bool) -> Markup:
    ring = " ring" if point.is_ringed else ""
    return mark(
        "circle", point.tip, kind=f"point color-{point.color}{ring}",
        is_first=is_first, data=point.data,
        cx=x_axis.place(point.x), cy=y_axis.place(point.y), r=4.0,
    )  # fmt: skip
