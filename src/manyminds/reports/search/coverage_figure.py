"""Figure of the measured coverage of prediction intervals or sets."""

from typing import TYPE_CHECKING

from manyminds.reports.search.sentences import describe_lowest_coverage
from manyminds.reports.search.summary_types import SearchSummary
from manyminds.reports.shared.figures import (
    MEAN,
    POINT,
    legend_above,
    new_figure,
    style,
    tidy,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GREY = "#808080"


def draw_coverage(summary: SearchSummary) -> "Figure":
    """Draw the coverage at each level, with two standard errors, and the lowest.

    Parameters
    ----------
    summary : SearchSummary
        With ``coverage``.

    Returns
    -------
    figure : matplotlib Figure
    """
    levels = [one.level for one in summary.coverage]
    shown = [one.lowest for one in summary.coverage if one.lowest == one.lowest]
    with style():
        figure = new_figure((5.0, 2.8))
        ax = figure.add_subplot()
        ax.plot([0.0, 1.0], [0.0, 1.0], color=GREY, linestyle=":", linewidth=1)
        ax.errorbar(
            levels, [one.coverage for one in summary.coverage],
            yerr=[2.0 * one.standard_error for one in summary.coverage],
            fmt="o", color=POINT, label="all rows",
        )  # fmt: skip
        if shown:
            ax.scatter(
                levels, [one.lowest for one in summary.coverage],
                color=MEAN, marker="v", s=24, label=describe_lowest_coverage(summary),
            )  # fmt: skip
        ax.set_xlim(min(levels) - 0.05, 1.0)
        ax.set_ylim(min([*shown, *levels]) - 0.05, 1.02)
        ax.set_xlabel("level", fontsize=9)
        ax.set_ylabel("covered", fontsize=9)
        legend_above(ax)
        tidy(ax, "y")
    return figure
