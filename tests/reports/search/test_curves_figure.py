"""ROC curves and calibration are drawn as they were measured."""

from dataclasses import replace

from numpy.testing import assert_allclose

from manyminds.reports.search.curves_figure import draw_curves
from manyminds.reports.search.summary_types import CalibrationBin


def test_curves_are_those_of_the_errors(details):
    classes = details.classes
    left, right = draw_curves(classes).axes
    [curve] = classes.curves
    assert_allclose(left.lines[1].get_xdata(), curve.x)
    assert_allclose(left.lines[1].get_ydata(), curve.y)
    assert left.lines[1].get_label() == "area 0.750"
    assert right.lines[1].get_xydata().tolist() == [
        [bin.predicted, bin.observed] for bin in classes.calibration
    ]


def test_the_weakest_curves_are_named(details):
    [curve] = details.classes.curves
    curves = tuple(replace(curve, label=f"c{i}", area=1 - i / 20) for i in range(10))
    left, _ = draw_curves(replace(details.classes, curves=curves)).axes
    named = [text.get_text() for text in left.get_legend().get_texts()]
    assert named == [f"c{i} ({1 - i / 20:.3f})" for i in range(2, 10)]


def test_axes_end_where_all_predictions_of_a_rare_class_do(details):
    bins = (CalibrationBin(0.01, 0.0, 50), CalibrationBin(0.2, 0.15, 50))
    errors = replace(details.classes, calibration=bins)
    right = draw_curves(errors).axes[1]
    assert_allclose(right.get_xlim(), right.get_ylim())
    assert_allclose(right.get_xlim()[1], 1.03 * 0.22)
    assert right.get_xlabel() == "probability of b (axes end at 0.22)"
    whole = draw_curves(details.classes).axes[1]
    assert whole.get_xlim()[1] > 1.0 and whole.get_xlabel() == "probability of b"
