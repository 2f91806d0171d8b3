"""Figures of a comparison: mean ranks with their groups, and scores of all folds."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from manyminds.analysis.comparison import plot_critical_difference
from manyminds.reports.comparison.summary_types import Cell, ComparisonSummary
from manyminds.reports.shared.figures import MEAN, POINT, new_figure, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PANELS_IN_A_ROW = 3
MAX_POINTS = 5000  # above, points are rasterized: as vectors they take megabytes


def draw_critical_difference(summary: ComparisonSummary) -> "Figure | None":
    """Draw mean ranks, with bars over methods that do not differ significantly.

    Parameters
    ----------
    summary : ComparisonSummary

    Returns
    -------
    figure : matplotlib Figure or None
        None if there was no test of three or more methods over data sets.
    """
    if summary.over_datasets is None:
        return None
    found = summary.over_datasets.critical_difference
    longest = max(len(name) for name in found.names)
    n_lines = 4.5 + 0.45 * len(found.groups) + (len(found.names) + 1) // 2
    size = (min(4.0 + 0.17 * (longest + 6), 12.0), 0.27 * n_lines + 0.2)
    with style():
        figure = new_figure(size)
        plot_critical_difference(found, figure.add_subplot())
    return figure


def draw_scores(summary: ComparisonSummary) -> "Figure":
    """Draw the score of every fold, one panel per data set, one line per method.

    Parameters
    ----------
    summary : ComparisonSummary

    Returns
    -------
    figure : matplotlib Figure
        A point is a fold, a bar is the mean.
    """
    names, methods = summary.datasets, summary.methods
    n_columns = min(PANELS_IN_A_ROW, len(names))
    n_rows = -(-len(names) // n_columns)
    longest = max(len(name) for name in methods)
    width = 2.6 * n_columns + 0.075 * longest + (1.5 if n_columns == 1 else 0.0)
    height = n_rows * (0.75 + 0.24 * len(methods))
    many = sum(len(cell.scores) for cell in summary.cells) > MAX_POINTS
    with style():
        figure = new_figure((min(width, 11.0), height))
        axes = figure.subplots(n_rows, n_columns, sharey=True, squeeze=False).ravel()
        for ax, name in zip(axes, names):
            _draw_panel(ax, name, [c for c in summary.cells if c.dataset == name], many)
            ax.set_yticks(range(len(methods)), methods, fontsize=9)
        axes[0].set_ylim(len(methods) - 0.5, -0.5)
        for ax in axes[len(names) :]:
            ax.set_visible(False)
        figure.supxlabel(summary.metric, fontsize=9)
    return figure


def _draw_panel(ax: "Axes", title: str, cells: Sequence[Cell], many: bool) -> None:
    look: dict[str, Any] = {
        "s": 9,
        "color": POINT,
        "alpha": 0.6,
        "linewidth": 0,
        "rasterized": many,
    }
    for place, cell in enumerate(cells):
        # Jitter, by a fixed sequence, so that points do not hide each other.
        lines = [place + 0.5 * ((0.618 * i) % 1 - 0.5) for i in range(len(cell.scores))]
        ax.scatter(cell.scores, lines, **look)
        if cell.mean is not None:
            ends = [place - 0.36, place + 0.36]
            ax.plot([cell.mean] * 2, ends, color=MEAN, linewidth=2.2)
    ax.set_title(title, fontsize=10, loc="left")
    ax.tick_params(labelsize=8, length=2)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="x", color="#808080", alpha=0.25, linewidth=0.6)
    ax.set_axisbelow(True)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.locator_params(axis="x", nbins=4)
