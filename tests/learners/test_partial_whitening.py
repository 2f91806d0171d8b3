"""Partial whitening: its singular values, and that nothing is formed explicitly."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array

from manyminds.learners import partial_whitening
from manyminds.learners.partial_whitening import count_components, fit_whitening


def table(seed, n_samples=60, n_features=7):
    rng = np.random.default_rng(seed)
    spread = 3.0 ** -np.arange(n_features)
    return rng.normal(size=(n_samples, n_features)) * spread + rng.normal(
        size=n_features
    )


def explicit(X, d):
    """Return W_D of the paper's equation 2, by a full SVD of the centered columns."""
    P = (X - X.mean(axis=0)).T
    U, q, _ = np.linalg.svd(P, full_matrices=False)
    U, q = U[:, :d], q[:d]
    return q[-1] * U @ np.diag(1 / q) @ U.T + np.eye(len(P)) - U @ U.T


@pytest.mark.parametrize("d", [1, 3, 7])
def test_leading_singular_values_are_equal_and_others_untouched(seed, d):
    # Item 1 of the acceptance list.
    X = table(seed)
    P = (X - X.mean(axis=0)).T
    q = np.linalg.svd(P, compute_uv=False)
    whitened = fit_whitening(X, np.ones(len(X)), d).apply(P)
    expected = np.concatenate([np.full(d, q[d - 1]), q[d:]])
    assert_allclose(np.linalg.svd(whitened, compute_uv=False), expected, rtol=1e-9)


@pytest.mark.parametrize("d", [1, 3, 7])
def test_implicit_map_is_the_explicit_matrix(seed, d):
    # Item 1: to 1e-10, and symmetric.
    X = table(seed)
    W = fit_whitening(X, np.ones(len(X)), d).apply(np.eye(7))
    assert_allclose(W, explicit(X, d), atol=1e-10)
    assert_allclose(W, W.T, atol=1e-12)


def test_wide_tables_have_the_rank_of_their_rows(seed):
    X = table(seed, 6, 30)
    whitening = fit_whitening(X, np.ones(6), None)
    assert len(whitening.singular_values) == 5
    assert_allclose(whitening.apply(np.eye(30)), explicit(X, 5), atol=1e-8)


def test_blocks_and_sparse_rows_are_the_same_samples(seed, monkeypatch):
    X = table(seed, 500, 5)
    X[X < 0.3] = 0.0
    whole = fit_whitening(X, np.ones(500), 3)
    monkeypatch.setattr(partial_whitening, "_BLOCK_CELLS", 10)
    for rows in (X, csr_array(X)):
        parts = fit_whitening(rows, np.ones(500), 3)
        assert_allclose(parts.singular_values, whole.singular_values, rtol=1e-10)
        assert_allclose(parts.apply(np.eye(5)), whole.apply(np.eye(5)), atol=1e-10)


def test_lanczos_finds_the_same_components(seed, monkeypatch):
    X = table(seed, 80, 40)
    X[X < 0.2] = 0.0
    weight = np.random.default_rng(seed).uniform(0.5, 2.0, size=80)
    whole = fit_whitening(X, weight, 4)
    monkeypatch.setattr(partial_whitening, "_MIN_LANCZOS", 10)
    for rows in (X, csr_array(X)):
        few = fit_whitening(rows, weight, 4)
        assert_allclose(few.singular_values, whole.singular_values, rtol=1e-9)
        assert_allclose(few.apply(np.eye(40)), whole.apply(np.eye(40)), atol=1e-7)


def test_weights_are_repeated_samples(seed):
    X = table(seed, 40)
    times = np.random.default_rng(seed).integers(1, 4, size=40)
    weighted = fit_whitening(X, times.astype(float), "log2")
    repeated = fit_whitening(np.repeat(X, times, axis=0), np.ones(times.sum()), "log2")
    assert_allclose(weighted.mean, repeated.mean)
    assert_allclose(weighted.singular_values, repeated.singular_values)


def test_equal_samples_are_left_alone():
    X = np.full((5, 3), 7.1)
    whitening = fit_whitening(X, np.ones(5), "log2")
    assert len(whitening.singular_values) == 0
    assert_array_equal(whitening.apply(np.eye(3)), np.eye(3))


@pytest.mark.parametrize(
    ("asked", "n_samples", "n_features", "expected"),
    [
        ("log2", 5091, 495, 151),  # the paper's proteins: 151.6
        ("log2", 5091, 20, 20),
        ("log2", 1, 20, 1),
        ("log2", 0.5, 20, 1),
        (None, 10, 20, 20),
        (4, 10, 20, 4),
        (40, 10, 20, 20),
    ],
)
def test_number_of_components(asked, n_samples, n_features, expected):
    assert count_components(asked, n_samples, n_features) == expected
