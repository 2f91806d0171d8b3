"""Thresholds by cardinality and by label, against a search over all thresholds."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score

from manyminds.ensemble import (
    LabelThresholdClassifier,
    MLkNNClassifier,
    MultiLabelForestClassifier,
    cardinality_threshold,
    center_thresholds,
    label_thresholds,
)


def test_no_other_threshold_comes_nearer_to_the_cardinality(seed):
    rng = np.random.default_rng(seed)
    scores = rng.uniform(size=(30, 4)).round(2)
    for cardinality in (0.0, 0.4, 1.7, 4.0):
        threshold = cardinality_threshold(scores, cardinality)
        found = abs((scores > threshold).sum(axis=1).mean() - cardinality)
        every = [
            abs((scores > t).sum(axis=1).mean() - cardinality)
            for t in np.append(scores.ravel(), -0.1)
        ]
        assert_allclose(found, min(every))


def test_no_other_threshold_has_a_higher_f1(seed):
    rng = np.random.default_rng(seed)
    Y = (rng.uniform(size=(40, 3)) < [0.1, 0.5, 0.9]).astype(int)
    scores = (0.5 * Y + rng.uniform(size=Y.shape)).round(1)
    thresholds = label_thresholds(Y, scores)
    for j, y in enumerate(Y.T):
        found = f1_score(y, scores[:, j] > thresholds[j], zero_division=0)
        every = np.append(scores[:, j], -1.0)
        best = max(f1_score(y, scores[:, j] > t, zero_division=0) for t in every)
        assert_allclose(found, best)


def test_predictions_have_the_cardinality_of_the_training_set(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(400, 5))
    Y = (X[:, :4] + rng.normal(size=(400, 4)) > 1.8).astype(int)  # rare labels
    base = MultiLabelForestClassifier(20)
    plain = base.fit(X[:200], Y[:200]).predict(X[200:]).sum(axis=1).mean()
    wanted = Y[:200].sum(axis=1).mean()
    for strategy in ("cardinality", "label"):
        model = LabelThresholdClassifier(base, strategy=strategy, random_state=0)
        found = model.fit(X[:200], Y[:200]).predict(X[200:]).sum(axis=1).mean()
        assert abs(found - wanted) < abs(plain - wanted)


def test_the_threshold_of_a_batch_is_the_paper_s(labeled):
    X, Y = labeled
    model = LabelThresholdClassifier(MLkNNClassifier(), calibrate_on="batch")
    scores = model.fit(X, Y).estimator_.predict_proba(X)
    t = cardinality_threshold(scores, Y.sum(axis=1).mean())
    assert_array_equal(model.predict(X) == 1, scores > t)
    assert_array_equal(model.predict_proba(X) > 0.5, scores > t)


def test_bad_parameters_raise_clear_errors(labeled):
    with pytest.raises(ValueError, match='calibrate_on must be "folds"'):
        LabelThresholdClassifier(strategy="f1", calibrate_on="batch").fit(*labeled)
    with pytest.raises(ValueError, match="learner of many labels"):
        LabelThresholdClassifier(LogisticRegression()).fit(*labeled)


def test_centered_scores_keep_their_order_and_cross_one_half_at_the_threshold(seed):
    scores = np.sort(np.random.default_rng(seed).uniform(size=50))
    for threshold in (-1e-9, 0.0, 0.2, 0.5, 0.9, 1.0):
        found = center_thresholds(scores[:, None], threshold)[:, 0]
        assert_array_equal(found > 0.5, scores > threshold)
        assert (np.diff(found) >= 0.0).all()
        assert found.min() >= 0.0 and found.max() <= 1.0
    assert_allclose(center_thresholds(scores[:, None], 0.5)[:, 0], scores)
    assert_array_equal(center_thresholds([[0.0, 1.0]], [0.0, 1.0]), [[0.0, 0.5]])
