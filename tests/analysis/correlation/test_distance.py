"""Distance correlation, against the U-centered matrices of the paper."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.distance import cdist

from manyminds.analysis.correlation import correlation_score, distance


def u_centered(D):
    n = len(D)
    sums = D.sum(axis=0)
    A = D - (sums[:, None] + sums) / (n - 2) + D.sum() / ((n - 1) * (n - 2))
    np.fill_diagonal(A, 0.0)
    return A


def naive(X, y):
    A, B = u_centered(cdist(X, X)), u_centered((y[:, None] != y).astype(float))
    return (A * B).sum() / np.sqrt((A * A).sum() * (B * B).sum())


@pytest.mark.parametrize("block", [100, 2_000_000])
def test_naive_twin_agrees(block, seed, monkeypatch):
    monkeypatch.setattr(distance, "_BLOCK_CELLS", block)
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(60) % 4)
    X = rng.normal(size=(60, 3)) + 0.3 * y[:, None]
    found = correlation_score(X, y, "distance", clip=False)
    assert_allclose(found, naive(X, y), rtol=1e-9, atol=1e-12)


def test_it_sees_what_is_not_linear(seed):
    # A ring around a cloud. Over 300 draws, at least 0.41 (R²: at most 0.09).
    rng = np.random.default_rng(seed)
    y, angle = np.arange(200) % 2, rng.uniform(0, 2 * np.pi, size=200)
    X = y[:, None] * 4 * np.c_[np.cos(angle), np.sin(angle)]
    X += 0.3 * rng.normal(size=(200, 2))
    assert correlation_score(X, y, "distance") > 0.3
    assert correlation_score(X, y) < 0.2


def test_too_few_rows_and_constant_vectors():
    with pytest.raises(ValueError, match="four rows or more"):
        correlation_score([[0.0], [1.0], [2.0]], [0, 1, 1], "distance")
    assert correlation_score(np.ones((8, 1)), [0, 1] * 4, "distance") == 0.0


@pytest.mark.parametrize("scale", [1e-290, 1e-200, 1e160, 1e307])
def test_units_do_not_matter(scale, seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(40, 3)), rng.integers(0, 3, 40)
    X[:, 0] += y
    expected = correlation_score(X, y, "distance", clip=False)
    found = correlation_score(X * scale, y, "distance", clip=False)
    assert_allclose(found, expected, rtol=1e-9)
