"""Bars: a number for each name, with its spread, to the right or to the left of 0."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from manyminds.serve.charts.axes import Axis, Frame, find_range, wrap_chart
from manyminds.serve.charts.elements import element, shorten
from manyminds.serve.charts.marks import mark

__all__ = ["Bar", "draw_bars"]

ROW = 24.0
LABEL = 168.0  # width of the names


@dataclass(frozen=True)
class Bar:
    """A number and its name.

    Parameters
    ----------
    name : str
    value : float
    tip : str
        Shown on hover and focus.
    spread : float, default=0.0
        Half the length of the whisker.
    is_soft : bool, default=False
        Whether it matters less, such as a column that is not kept.
    """

    name: str
    value: float
    tip: str
    spread: float = 0.0
    is_soft: bool = False


def draw_bars(
    bars: Sequence[Bar],
    *,
    label: str,
    x_label: str,
    x_range: tuple[float, float] | None = None,
    line_at: float | None = None,
) -> Markup:
    """Draw horizontal bars from 0.

    Parameters
    ----------
    bars : sequence of Bar
        From top to bottom.
    label : str
        Name of the chart for screen readers.
    x_label : str
    x_range : tuple of float, default=None
        Ends of the axis; None means those of the data.
    line_at : float, default=None
        Number at which to draw a vertical line, such as a threshold.

    Returns
    -------
    chart : Markup

    Examples
    --------
    >>> from manyminds.serve.charts import Bar, draw_bars
    >>> chart = draw_bars([Bar("age", 0.2, "age 0.2")], label="Bars", x_label="gain")
    >>> 'aria-label="age 0.2"' in chart
    True
    """
    height = 12.0 + ROW * len(bars) + 46.0
    frame = Frame(height=height, left=LABEL)
    ends = [0.0] + [one.value + s * one.spread for one in bars for s in (-1.0, 1.0)]
    axis = frame.make_x(*(x_range or find_range(ends)), n_ticks=4)
    parts = [frame.draw_x(axis, x_label)]
    for place, one in enumerate(bars):
        parts += _draw_bar(axis, one, place)
    if line_at is not None:
        x, low = axis.place(line_at), height - frame.bottom
        parts.append(
            element("line", x1=x, x2=x, y1=frame.top, y2=low, class_="line threshold")
        )
    zero = axis.place(0.0)
    parts.append(
        element(
            "line", x1=zero, x2=zero, y1=frame.top, y2=height - frame.bottom,
            class_="zero",
        )
    )  # fmt: skip
    return wrap_chart(frame, label, parts)


def _draw_bar(axis: Axis, bar: Bar, place: int) -> list[Markup]:
    top, zero, end = 12.0 + ROW * place, axis.place(0.0), axis.place(bar.value)
    sign = "soft" if bar.is_soft else "negative" if bar.value < 0 else "positive"
    parts = [
        element(
            "text", shorten(bar.name, 21), x=LABEL - 8.0, y=top + 16.0,
            class_="tick name", text_anchor="end",
        ),
        mark(
            "rect", bar.tip, kind=f"bar {sign}", is_first=place == 0,
            x=min(zero, end), y=top + 4.0, width=max(abs(end - zero), 1.5),
            height=ROW - 8.0, rx=2.0,
        ),
    ]  # fmt: skip
    if bar.spread > 0.0:
        low, high = (
            axis.place(bar.value - bar.spread),
            axis.place(bar.value + bar.spread),
        )
        y = top + ROW / 2
        parts.append(element("line", x1=low, x2=high, y1=y, y2=y, class_="whisker"))
    return parts
