"""Figures show every fold of a comparison, and the groups of its mean ranks."""

from xml.etree import ElementTree

import pytest
from numpy.testing import assert_allclose

from manyminds.reports import (
    draw_critical_difference,
    draw_scores,
    summarize,
    to_png,
    to_svg,
)


@pytest.mark.slow
def test_figures_are_pictures(seed, make_records):
    summary = summarize(make_records(seed))
    for figure in (draw_critical_difference(summary), draw_scores(summary)):
        file = to_svg(figure)
        assert ElementTree.fromstring(file).tag.endswith("svg")
        assert "currentColor" not in file
        inline = to_svg(figure, inline=True)
        assert inline.startswith("<svg") and "currentColor" in inline
        assert "#000000" not in inline
        assert to_png(figure).startswith(b"\x89PNG")


@pytest.mark.slow
def test_the_same_summary_gives_the_same_figure(seed, make_records):
    summary = summarize(make_records(seed))
    assert to_svg(draw_scores(summary)) == to_svg(draw_scores(summary))


def test_scores_have_a_panel_per_data_set_and_a_point_per_fold(seed, make_records):
    summary = summarize(make_records(seed, n_datasets=5))
    panels = [ax for ax in draw_scores(summary).axes if ax.get_visible()]
    assert [ax.get_title(loc="left") for ax in panels] == list(summary.datasets)
    for ax in panels:
        points = [len(cloud.get_offsets()) for cloud in ax.collections]
        assert points == [5, 5, 5]


@pytest.mark.slow
def test_crowds_of_points_do_not_swell_the_page(seed, monkeypatch, make_records):
    summary = summarize(make_records(seed))
    shapes = to_svg(draw_scores(summary))
    monkeypatch.setattr("manyminds.reports.comparison.figures.MAX_POINTS", 10)
    picture = to_svg(draw_scores(summary))
    assert "data:image/png;base64" in picture and "<image" not in shapes


def test_two_methods_have_no_diagram_of_critical_difference(seed, make_records):
    summary = summarize(make_records(seed, methods=("rf", "tree")))
    assert draw_critical_difference(summary) is None


def test_a_bar_stands_at_the_mean_of_its_method(seed, make_records):
    summary = summarize(make_records(seed, n_datasets=1))
    [ax] = draw_scores(summary).axes
    assert [label.get_text() for label in ax.get_yticklabels()] == list(summary.methods)
    for place, (cell, line) in enumerate(zip(summary.cells, ax.lines)):
        assert_allclose(line.get_xdata(), cell.mean)
        assert_allclose(line.get_ydata().mean(), place)
    assert ax.yaxis_inverted()  # the first method on top


def test_the_diagram_names_all_methods(seed, make_records):
    methods = ("rf", "tree", "knn", "svm")
    summary = summarize(make_records(seed, methods=methods))
    [ax] = draw_critical_difference(summary).axes
    shown = " ".join(text.get_text() for text in ax.texts)
    assert all(method in shown for method in methods)


@pytest.mark.parametrize(
    ("n_datasets", "shape"), [(1, (1, 1)), (2, (1, 2)), (5, (2, 3))]
)
def test_panels_stand_in_rows_of_three(seed, make_records, n_datasets, shape):
    figure = draw_scores(summarize(make_records(seed, n_datasets)))
    grid = figure.axes[0].get_gridspec()
    assert (grid.nrows, grid.ncols) == shape
