"""Figures of an analysis draw the numbers of its summary."""

from dataclasses import replace

from numpy.testing import assert_allclose

from manyminds.reports.data.figures import (
    draw_column_scores,
    draw_profiles,
    draw_target,
)
from manyminds.reports.shared.table import TargetSummary


def list_y_labels(ax):
    return [label.get_text() for label in ax.get_yticklabels()]


def test_classes_are_bars_of_their_rows(summary):
    [ax] = draw_target(summary).axes
    assert [bar.get_width() for bar in ax.patches] == [60.0, 20.0]
    assert list_y_labels(ax) == ["dog", "cat"] and ax.get_xlabel() == "rows"
    assert ax.yaxis_inverted()  # the most frequent on top


def test_classes_that_are_not_shown_are_counted(summary):
    target = TargetSummary("classification", {f"c{i}": 4 for i in range(30)}, {})
    [ax] = draw_target(replace(summary, target=target)).axes
    assert len(ax.patches) == 20
    assert ax.get_xlabel() == "rows; 10 less frequent ones are not shown"


def test_numbers_are_a_histogram_with_their_median(summary):
    target = TargetSummary("regression", {}, {"median": 0.5}, (0.0, 1.0, 3.0), (2, 1))
    [ax] = draw_target(replace(summary, target=target)).axes
    [stairs] = ax.patches
    assert_allclose(stairs.get_data().values, [2, 1])
    assert_allclose(stairs.get_data().edges, [0.0, 1.0, 3.0])
    assert list(ax.lines[0].get_xdata()) == [0.5, 0.5]


def test_scores_of_columns_are_bars_the_highest_first(summary):
    [ax] = draw_column_scores(summary).axes
    assert list_y_labels(ax) == ["size", "noise"]  # the other has no score
    assert [bar.get_width() for bar in ax.patches] == [0.625, 0.01]
    assert ax.get_xlim() == (0.0, 1.0)
    assert draw_column_scores(replace(summary, columns=())) is None


def test_profiles_are_lines_over_the_radii(summary):
    [ax] = draw_profiles(summary).axes
    shown = {line.get_label(): line.get_xydata().tolist() for line in ax.lines[:2]}
    assert shown == {
        "8 rows, MRI 0.75": [[0.5, -0.5], [1.0, 0.0]],
        "72 rows, MRI 0.12": [[0.5, 0.5], [1.0, 1.0]],
    }
    assert draw_profiles(replace(summary, complexity=None)) is None


def test_the_legend_of_profiles_covers_none_of_them(summary):
    figure = draw_profiles(summary)
    figure.draw_without_rendering()
    [ax] = figure.axes
    assert ax.get_legend().get_window_extent().y0 >= ax.get_window_extent().y1
