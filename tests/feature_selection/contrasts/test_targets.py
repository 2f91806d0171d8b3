"""Residual targets: gradients, leaf values, and what out-of-fold models leave."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.feature_selection.contrasts.targets import Target

NOT_CATEGORICAL = np.zeros(1, dtype=bool)


def test_residuals_of_classes_are_indicators_less_probabilities():
    two = Target(np.array([0, 1]), 2)
    assert two.n_outputs == 1
    assert_allclose(two.compute_residuals(np.zeros((2, 1))), [[-0.5], [0.5]])
    three = Target(np.array([0, 2]), 3)
    residuals = three.compute_residuals(np.zeros((2, 3)))
    assert_allclose(residuals, [[2 / 3, -1 / 3, -1 / 3], [-1 / 3, -1 / 3, 2 / 3]])


def test_the_baseline_predicts_the_shares_of_the_classes():
    for target in (
        Target(np.array([0, 0, 0, 1]), 2),
        Target(np.array([0, 0, 1, 2]), 3),
    ):
        residuals = target.compute_residuals(target.make_baseline())
        assert_allclose(residuals.mean(axis=0), 0.0, atol=1e-12)
        weight = np.array([1.0, 1.0, 1.0, 5.0])
        residuals = target.compute_residuals(target.make_baseline(weight))
        assert_allclose(weight @ residuals, 0.0, atol=1e-12)
    numbers = Target(np.array([[1.0, 5.0], [3.0, 7.0]]))
    assert_allclose(numbers.make_baseline(), [[2.0, 6.0], [2.0, 6.0]])


def test_variances_are_those_about_the_baseline():
    numbers = Target(np.array([[1.0, 5.0], [3.0, 9.0]]))
    assert_allclose(numbers.measure_variance(), 1.0 + 4.0)
    assert_allclose(numbers.measure_variance(np.array([3.0, 1.0])), 0.75 + 3.0)
    two, three = Target(np.array([0, 0, 0, 1]), 2), Target(np.array([0, 1, 2]), 3)
    assert_allclose(two.measure_variance(), 0.25 * 0.75)
    assert_allclose(three.measure_variance(), 3 * 2 / 9)


def test_leaf_values_are_means_or_newton_steps():
    leaf, draws = np.array([0, 0, 1]), np.array([1, 3, 2])
    residual = np.array([4.0, 0.0, 2.0])
    numbers = Target(np.zeros((3, 1)))
    assert_allclose(numbers.compute_steps(residual, draws, leaf), [1.0, 2.0])
    # Friedman's step: sum r / sum |r| (1 - |r|), by (K - 1) / K for K > 2 classes.
    residual = np.array([0.5, -0.5, 0.25])
    step = np.array([(0.5 - 1.5) / 1.0, 0.5 / (2 * 0.25 * 0.75)])
    two, three = Target(np.array([0, 1, 1]), 2), Target(np.array([0, 1, 2]), 3)
    assert_allclose(two.compute_steps(residual, draws, leaf), step)
    assert_allclose(three.compute_steps(residual, draws, leaf), 2 / 3 * step)


@pytest.mark.parametrize("n_classes", [1, 2, 3])
def test_a_model_leaves_noise(seed, n_classes):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(800, 1))
    if n_classes == 1:
        noise = rng.normal(size=800)
        target = Target((3.0 * X[:, 0] + noise)[:, np.newaxis])
    else:
        target = Target(
            np.clip(X[:, 0] + 1, 0, n_classes - 0.01).astype(int), n_classes
        )
    left = target.subtract_model(X, NOT_CATEGORICAL, None, seed)
    assert left.n_classes == 1 and left.n_outputs == target.n_outputs
    if n_classes == 1:
        assert np.corrcoef(left.values[:, 0], noise)[0, 1] > 0.85
    else:
        assert np.abs(left.values).mean() < 0.1


def test_predictions_are_of_rows_that_the_model_has_not_seen(seed):
    # A model of noise, fitted to the rows it predicts, would leave less than there was.
    rng = np.random.default_rng(seed)
    target = Target(rng.normal(size=(300, 1)))
    left = target.subtract_model(rng.normal(size=(300, 1)), NOT_CATEGORICAL, None, seed)
    assert left.values.var() > 0.97 * target.values.var()


def test_a_class_of_one_row_is_no_error():
    rng = np.random.default_rng(0)
    for codes in ([0] * 29 + [1], [0] * 15 + [1] * 14 + [2]):
        target = Target(np.array(codes), max(codes) + 1)
        left = target.subtract_model(rng.normal(size=(30, 1)), NOT_CATEGORICAL, None, 0)
        assert np.isfinite(left.values).all() and len(left.values) == 30
