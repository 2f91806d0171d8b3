"""Figures of a search draw the numbers of its summary, and none besides."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.analysis import CoverageEstimate
from manyminds.reports.search.coverage_figure import draw_coverage
from manyminds.reports.search.figures import (
    draw_confusion,
    draw_importance,
    draw_labels,
    draw_leaderboard,
    draw_map,
    draw_numbers,
    draw_selection,
    draw_trace,
)
from manyminds.reports.search.summary_types import (
    LabelCounts,
    LabelRow,
    SelectedFeature,
    TracePoint,
)


def list_y_labels(ax):
    return [label.get_text() for label in ax.get_yticklabels()]


def test_the_leaderboard_has_scores_intervals_and_the_honest_score(summary):
    [ax] = draw_leaderboard(summary).axes
    assert list_y_labels(ax) == ["1  logistic", "2  nb"]
    [container] = ax.containers
    assert list(container[0].get_xdata()) == [0.8, 0.7]
    [bars] = container[2]
    ends = [segment[:, 0].astype(float) for segment in bars.get_segments()]
    assert_allclose(ends, [[0.7, 0.9], [0.6, 0.75]])
    assert "honest score" in [line.get_label() for line in ax.lines]
    assert ax.get_xlabel() == "accuracy (higher is better)"


def test_an_unknown_honest_score_is_not_drawn(summary):
    unknown = replace(summary, honest=replace(summary.honest, low=float("nan")))
    [ax] = draw_leaderboard(unknown, max_shown=1).axes
    assert ax.get_legend() is None and list_y_labels(ax) == ["1  logistic"]


def test_trials_stand_by_their_number_and_state(summary, details):
    [ax] = draw_trace(summary, details).axes
    shown = {c.get_label(): c.get_offsets().tolist() for c in ax.collections}
    assert shown == {
        "all folds": [[0, 0.7], [2, 0.8]],
        "some folds, then pruned": [[1, 0.5]],
    }
    [best] = ax.lines
    assert best.get_xydata().tolist() == [[0, 0.7], [1, 0.7], [2, 0.8], [3, 0.8]]
    assert best.get_drawstyle() == "steps-post"  # it holds from its trial on


@pytest.mark.parametrize("higher", [True, False])
def test_a_trial_far_below_does_not_compress_the_others(summary, details, higher):
    sign = 1.0 if higher else -1.0
    values = [0.8, 0.79, 0.78, 0.77, -50.0]
    points = [
        TracePoint(i, "x", "complete", sign * v, sign) for i, v in enumerate(values)
    ]
    shown = replace(summary, higher_is_better=higher)
    [ax] = draw_trace(shown, replace(details, trace=tuple(points))).axes
    low, high = ax.get_ylim()
    # The best is 0.8 and the median 0.78: the axis spans six times their difference.
    expected = [0.68, 0.806] if higher else [-0.806, -0.68]
    assert_allclose([low, high], expected)


def test_trials_that_were_cut_short_are_named_by_their_ends(summary, details):
    ends = ("slow", "pruned", "unfinished")
    points = [TracePoint(i, "x", state, 0.5, 0.8) for i, state in enumerate(ends)]
    for n, said in ((1, "too slow"), (3, "pruned or too slow or out of time")):
        [ax] = draw_trace(summary, replace(details, trace=tuple(points[:n]))).axes
        assert ax.collections[0].get_label() == f"some folds, then {said}"


def test_legends_cover_no_data(summary, details):
    labels = [LabelRow(f"c{i}", 9, 9, 0.9, 0.9, 0.9, 0.9) for i in range(3)]
    coverage = tuple(
        CoverageEstimate(level, 0.976, 0.003, 1.0, 0.0, 100, 2)
        for level in (0.8, 0.9, 0.95)
    )
    figures = [
        draw_leaderboard(summary),
        draw_trace(summary, details),
        draw_map(details.complexity),
        draw_labels(labels, LabelCounts((1, 5, 3), (2, 4, 3))),
        draw_coverage(replace(summary, coverage=coverage)),
    ]
    for figure in figures:
        figure.draw_without_rendering()
        legends = [ax.get_legend() for ax in figure.axes if ax.get_legend()]
        assert legends
        for legend in legends:
            box, area = legend.get_window_extent(), legend.axes.get_window_extent()
            assert box.y0 >= area.y1 and box.x1 <= figure.bbox.x1


def test_without_a_score_there_is_no_trace(summary, details):
    assert draw_trace(summary, replace(details, trace=details.trace[3:])) is None


def test_selection_frequencies_are_bars(summary):
    [ax] = draw_selection(summary).axes
    assert [bar.get_width() for bar in ax.patches] == [1.0, 0.5]
    assert list_y_labels(ax) == ["size", "hue"] and ax.get_xlim() == (0.0, 1.0)
    many = tuple(SelectedFeature(f"c{i}", 0.5) for i in range(40))
    assert len(draw_selection(replace(summary, selection=many)).axes[0].patches) == 30
    assert draw_selection(replace(summary, selection=())) is None
    assert draw_selection(replace(summary, stability=None, n_always=2)) is None


def test_importances_are_bars_with_their_spread(summary):
    [ax] = draw_importance(summary).axes
    assert [bar.get_width() for bar in ax.patches] == [0.2, -0.1]
    assert ax.get_xlabel() == "decrease in accuracy if the column is permuted"
    [spread] = ax.containers[0][2]
    ends = [segment[:, 0] for segment in spread.get_segments()]
    assert_allclose(ends, [[0.15, 0.25], [-0.1, -0.1]])  # an unknown spread is 0
    assert draw_importance(replace(summary, importance=())) is None


def test_the_confusion_matrix_is_colored_by_row(details):
    classes = replace(details.classes, counts=((1_000, 3_000), (2, 0)))
    [ax] = draw_confusion(classes).axes
    assert_allclose(ax.images[0].get_array(), [[0.25, 0.75], [1.0, 0.0]])
    assert [text.get_text() for text in ax.texts] == ["1,000", "3,000", "2", "0"]
    many = replace(classes, labels=tuple("abcdefghijklm"), counts=((1,) * 13,) * 13)
    assert list(draw_confusion(many).axes[0].texts) == []


def test_numbers_are_drawn_against_the_truth(details):
    errors = details.numbers
    left, right = draw_numbers(errors).axes
    expected = np.column_stack([errors.true, errors.predicted])
    assert_allclose(left.collections[0].get_offsets(), expected)
    assert right.lines[1].get_xdata()[0] == errors.bias
    [stairs] = right.patches
    assert_allclose(stairs.get_data().values, errors.heights)


def test_hard_rows_lie_on_top_and_errors_are_ringed(details):
    found = details.complexity
    ax = draw_map(found).axes[0]
    points, rings = ax.collections
    assert points.get_offsets().tolist() == [[1.0, 0.0], [2.0, 3.0], [0.0, 1.0]]
    assert points.get_array().tolist() == [0.1, 0.5, 0.9]
    assert rings.get_offsets().tolist() == [[0.0, 1.0]]
    assert rings.get_label() == "misclassified (1)"
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("first", "second")
    flat = draw_map(replace(found, wrong=(False,) * 3, axes=("first", ""))).axes[0]
    assert len(flat.collections) == 1 and list(flat.get_yticks()) == []
