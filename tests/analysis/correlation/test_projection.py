"""Bases of columns: orthonormal, of the right rank, whatever the shape."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.analysis.correlation.projection import column_space, standardize


@pytest.mark.parametrize("shape", [(30, 4), (30, 29), (20, 50)])
@pytest.mark.parametrize("rank", [1, 3])
def test_basis_has_the_rank_of_the_columns(shape, rank, seed):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(shape[0], rank)) @ rng.normal(size=(rank, shape[1]))
    X, tolerance = standardize(A + 5.0)
    Q = column_space(X, tolerance)
    assert Q.shape == (shape[0], rank)
    assert_allclose(Q.T @ Q, np.eye(rank), atol=1e-12)
    assert_allclose(Q @ (Q.T @ X), X, atol=1e-9)


def test_columns_have_mean_zero_and_length_one(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(50, 3)) * [1e-200, 1.0, 1e200] + [0.0, 1e6, 0.0]
    X = np.c_[X, np.full(50, 0.1), 0.1 + 0.2 - 0.3 + np.zeros(50)]
    standard, tolerance = standardize(X)
    assert_allclose(standard.mean(axis=0), 0.0, atol=1e-15)
    assert_allclose(np.linalg.norm(standard, axis=0), [1, 1, 1, 0, 0], atol=1e-12)
    assert 1e-14 < tolerance <= 1e-8


def test_rounding_of_a_constant_is_no_column():
    X = np.c_[np.arange(4.0), [0.3, 0.1 + 0.2, 0.3, 0.1 + 0.2]]
    standard, _ = standardize(X)
    assert_allclose(standard[:, 1], 0.0)


def test_a_tolerance_can_be_given(seed):
    rng = np.random.default_rng(seed)
    x, z = rng.normal(size=(2, 40))
    X, tolerance = standardize(np.c_[x, x + 1e-5 * z])
    assert column_space(X, tolerance).shape[1] == 2
    assert column_space(X, 1e-3).shape[1] == 1
