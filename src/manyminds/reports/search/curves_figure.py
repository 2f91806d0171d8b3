"""Figure of ROC curves and of the calibration of probabilities."""

from typing import TYPE_CHECKING, Any

from manyminds.reports.search.prediction_errors import find_calibration_limit
from manyminds.reports.search.summary_types import ClassErrors
from manyminds.reports.shared.figures import (
    MEAN,
    POINT,
    new_figure,
    shorten,
    style,
    tidy,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MAX_NAMED = 8  # curves with a name in the legend
GREY = "#808080"


def draw_curves(errors: ClassErrors) -> "Figure":
    """Draw the ROC curve of each class against all others, and the calibration curve.

    Parameters
    ----------
    errors : ClassErrors

    Returns
    -------
    figure : matplotlib Figure
    """
    with style():
        figure = new_figure((8.2, 3.9))
        left, right = figure.subplots(1, 2)
        _draw_roc(left, errors)
        _draw_calibration(right, errors)
    return figure


def _draw_roc(ax: "Axes", errors: ClassErrors) -> None:
    import matplotlib

    n = len(errors.curves)
    named = sorted(errors.curves, key=lambda one: one.area)[:MAX_NAMED]
    colors = matplotlib.colormaps["tab10"]
    ax.plot([0, 1], [0, 1], color=GREY, linewidth=1, linestyle=":")
    for curve in errors.curves:
        label, width = None, 0.7
        color: Any = "#9aa5b1"
        if n == 1:
            label, color, width = f"area {curve.area:.3f}", POINT, 1.8
        elif curve in named:
            label = f"{shorten(curve.label)} ({curve.area:.3f})"
            color, width = colors(named.index(curve)), 1.3
        ax.plot(
            curve.x, curve.y, color=color, linewidth=width,
            label=label, zorder=2 if label else 1,
        )  # fmt: skip
    ax.set_xlabel("false positive rate", fontsize=9)
    ax.set_ylabel("recall (true positive rate)", fontsize=9)
    ax.set_aspect("equal")
    ax.legend(fontsize=7, frameon=False, loc="lower right")
    tidy(ax, "y")


def _draw_calibration(ax: "Axes", errors: ClassErrors) -> None:
    predicted = [one.predicted for one in errors.calibration]
    seen = [one.observed for one in errors.calibration]
    end = find_calibration_limit(errors.calibration)
    ax.plot([0, 1], [0, 1], color=GREY, linewidth=1, linestyle=":")
    ax.plot(predicted, seen, color=MEAN, marker="o", markersize=4)
    part = "" if end == 1.0 else f" (axes end at {end:.2g})"
    ax.set_xlabel(f"{shorten(errors.calibrated)}{part}", fontsize=9)
    ax.set_ylabel("observed frequency", fontsize=9)
    ax.set_xlim(-0.03 * end, 1.03 * end)
    ax.set_ylim(-0.03 * end, 1.03 * end)
    ax.set_aspect("equal")
    tidy(ax, "y")
