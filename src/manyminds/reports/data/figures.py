"""Figures of a table: target, score of each column, complexity of the rows."""

from typing import TYPE_CHECKING

from manyminds.reports.data.summary_types import DataSummary
from manyminds.reports.shared.figures import (
    MEAN,
    POINT,
    legend_above,
    new_figure,
    shorten,
    style,
    tidy,
)
from manyminds.utils.text import format_count

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MAX_BARS = 20


def draw_target(summary: DataSummary) -> "Figure":
    """Draw the number of rows of each class, or the histogram of numbers.

    Parameters
    ----------
    summary : DataSummary

    Returns
    -------
    figure : matplotlib Figure
    """
    target = summary.target
    names = list(target.counts)[:MAX_BARS]
    with style():
        figure = new_figure((6.5, 0.9 + 0.27 * len(names) if names else 2.4))
        ax = figure.add_subplot()
        if names:
            _draw_bars(ax, names, [float(target.counts[name]) for name in names])
            left_out = len(target.counts) - len(names)
            more = (
                f"; {left_out:,} less frequent ones are not shown" if left_out else ""
            )
            ax.set_xlabel(f"rows{more}", fontsize=9)
        else:
            ax.stairs(target.heights, target.edges, fill=True, color=POINT)
            ax.axvline(target.quantiles["median"], color=MEAN, linewidth=2)
            ax.set_xlabel("target (the line is the median)", fontsize=9)
            ax.set_ylabel("rows", fontsize=9)
            tidy(ax, "y")
    return figure


def draw_column_scores(summary: DataSummary) -> "Figure | None":
    """Draw the share of the target that each of the best columns explains alone.

    Parameters
    ----------
    summary : DataSummary

    Returns
    -------
    figure : matplotlib Figure or None
        None if no column has a score.
    """
    best = summary.ranked[:MAX_BARS]
    if not best:
        return None
    with style():
        figure = new_figure((6.5, 0.9 + 0.27 * len(best)))
        ax = figure.add_subplot()
        _draw_bars(ax, [one.name for one in best], [one.score or 0.0 for one in best])
        ax.set_xlim(0.0, 1.0)
        ax.set_xlabel("share of the target explained by the column alone", fontsize=9)
    return figure


def draw_profiles(summary: DataSummary) -> "Figure | None":
    """Draw the mean profile of each cluster of rows, with its interquartile range.

    Parameters
    ----------
    summary : DataSummary

    Returns
    -------
    figure : matplotlib Figure or None
        None if complexity was not computed.
    """
    found = summary.complexity
    if found is None:
        return None
    with style():
        import matplotlib

        figure = new_figure((6.5, 3.4))
        ax = figure.add_subplot()
        places = [cluster.mri for cluster in found.clusters]
        for place, cluster in zip(places, found.clusters):
            color = matplotlib.colormaps["viridis_r"](0.15 + 0.7 * place)
            ax.fill_between(
                found.radii, cluster.low, cluster.high, color=color, alpha=0.2, lw=0
            )
            rows = format_count(cluster.n_rows, "row")
            label = f"{rows}, MRI {cluster.mri:.2f}"
            ax.plot(found.radii, cluster.profile, color=color, marker="o", label=label)
        ax.axhline(0.0, color="#808080", linewidth=0.8, linestyle=":")
        ax.set_ylim(-1.05, 1.05)
        ax.set_xlabel("radius of the neighborhood, columns scaled", fontsize=9)
        ax.set_ylabel("support of the row's class", fontsize=9)
        legend_above(ax, n_columns=3)
        tidy(ax, "y")
    return figure


def _draw_bars(ax: "Axes", names: list[str], values: list[float]) -> None:
    ax.barh(range(len(names)), values, color=POINT, height=0.7)
    ax.set_yticks(range(len(names)), [shorten(name) for name in names], fontsize=9)
    ax.set_ylim(len(names) - 0.4, -0.6)
    tidy(ax, "x")
