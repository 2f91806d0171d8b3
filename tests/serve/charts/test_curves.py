import numpy as np

from manyminds.reports.search.summary_types import CalibrationBin
from manyminds.serve.charts import draw_calibration, draw_precision_recall, draw_roc
from manyminds.serve.measures import Predictions, measure_classes


def make_curves():
    target = np.array(["no", "no", "yes", "yes"], dtype=object)
    share = np.array([0.1, 0.6, 0.4, 0.9])
    found = Predictions(
        np.arange(4) + 1, target, target, ("no", "yes"),
        np.column_stack([1 - share, share]),
    )  # fmt: skip
    return measure_classes(found)


def test_the_area_is_in_the_label_of_points():
    # Of the four pairs of a "no" and a "yes", three are in the right order.
    (curve,) = make_curves().roc
    assert curve.area == 0.75
    chart = draw_roc([curve])
    assert "yes, threshold 0.9\ntrue positive rate 0.500" in chart


def test_precision_and_recall_are_those_of_the_threshold():
    chart = draw_precision_recall(make_curves().precision_recall)
    assert "threshold 0.4\nprecision 0.667\nrecall 1.000" in chart


def test_calibration_shows_the_number_of_rows():
    bins = [CalibrationBin(0.1, 0.0, 10), CalibrationBin(0.9, 1.0, 1200)]
    chart = draw_calibration(bins, x_label="probability")
    assert "predicted 0.900\nobserved 1.000\n1,200 rows" in chart


def test_calibration_of_a_rare_class_ends_where_its_predictions_do():
    bins = [CalibrationBin(0.01, 0.0, 1), CalibrationBin(0.02, 0.02, 50)]
    chart = draw_calibration(bins, x_label="probability")
    assert 'observed 0.000\n1 row"' in chart
    assert ">0.02<" in chart and ">1<" not in chart
