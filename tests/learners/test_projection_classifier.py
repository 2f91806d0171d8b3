"""What TIPCAC and its kernel version share: two classes, a threshold, a sign."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.learners import KernelTIPCACClassifier, TIPCACClassifier
from manyminds.learners.projection_classifier import make_contrast, subtract_means

BOTH = [TIPCACClassifier(), KernelTIPCACClassifier()]


def two_clouds(seed, n_samples=60):
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n_samples) % 3 == 0, "yes", "no")
    return rng.normal(size=(n_samples, 3)) + 2.0 * (y == "yes")[:, np.newaxis], y


@pytest.mark.parametrize("model", BOTH, ids=repr)
def test_first_class_is_where_projections_are_high(seed, model):
    X, y = two_clouds(seed)
    projections = model.fit(X, y).project(X)
    assert projections[y == "no"].mean() > projections[y == "yes"].mean()
    expected = np.where(projections >= model.threshold_, "no", "yes")
    assert_array_equal(model.predict(X), expected)
    assert_allclose(model.decision_function(X), model.threshold_ - projections)


@pytest.mark.parametrize("model", BOTH, ids=repr)
def test_three_classes_and_one_are_refused(model):
    X = np.arange(12.0).reshape(6, 2)
    with pytest.raises(ValueError, match="y has 3 classes"):
        model.fit(X, [0, 1, 2, 0, 1, 2])
    with pytest.raises(ValueError, match="one class"):
        model.fit(X, [0, 1, 0, 0, 0, 0], sample_weight=[1, 0, 1, 1, 1, 1])


def test_contrast_worked_by_hand():
    is_first, weight = np.array([True, False, False]), np.array([2.0, 1.0, 3.0])
    assert_array_equal(make_contrast(is_first, weight), [0.5, -0.25, -0.25])
    X = np.array([[1.0], [4.0], [8.0]])
    assert_array_equal(subtract_means(X, is_first, weight), [1.0 - 7.0])
