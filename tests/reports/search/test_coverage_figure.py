"""The figure shows the coverage that was measured, and nothing else."""

from dataclasses import replace

from manyminds.analysis import CoverageEstimate
from manyminds.reports.search.coverage_figure import draw_coverage


def test_points_are_the_measured_ones(summary):
    coverage = (
        CoverageEstimate(0.8, 0.82, 0.01, 1.2, 0.7, 100),
        CoverageEstimate(0.9, 0.91, 0.01, 1.5, float("nan"), 100),
    )
    figure = draw_coverage(replace(summary, coverage=coverage))
    [ax] = figure.axes
    points = ax.containers[0].lines[0]
    assert points.get_xdata().tolist() == [0.8, 0.9]
    assert points.get_ydata().tolist() == [0.82, 0.91]
    names = [one.get_text() for one in ax.get_legend().get_texts()]
    assert "lowest coverage of a class" in names


def test_no_lowest_coverage_is_drawn_where_there_is_none(summary):
    coverage = (CoverageEstimate(0.8, 0.82, 0.01, 1.2, float("nan"), 100),)
    [ax] = draw_coverage(replace(summary, coverage=coverage)).axes
    assert [one.get_text() for one in ax.get_legend().get_texts()] == ["all rows"]
