"""Histogram: how many rows fall into each interval of a number, or in each class."""

from collections.abc import Sequence

from markupsafe import Markup

from manyminds.serve.charts.axes import Axis, Frame, wrap_chart
from manyminds.serve.charts.elements import format_tick
from manyminds.serve.charts.marks import mark

__all__ = ["draw_histogram"]


def draw_histogram(
    edges: Sequence[float],
    heights: Sequence[int],
    *,
    label: str,
    x_label: str,
    y_label: str = "rows",
    height: float = 260.0,
) -> Markup:
    """Draw a histogram.

    Parameters
    ----------
    edges : sequence of float
        Ends of the intervals, one more than there are bars.
    heights : sequence of int
        Number of rows in each.
    label : str
        Name of the chart for screen readers.
    x_label, y_label : str
    height : float, default=260.0

    Returns
    -------
    chart : Markup

    Examples
    --------
    >>> from manyminds.serve.charts import draw_histogram
    >>> chart = draw_histogram([0, 1, 2], [5, 7], label="Ages", x_label="age")
    >>> chart.count("<rect")
    2
    """
    frame = Frame(height=height)
    x_axis = frame.make_x(edges[0], edges[-1])
    y_axis = frame.make_y(0.0, max([*heights, 1]), n_ticks=4)
    parts = [frame.draw_x(x_axis, x_label), frame.draw_y(y_axis, y_label)]
    for k, n_rows in enumerate(heights):
        low, high = edges[k], edges[k + 1]
        parts.append(_draw_bar(x_axis, y_axis, low, high, n_rows, is_first=k == 0))
    return wrap_chart(frame, label, parts)


def _draw_bar(
    x_axis: Axis, y_axis: Axis, low: float, high: float, n_rows: int, is_first: bool
) -> Markup:
    left, right, top = x_axis.place(low), x_axis.place(high), y_axis.place(n_rows)
    words = "row" if n_rows == 1 else "rows"
    tip = f"{format_tick(low)} to {format_tick(high)}\n{n_rows:,} {words}"
    return mark(
        "rect", tip, kind="bar positive", is_first=is_first,
        x=left + 0.5, y=top, width=max(right - left - 1.0, 0.5),
        height=max(y_axis.place(0.0) - top, 0.0),
    )  # fmt: skip
