"""Errors of predictions, worked by hand and against scikit-learn."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics import (
    cohen_kappa_score,
    f1_score,
    precision_score,
    r2_score,
    recall_score,
    roc_auc_score,
)

from manyminds.ensemble import measure_labels
from manyminds.reports.search.prediction_errors import (
    find_calibration_limit,
    measure_class_errors,
    measure_diversity,
    measure_label_errors,
    measure_number_errors,
)
from manyminds.reports.search.summary_types import CalibrationBin, MemberRow
from manyminds.search.evaluation.label_metrics import LabelScorer
from manyminds.search.evaluation.metrics import PredictionScorer


def test_errors_of_classes_worked_by_hand():
    told = np.array([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7], [0.4, 0.6]])
    errors = measure_class_errors(told, np.array([0, 1, 1, 0]), np.array(["a", "b"]))
    assert errors.counts == ((1, 1), (1, 1))
    assert errors.recalls == (0.5, 0.5) and errors.precisions == (0.5, 0.5)
    assert errors.n_wrong == 2
    assert [(c.label, c.predicted, c.n_rows) for c in errors.worst] == [
        ("a", "b", 1),
        ("b", "a", 1),
    ]
    # Of the four pairs of a b and an a, three are in order.
    (curve,) = errors.curves
    assert curve.label == "b" and curve.area == 0.75
    assert [one.predicted for one in errors.calibration] == [0.1, 0.2, 0.6, 0.7]
    assert [one.observed for one in errors.calibration] == [0.0, 1.0, 0.0, 1.0]
    assert_allclose(errors.calibration_error, (0.1 + 0.8 + 0.6 + 0.3) / 4)


def test_calibration_is_that_of_the_rarer_of_two_classes():
    told = np.array([[0.2, 0.8], [0.1, 0.9], [0.05, 0.95]])
    errors = measure_class_errors(told, np.array([0, 1, 1]), np.array(["a", "b"]))
    assert errors.calibrated == "probability of a"
    assert_allclose([one.predicted for one in errors.calibration], [0.05, 0.1, 0.2])
    assert [one.observed for one in errors.calibration] == [0.0, 0.0, 1.0]
    other = measure_class_errors(told, np.array([0, 0, 1]), np.array(["a", "b"]))
    assert other.calibrated == "probability of b"
    assert find_calibration_limit(other.calibration) == 1.0
    low = [CalibrationBin(0.1, 0.3, 9), CalibrationBin(0.2, 0.2, 9)]
    assert_allclose(find_calibration_limit(low), 0.33)
    assert find_calibration_limit([CalibrationBin(0.0, 0.0, 9)]) == 1.0


def test_weights_of_classes_decide_and_leave_probabilities_as_they_are():
    told = np.array([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7], [0.4, 0.6]])
    codes, classes = np.array([0, 1, 1, 0]), np.array(["a", "b"])
    plain = measure_class_errors(told, codes, classes)
    weighted = measure_class_errors(told, codes, classes, np.array([1.0, 5.0]))
    assert weighted.counts == ((1, 1), (0, 2)) and weighted.n_wrong == 1
    assert weighted.calibration == plain.calibration
    assert weighted.curves == plain.curves


def test_errors_of_classes_are_those_of_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    told = rng.dirichlet(np.ones(4), size=500)
    codes = np.concatenate([np.arange(4), rng.integers(4, size=496)])
    errors = measure_class_errors(told, codes, np.array(list("abcd")))
    made = told.argmax(axis=1)
    each = {"average": None, "zero_division": np.nan}
    assert_allclose(errors.recalls, recall_score(codes, made, average=None))
    assert_allclose(errors.precisions, precision_score(codes, made, **each))
    areas = roc_auc_score(codes, told, multi_class="ovr", average=None)
    assert_allclose([curve.area for curve in errors.curves], areas)
    assert all(len(curve.y) <= 150 for curve in errors.curves)
    assert sum(one.n_rows for one in errors.calibration) == 500


def test_a_class_that_is_never_predicted_has_no_precision():
    told = np.array([[0.9, 0.1], [0.8, 0.2]])
    errors = measure_class_errors(told, np.array([0, 1]), np.array([0, 1]))
    assert np.isnan(errors.precisions[1]) and errors.recalls == (1.0, 0.0)


def test_errors_of_numbers(seed):
    rng = np.random.default_rng(seed)
    y = rng.normal(size=3_000)
    made = y + rng.normal(size=3_000)
    errors = measure_number_errors(made, y, seed=seed)
    assert_allclose(errors.r2, r2_score(y, made))
    assert_allclose(errors.rmse, np.sqrt(np.mean((made - y) ** 2)))
    assert len(errors.true) == 2_000 and sum(errors.heights) == 3_000
    row, true, predicted = errors.worst[0]
    assert abs(predicted - true) == np.abs(made - y).max()
    assert (y[row - 1], made[row - 1]) == (true, predicted)


def test_members_that_differ(seed):
    rng = np.random.default_rng(seed)
    codes = rng.integers(3, size=200)
    first, second = (rng.dirichlet(np.ones(3), size=200) for _ in range(2))
    members = [MemberRow(name, 1 / 3) for name in "abc"]
    measure = PredictionScorer("accuracy", "classification", np.arange(3))
    made = [first, second, first]
    found = measure_diversity(members, made, (first + second) / 2, codes, measure)
    a, b = first.argmax(axis=1), second.argmax(axis=1)
    assert_allclose(found.differences[0], [0.0, (a != b).mean(), 0.0])
    assert_allclose(found.kappas[0], [1.0, cohen_kappa_score(a, b), 1.0])
    assert_allclose(found.scores, [np.mean(one == codes) for one in (a, b, a)])
    y = rng.normal(size=50)
    measure = PredictionScorer("rmse", "regression")
    noise = rng.normal(size=50)
    made = [y + noise, y - noise]
    found = measure_diversity(members[:2], made, y, y, measure)
    assert_allclose(found.differences, [[0.0, 2.0], [2.0, 0.0]], atol=1e-9)
    assert found.kappas == () and found.committee == 0.0


def test_errors_of_numbers_worked_by_hand():
    errors = measure_number_errors(np.array([1.0, 2.0, 6.0]), np.array([1.0, 3.0, 2.0]))
    assert errors.mae == 5 / 3 and errors.median == 1.0 and errors.bias == 1.0
    assert_allclose(errors.rmse, (17 / 3) ** 0.5)
    assert errors.r2 == 1.0 - 17 / 2
    assert errors.worst == ((3, 2.0, 6.0), (2, 3.0, 2.0), (1, 1.0, 1.0))


def test_r2_is_undefined_for_a_constant_target():
    assert np.isnan(measure_number_errors(np.array([1.0, 2.0]), np.ones(2)).r2)


def test_only_the_ratio_of_probabilities_matters(seed):
    rng = np.random.default_rng(seed)
    told, codes = rng.dirichlet(np.ones(3), size=40), np.arange(40) % 3
    names = np.array(list("abc"))
    found = measure_class_errors(told, codes, names)
    scaled = measure_class_errors(told * 4.0, codes, names)
    assert scaled.counts == found.counts
    assert_allclose(scaled.calibration_error, found.calibration_error)


def test_each_of_many_labels_has_its_errors(seed):
    rng = np.random.default_rng(seed)
    Y = (rng.uniform(size=(50, 3)) < [0.2, 0.5, 0.9]).astype(int)
    scores = np.clip(0.5 * Y + rng.uniform(size=Y.shape) - 0.2, 0, 1)
    labels, measures, counts = measure_label_errors(scores, Y, ["a", "b", "c"])
    for j, row in enumerate(labels):
        made = scores[:, j] > 0.5
        assert (row.n_rows, row.n_predicted) == (Y[:, j].sum(), made.sum())
        assert row.f1 == pytest.approx(f1_score(Y[:, j], made, zero_division=0))
        assert row.recall == pytest.approx(recall_score(Y[:, j], made))
        assert row.area == pytest.approx(roc_auc_score(Y[:, j], scores[:, j]))
    assert measures == measure_labels(Y, scores > 0.5, scores)
    assert sum(counts.true) == sum(counts.predicted) == 50
    assert counts.true[3] == (Y.sum(axis=1) == 3).sum()


def test_a_label_that_no_row_has_is_right_if_none_is_predicted():
    Y = np.array([[0, 1], [0, 0]])
    (row, _), _, counts = measure_label_errors(np.zeros((2, 2)), Y, ["a", "b"])
    assert (row.precision, row.recall, row.f1) == (1.0, 1.0, 1.0)
    assert np.isnan(row.area) and counts.predicted == (2, 0)


def test_members_of_a_committee_disagree_on_labels():
    Y = np.array([[1, 0], [0, 1]])
    made = [np.array([[0.9, 0.1], [0.2, 0.8]]), np.array([[0.9, 0.9], [0.2, 0.8]])]
    members = [MemberRow("one", 0.5), MemberRow("two", 0.5)]
    found = measure_diversity(members, made, made[0], Y, LabelScorer("hamming_loss"))
    assert found.differences[0][1] == 0.25  # one of four pairs of a row and a label
    assert found.scores == (0.0, 0.25) and found.committee == 0.0
