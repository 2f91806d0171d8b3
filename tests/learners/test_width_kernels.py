"""Kernels parametrized by a width: their formulas, and the default width."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_array, csr_matrix

from manyminds.learners.width_kernels import WidthKernel, compute_kernel, measure_scale

KERNELS = ["linear", "gaussian", "exponential", "polynomial", "sigmoid"]


def table(seed, n_samples=60, n_features=4):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples, n_features))
    return X, X[:, 0] + X[:, 1] ** 2 + 0.3 * rng.normal(size=n_samples)


def by_formula(X, Y, kernel, width):
    product = X @ Y.T
    distance = np.sqrt(((X[:, None] - Y) ** 2).sum(axis=2))
    return {
        "linear": product,
        "gaussian": np.exp(-(distance**2) / width),
        "exponential": np.exp(-distance / width),
        "polynomial": (product / width + 1.0) ** 3,
        "sigmoid": np.tanh(product / width + 1.0),
    }[kernel]


@pytest.mark.parametrize("kernel", KERNELS)
def test_kernels_are_their_formulas(seed, kernel):
    X, _ = table(seed)
    expected = by_formula(X[:9], X[9:], kernel, 1.7)
    found = compute_kernel(X[:9], X[9:], kernel=kernel, width=1.7)
    assert_allclose(found, expected, atol=1e-9)
    sparse = compute_kernel(
        csr_matrix(X[:9]), csr_matrix(X[9:]), kernel=kernel, width=1.7
    )
    assert_allclose(sparse, expected, atol=1e-9)


def test_worked_example():
    # Rows at a squared distance of 18, with a product of 2.
    X, Y = np.array([[1.0, 1.0]]), np.array([[4.0, -2.0]])
    options = {"width": 2.0, "degree": 2, "coef0": 3.0}
    expected = {
        "linear": 2.0,
        "gaussian": np.exp(-9.0),
        "exponential": np.exp(-np.sqrt(18.0) / 2.0),
        "polynomial": 16.0,
        "sigmoid": np.tanh(4.0),
    }
    for kernel, value in expected.items():
        assert_allclose(compute_kernel(X, Y, kernel=kernel, **options), [[value]])


def test_a_kernel_with_parameters_is_a_function_of_tables(seed):
    X, _ = table(seed, 8)
    kernel = WidthKernel("polynomial", 2.5, degree=2, coef0=0.5)
    expected = (X @ X[:3].T / 2.5 + 0.5) ** 2
    assert_allclose(kernel(X, X[:3]), expected)
    assert pickle.loads(pickle.dumps(kernel)) == kernel


def test_scale_worked_by_hand():
    # Places 0 and 4: half of the ordered pairs, each with itself too, are 16 apart.
    X = np.array([[0.0], [4.0]])
    assert measure_scale(X, None, "gaussian") == pytest.approx(4.0)
    assert measure_scale(X, None, "exponential") == pytest.approx(2.0)
    # Weighted 3 to 1, pairs of different places have 2 * 3/16 of the weight.
    assert measure_scale(X, np.array([3.0, 1.0]), "gaussian") == pytest.approx(3.0)
    assert measure_scale(csr_matrix(X), None, "gaussian") == pytest.approx(4.0)


def test_a_single_place_has_the_scale_one():
    assert measure_scale(np.full((3, 2), 0.1), None, "exponential") == 1.0


@pytest.mark.parametrize("kernel", KERNELS)
def test_diagonal_is_that_of_the_matrix(seed, kernel):
    X = np.random.default_rng(seed).normal(size=(8, 3))
    function = WidthKernel(kernel, 2.0, 2, 0.5)
    for rows in (X, csr_array(X)):
        expected = np.diag(function(rows, rows))
        assert_allclose(function.diagonal(rows), expected, atol=1e-7)
