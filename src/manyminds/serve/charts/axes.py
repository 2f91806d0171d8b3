"""Axes of a chart: scales, round ticks, grid lines and labels."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10

from markupsafe import Markup

from manyminds.serve.charts.elements import element, format_tick, join, shorten

__all__ = ["Axis", "Frame", "find_range", "make_axis", "wrap_chart"]

STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True)
class Axis:
    """A linear scale from numbers to places on the page.

    Parameters
    ----------
    low, high : float
        Numbers at its ends.
    start, end : float
        Places of both ends.
    ticks : tuple of float
    """

    low: float
    high: float
    start: float
    end: float
    ticks: tuple[float, ...]

    def place(self, value: float) -> float:
        """Return where a number is; numbers beyond the ends are at them."""
        share = (value - self.low) / (self.high - self.low)
        return self.start + min(max(share, 0.0), 1.0) * (self.end - self.start)


def make_axis(
    low: float, high: float, start: float, end: float, n_ticks: int = 5
) -> Axis:
    """Return an axis whose ends and ticks are round numbers.

    Examples
    --------
    >>> from manyminds.serve.charts.axes import make_axis
    >>> make_axis(0.13, 0.92, 0.0, 100.0).ticks
    (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
    """
    if not high > low:
        spread = 0.05 * abs(low) or 0.5
        low, high = low - spread, low + spread
    step = _round_step((high - low) / n_ticks)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    ticks = tuple(round(step * k, 12) for k in range(first, last + 1))
    return Axis(ticks[0], ticks[-1], start, end, ticks)


def find_range(values: Sequence[float]) -> tuple[float, float]:
    """Return the lowest and highest finite number; 0 and 1 if there is none."""
    known = [value for value in values if isfinite(value)]
    return (min(known), max(known)) if known else (0.0, 1.0)


@dataclass(frozen=True)
class Frame:
    """Size of a chart, and the margins that hold its labels.

    Parameters
    ----------
    width, height : float
    left, right, top, bottom : float
        Margins.
    """

    width: float = 480.0
    height: float = 320.0
    left: float = 70.0
    right: float = 14.0
    top: float = 12.0
    bottom: float = 46.0

    def make_x(self, low: float, high: float, n_ticks: int = 5) -> Axis:
        """Return the horizontal axis."""
        return make_axis(low, high, self.left, self.width - self.right, n_ticks)

    def make_y(self, low: float, high: float, n_ticks: int = 5) -> Axis:
        """Return the vertical axis, which grows upwards."""
        return make_axis(low, high, self.height - self.bottom, self.top, n_ticks)

    def draw_x(self, axis: Axis, label: str) -> Markup:
        """Draw grid, ticks and label of the horizontal axis."""
        floor_, middle = self.height - self.bottom, (axis.start + axis.end) / 2
        parts = []
        for tick in axis.ticks:
            x = axis.place(tick)
            parts.append(_line(x, self.top, x, floor_))
            parts.append(
                element(
                    "text", format_tick(tick), x=x, y=floor_ + 17.0,
                    class_="tick", text_anchor="middle",
                )
            )  # fmt: skip
        parts.append(
            element(
                "text", shorten(label, 60), x=middle, y=self.height - 8.0,
                class_="axis-label", text_anchor="middle",
            )
        )  # fmt: skip
        return join(parts)

    def draw_y(self, axis: Axis, label: str) -> Markup:
        """Draw grid, ticks and label of the vertical axis."""
        middle = (axis.start + axis.end) / 2
        text = shorten(label, int(self.height / 7.0))
        parts = []
        for tick in axis.ticks:
            y = axis.place(tick)
            parts.append(_line(self.left, y, self.width - self.right, y))
            parts.append(
                element(
                    "text", format_tick(tick), x=self.left - 7.0, y=y + 4.0,
                    class_="tick", text_anchor="end",
                )
            )  # fmt: skip
        parts.append(
            element(
                "text", text, x=0.0, y=0.0, class_="axis-label",
                text_anchor="middle",
                transform=f"translate(11 {middle:.1f}) rotate(-90)",
            )
        )  # fmt: skip
        return join(parts)


def wrap_chart(frame: Frame, label: str, parts: list[Markup]) -> Markup:
    """Return a chart with its name for screen readers."""
    return element(
        "svg", join(parts), class_="chart", role="group", aria_label=label,
        aria_roledescription="chart",
        viewBox=f"0 0 {frame.width:g} {frame.height:g}",
        xmlns="http://www.w3.org/2000/svg",
    )  # fmt: skip


def _line(x1: float, y1: float, x2: float, y2: float) -> Markup:
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_="grid")


def _round_step(step: float) -> float:
    power = 10.0 ** floor(log10(step))
    return next(power * one for one in STEPS if power * one >= step * (1 - 1e-9))
