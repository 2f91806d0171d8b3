"""Ridge regression of the output layer, and the coding of classes."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import Ridge

from manyminds.learners.output_layer import (
    code_classes,
    decode_classes,
    fit_scaler,
    solve_ridge,
)


def test_worked_example():
    # Without a constant 28 / (14 + 14); with one, both sides lose their means, 2 and 4:
    # then 4 / (2 + 2) and 4 - 2.
    hidden, targets = np.array([[1.0], [2.0], [3.0]]), np.array([[2.0], [4.0], [6.0]])
    coef, intercept = solve_ridge(hidden, targets, 14.0, fit_intercept=False)
    assert_allclose([coef[0, 0], intercept[0]], [1.0, 0.0])
    coef, intercept = solve_ridge(hidden, targets, 2.0)
    assert_allclose([coef[0, 0], intercept[0]], [1.0, 2.0])


@pytest.mark.parametrize("n_hidden", [10, 100])  # fewer and more than there are rows
@pytest.mark.parametrize("fit_intercept", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_ridge_is_that_of_scikit_learn(seed, n_hidden, fit_intercept, weighted):
    rng = np.random.default_rng(seed)
    hidden, targets = rng.normal(size=(40, n_hidden)), rng.normal(size=(40, 2))
    weight = rng.integers(0, 4, size=40).astype(float) if weighted else None
    coef, intercept = solve_ridge(hidden, targets, 0.7, weight, fit_intercept)
    theirs = Ridge(alpha=0.7, fit_intercept=fit_intercept)
    theirs.fit(hidden, targets, weight)
    assert_allclose(coef, theirs.coef_.T, atol=1e-9)
    assert_allclose(intercept, theirs.intercept_, atol=1e-9)


def test_a_penalty_lost_in_rounding_is_solved_all_the_same(seed):
    rng = np.random.default_rng(seed)
    hidden = np.repeat(rng.normal(size=(30, 3)), 4, axis=1)  # of rank 3
    targets = rng.normal(size=(30, 1))
    expected = np.linalg.pinv(hidden) @ targets
    for alpha in (0.0, 1e-300):
        coef, _ = solve_ridge(hidden, targets, alpha, fit_intercept=False)
        assert_allclose(coef, expected, atol=1e-9)


@pytest.mark.parametrize("alpha", [0.0, 1.0])
def test_without_units_only_the_constant_is_left(alpha):
    targets = np.array([[1.0], [2.0], [6.0]])
    coef, intercept = solve_ridge(np.empty((3, 0)), targets, alpha)
    assert coef.shape == (0, 1)
    assert_allclose(intercept, [3.0])


def test_codes_of_classes():
    assert_array_equal(code_classes(np.array([0, 1]), 2), [[-1], [1]])
    codes = code_classes(np.array([2, 0]), 3)
    assert_array_equal(codes, [[-1, -1, 1], [1, -1, -1]])
    assert_array_equal(decode_classes(codes), [2, 0])


def test_two_classes_are_decoded_by_the_sign():
    assert_array_equal(decode_classes(np.array([[-0.1], [0.0], [2.0]])), [0, 0, 1])
    # A single class is coded as the first of two.
    assert_array_equal(code_classes(np.array([0, 0]), 1), [[-1], [-1]])


def test_scaler_counts_weights_or_is_left_out():
    # Weighted 3 to 1, the mean of 0 and 4 is 1 and the variance 3.
    X = np.array([[0.0], [4.0]])
    scaler = fit_scaler(X, np.array([3.0, 1.0]), "standard")
    assert_allclose(scaler.transform(X), [[-1 / np.sqrt(3)], [3 / np.sqrt(3)]])
    assert fit_scaler(X, None, None) is None
