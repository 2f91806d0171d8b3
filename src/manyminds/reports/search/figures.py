"""Figures of a search: leaderboard, history, selection, importance and errors."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from manyminds.reports.search.summary_types import (
    ClassErrors,
    ComplexityMap,
    LabelCounts,
    LabelRow,
    NumberErrors,
    SearchDetails,
    SearchSummary,
    TracePoint,
)
from manyminds.reports.shared.figures import (
    MEAN,
    POINT,
    legend_above,
    new_figure,
    shorten,
    style,
    tidy,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MAX_BARS = 30
MAX_WRITTEN = 12  # with more classes, the cells have no counts
COLORS = {"complete": POINT, "sampled": "#8fb8de", "pruned": "#9aa5b1"}
CUT_SHORT = {"pruned": "pruned", "slow": "too slow", "unfinished": "out of time"}
GREY = "#808080"
WRONG = "#d62839"


def draw_leaderboard(summary: SearchSummary, max_shown: int = 20) -> "Figure":
    """Draw the scores of the best pipelines with intervals, and the honest score.

    Parameters
    ----------
    summary : SearchSummary
    max_shown : int, default=20
        Number of pipelines to show.

    Returns
    -------
    figure : matplotlib Figure
    """
    rows, honest = summary.leaderboard[:max_shown], summary.honest
    places = range(len(rows))
    with style():
        figure = new_figure((7.5, 1.0 + 0.24 * len(rows)))
        ax = figure.add_subplot()
        if np.isfinite([honest.score, honest.low, honest.high]).all():
            ax.axvspan(honest.low, honest.high, color=MEAN, alpha=0.15, linewidth=0)
            ax.axvline(honest.score, color=MEAN, linewidth=2, label="honest score")
            legend_above(ax)
        low = [max(row.score - row.low, 0.0) for row in rows]
        high = [max(row.high - row.score, 0.0) for row in rows]
        ax.errorbar(
            [row.score for row in rows], list(places), xerr=[low, high], fmt="o",
            color=POINT, markersize=4, elinewidth=1.2, capsize=2,
        )  # fmt: skip
        names = [f"{row.rank}  {row.learner}" for row in rows]
        ax.set_yticks(list(places), names, fontsize=8)
        ax.set_ylim(len(rows) - 0.4, -0.6)
        ax.set_xlabel(_label_metric(summary), fontsize=9)
        tidy(ax, "x")
    return figure


def draw_trace(summary: SearchSummary, details: SearchDetails) -> "Figure | None":
    """Draw the score of every trial in order, and the best score so far.

    Parameters
    ----------
    summary : SearchSummary
    details : SearchDetails

    Returns
    -------
    figure : matplotlib Figure or None
        None if no trial has a score.
    """
    from matplotlib.ticker import MaxNLocator

    scored = [one for one in details.trace if not np.isnan(one.score)]
    if not scored:
        return None
    with style():
        figure = new_figure((7.5, 3.0))
        ax = figure.add_subplot()
        for name, states in (
            ("all folds", ("complete",)),
            ("a sample of the rows", ("sampled",)),
            (_name_cut_short(scored), tuple(CUT_SHORT)),
        ):
            mine = [one for one in scored if one.state in states]
            if mine:
                ax.scatter(
                    [one.trial for one in mine], [one.score for one in mine], s=14,
                    color=COLORS[states[0]], linewidth=0, label=name,
                    rasterized=len(mine) > 2_000,
                )  # fmt: skip
        best = [(one.trial, one.best) for one in details.trace if one.best == one.best]
        if best:
            ax.step(*zip(*best), where="post", color=MEAN, label="best so far")
        _limit_to_bulk(ax, [one.score for one in scored], summary.higher_is_better)
        ax.set_xlabel("trial", fontsize=9)
        ax.set_ylabel(summary.metric, fontsize=9)
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        legend_above(ax, n_columns=4)
        tidy(ax, "y")
    return figure


def draw_selection(summary: SearchSummary) -> "Figure | None":
    """Draw the share of the folds that selected each of the most frequent columns.

    Parameters
    ----------
    summary : SearchSummary

    Returns
    -------
    figure : matplotlib Figure or None
        None if no column was selected, or all columns always were.
    """
    found = summary.selection
    if not found or (
        summary.stability is None and summary.n_always == summary.n_selected
    ):
        return None
    shown = found[:MAX_BARS]
    with style():
        figure = new_figure((6.5, 0.9 + 0.24 * len(shown)))
        ax = figure.add_subplot()
        ax.barh(
            range(len(shown)), [one.frequency for one in shown], color=POINT, height=0.7
        )
        names = [shorten(one.feature) for one in shown]
        ax.set_yticks(range(len(shown)), names, fontsize=8)
        ax.set_ylim(len(shown) - 0.4, -0.6)
        ax.set_xlim(0.0, 1.0)
        ax.set_xlabel("selection frequency (share of the folds)", fontsize=9)
        tidy(ax, "x")
    return figure


def draw_importance(summary: SearchSummary, max_shown: int = 20) -> "Figure | None":
    """Draw the permutation importance of the columns.

    Parameters
    ----------
    summary : SearchSummary
    max_shown : int, default=20
        Number of columns to show.

    Returns
    -------
    figure : matplotlib Figure or None
        None if the pipeline uses too many columns for single ones to matter.
    """
    shown = summary.importance[:max_shown]
    if not shown:
        return None
    places = range(len(shown))
    with style():
        figure = new_figure((6.5, 0.9 + 0.24 * len(shown)))
        ax = figure.add_subplot()
        ax.axvline(0.0, color=GREY, linewidth=1)
        ax.barh(
            places, [one.importance for one in shown], color=POINT, height=0.7,
            xerr=[np.nan_to_num(one.std) for one in shown],
            error_kw={"ecolor": GREY, "elinewidth": 1.0, "capsize": 2},
        )  # fmt: skip
        ax.set_yticks(places, [shorten(one.feature) for one in shown], fontsize=8)
        ax.set_ylim(len(shown) - 0.4, -0.6)
        change = "decrease" if summary.higher_is_better else "increase"
        label = f"{change} in {summary.metric} if the column is permuted"
        ax.set_xlabel(label, fontsize=9)
        tidy(ax, "x")
    return figure


def draw_confusion(errors: ClassErrors) -> "Figure":
    """Draw the confusion matrix, colored by the share of the true class.

    Parameters
    ----------
    errors : ClassErrors

    Returns
    -------
    figure : matplotlib Figure
    """
    counts = np.array(errors.counts)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    n = len(counts)
    side = float(np.clip(0.55 * n, 2.2, 7.5))
    names = [shorten(label) for label in errors.labels]
    with style():
        figure = new_figure((side + 1.6, side + 1.0))
        ax = figure.add_subplot()
        ax.imshow(shares, cmap="Blues", vmin=0.0, vmax=1.0)
        if n <= MAX_WRITTEN:
            for i, j in np.ndindex(counts.shape):
                dark = shares[i, j] > 0.5
                ax.text(
                    j, i, f"{counts[i, j]:,}", ha="center", va="center", fontsize=8,
                    color="#fffffe" if dark else "#1d2329",
                )  # fmt: skip
        size = 8 if n <= 30 else 5
        ax.set_xticks(range(n), names, rotation=90 if n > 3 else 0, fontsize=size)
        ax.set_yticks(range(n), names, fontsize=size)
        ax.set_xlabel("predicted", fontsize=9)
        ax.set_ylabel("true", fontsize=9)
        ax.tick_params(length=0)
    return figure


def draw_numbers(errors: NumberErrors) -> "Figure":
    """Draw predicted against true numbers, and the distribution of errors.

    Parameters
    ----------
    errors : NumberErrors

    Returns
    -------
    figure : matplotlib Figure
    """
    with style():
        figure = new_figure((8.2, 3.7))
        left, right = figure.subplots(1, 2)
        many = len(errors.true) > 1_000
        left.scatter(
            errors.true, errors.predicted, s=10, color=POINT, alpha=0.6, linewidth=0,
            rasterized=many,
        )  # fmt: skip
        ends = [
            min(*errors.true, *errors.predicted),
            max(*errors.true, *errors.predicted),
        ]
        left.plot(ends, ends, color=GREY, linewidth=1, linestyle=":")
        left.set_xlabel("true", fontsize=9)
        left.set_ylabel("predicted, out of fold", fontsize=9)
        right.stairs(errors.heights, errors.edges, fill=True, color=POINT)
        right.axvline(0.0, color=GREY, linewidth=1, linestyle=":")
        right.axvline(errors.bias, color=MEAN, linewidth=2)
        right.set_xlabel("predicted minus true (the line is the mean)", fontsize=9)
        right.set_ylabel("rows", fontsize=9)
        for ax in (left, right):
            tidy(ax, "y")
    return figure


def draw_labels(labels: Sequence[LabelRow], counts: LabelCounts) -> "Figure":
    """Draw F1 and area under the ROC curve of each label, and labels per row.

    Parameters
    ----------
    labels : sequence of LabelRow
    counts : LabelCounts

    Returns
    -------
    figure : matplotlib Figure
    """
    shown = sorted(labels, key=lambda one: -one.n_rows)[:MAX_BARS]
    places, height = range(len(shown)), 1.1 + 0.24 * max(len(shown), 8)
    with style():
        figure = new_figure((8.2, height))
        left, right = figure.subplots(1, 2, width_ratios=[3, 2])
        left.barh(places, [one.f1 for one in shown], color=POINT, height=0.7)
        left.scatter(
            [one.area for one in shown], list(places), color=MEAN, s=18, zorder=3,
            label="area under the ROC curve",
        )  # fmt: skip
        names = [f"{shorten(one.label)} ({one.n_rows:,})" for one in shown]
        left.set_yticks(places, names, fontsize=8)
        left.set_ylim(len(shown) - 0.4, -0.6)
        left.set_xlim(0.0, 1.02)
        left.set_xlabel("F1 (bars), of so many rows", fontsize=9)
        legend_above(left)
        sizes = np.arange(len(counts.true))
        right.bar(sizes - 0.2, counts.true, width=0.4, color=GREY, label="true")
        right.bar(
            sizes + 0.2, counts.predicted, width=0.4, color=POINT, label="predicted"
        )
        right.set_xlabel("labels of a row", fontsize=9)
        right.set_ylabel("rows", fontsize=9)
        legend_above(right, n_columns=2)
        tidy(left, "x")
        tidy(right, "y")
    return figure


def draw_map(found: ComplexityMap) -> "Figure":
    """Draw rows colored by complexity, with a ring around misclassified ones.

    Parameters
    ----------
    found : ComplexityMap

    Returns
    -------
    figure : matplotlib Figure
    """
    x, y, mri = (np.array(values) for values in (found.x, found.y, found.mri))
    wrong = np.array(found.wrong)
    order = np.argsort(mri, kind="stable")
    with style():
        figure = new_figure((7.5, 4.8))
        ax = figure.add_subplot()
        many = len(x) > 1_000
        points = ax.scatter(
            x[order], y[order], c=mri[order], cmap="viridis_r", vmin=0.0, vmax=1.0,
            s=14, linewidth=0, rasterized=many,
        )  # fmt: skip
        if wrong.any():
            ax.scatter(
                x[wrong], y[wrong], s=34, facecolor="none", edgecolor=WRONG,
                linewidth=1.1, label=f"misclassified ({int(wrong.sum()):,})",
                rasterized=many,
            )  # fmt: skip
            legend_above(ax)
        bar = figure.colorbar(points, ax=ax)
        bar.set_label("multi-resolution index: 0 easy, 1 hard", fontsize=9)
        bar.ax.tick_params(labelsize=8, length=2)
        ax.set_xlabel(found.axes[0], fontsize=9)
        ax.set_ylabel(found.axes[1], fontsize=9)
        if not found.axes[1]:
            ax.set_yticks([])
        tidy(ax, "y")
    return figure


def _name_cut_short(points: Sequence[TracePoint]) -> str:
    """Name the trials of some folds by how they ended, as far as there are any."""
    states = {one.state for one in points}
    ends = [words for state, words in CUT_SHORT.items() if state in states]
    return f"some folds, then {' or '.join(ends)}"


def _limit_to_bulk(ax: "Axes", scores: list[float], higher: bool) -> None:
    """Clip the axis if the worst trials would compress all others."""
    values = np.sort(scores) if higher else -np.sort(-np.array(scores))
    best, middle = values[-1], np.median(values)
    worst, span = values[0], abs(best - middle)
    if span > 0.0 and abs(best - worst) > 6.0 * span:
        pad = 0.3 * span
        ends = sorted([best + (pad if higher else -pad), best - 6.0 * (best - middle)])
        ax.set_ylim(*ends)


def _label_metric(summary: SearchSummary) -> str:
    better = "higher" if summary.higher_is_better else "lower"
    return f"{summary.metric} ({better} is better)"
