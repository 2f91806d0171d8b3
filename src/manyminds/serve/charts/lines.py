"""Lines: curves of a number over another, such as the best score over time."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from manyminds.serve.charts.axes import Axis, Frame, find_range, wrap_chart
from manyminds.serve.charts.elements import element, shorten
from manyminds.serve.charts.marks import mark

__all__ = ["Line", "draw_lines", "draw_path", "list_legend"]

N_COLORS = 8
MAX_DOTS = 20  # points of a curve that are always visible


@dataclass(frozen=True)
class Line:
    """A curve.

    Parameters
    ----------
    name : str
        In the legend.
    x, y : sequence of float
    tips : sequence of str, default=()
        Text of each point; without it, its two numbers.
    is_step : bool, default=False
        Whether the number holds until the next point.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    tips: Sequence[str] = ()
    is_step: bool = False


def draw_lines(
    lines: Sequence[Line],
    *,
    label: str,
    x_label: str,
    y_label: str,
    x_range: tuple[float, float] | None = None,
    y_range: tuple[float, float] | None = None,
    diagonal: bool = False,
    height: float = 320.0,
) -> Markup:
    """Draw curves with axes, and a legend if there are several.

    Parameters
    ----------
    lines : sequence of Line
    label : str
        Name of the chart for screen readers.
    x_label, y_label : str
        Names of the axes.
    x_range, y_range : tuple of float, default=None
        Ends of the axes; None means those of the data.
    diagonal : bool, default=False
        Whether to draw the line of equal numbers.
    height : float, default=320.0

    Returns
    -------
    chart : Markup

    Examples
    --------
    >>> from manyminds.serve.charts import Line, draw_lines
    >>> chart = draw_lines(
    ...     [Line("best", [0.0, 1.0], [0.5, 0.9])],
    ...     label="Best score",
    ...     x_label="seconds",
    ...     y_label="accuracy",
    ... )
    >>> chart.count("<circle")
    2
    """
    n_rows = 0 if len(lines) < 2 else (len(lines) + 1) // 2
    frame = Frame(height=height + 18.0 * n_rows, top=12.0 + 18.0 * n_rows)
    x_low, x_high = x_range or find_range([v for one in lines for v in one.x])
    y_low, y_high = y_range or find_range([v for one in lines for v in one.y])
    x_axis, y_axis = frame.make_x(x_low, x_high), frame.make_y(y_low, y_high)
    parts = [frame.draw_x(x_axis, x_label), frame.draw_y(y_axis, y_label)]
    if diagonal:
        low, high = max(x_low, y_low), min(x_high, y_high)
        parts.append(draw_path(x_axis, y_axis, [low, high], [low, high], "diagonal"))
    if n_rows:
        parts += list_legend(frame, [one.name for one in lines])
    for place, one in enumerate(lines):
        parts += _draw_line(x_axis, y_axis, one, place)
    return wrap_chart(frame, label, parts)


def draw_path(
    x_axis: Axis,
    y_axis: Axis,
    x: Sequence[float],
    y: Sequence[float],
    kind: str,
    is_step: bool = False,
) -> Markup:
    """Draw a curve without marks."""
    steps = []
    for k, (one, other) in enumerate(zip(x, y)):
        here = f"{x_axis.place(one):.1f} {y_axis.place(other):.1f}"
        if k and is_step:
            steps.append(f"H{x_axis.place(one):.1f}")
        steps.append(f"{'L' if k else 'M'}{here}")
    return element("path", d="".join(steps), class_=f"line {kind}", fill="none")


def list_legend(frame: Frame, names: Sequence[str]) -> list[Markup]:
    """Draw the names of curves in two columns above the chart."""
    parts = []
    width = (frame.width - frame.left - frame.right) / 2
    for place, name in enumerate(names):
        x, y = frame.left + width * (place % 2), 12.0 + 18.0 * (place // 2)
        color = f"line color-{place % N_COLORS}"
        parts.append(element("line", x1=x, y1=y, x2=x + 18, y2=y, class_=color))
        text = shorten(name, 26)
        parts.append(element("text", text, x=x + 24, y=y + 4, class_="tick"))
    return parts


def _draw_line(x_axis: Axis, y_axis: Axis, line: Line, place: int) -> list[Markup]:
    color = f"color-{place % N_COLORS}"
    shown = " shown" if len(line.x) <= MAX_DOTS else ""
    parts = [draw_path(x_axis, y_axis, line.x, line.y, color, line.is_step)]
    for k, (x, y) in enumerate(zip(line.x, line.y)):
        tip = line.tips[k] if line.tips else f"{x:.4g}, {y:.4g}"
        parts.append(
            mark(
                "circle", tip, kind=f"dot {color}{shown}", is_first=place == k == 0,
                cx=x_axis.place(x), cy=y_axis.place(y), r=4.0,
            )
        )  # fmt: skip
    return parts
