"""Coupling by iterations: the fixed point, and what it stops at."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.kernels.coupling import couple_rows


def couple(pairs, size, tolerance=1e-12, max_sweeps=1000):
    p = np.full(pairs.shape[:2], 1.0 / pairs.shape[1])
    n_sweeps = np.empty(len(pairs), np.int64)
    couple_rows(pairs, size, tolerance, max_sweeps, p, n_sweeps)
    return p, n_sweeps


@pytest.mark.no_jit
def test_consistent_pairs_are_reproduced():
    # Pairs of p = (0.5, 0.3, 0.2).
    truth = np.array([0.5, 0.3, 0.2])
    pairs = (truth[:, None] / (truth[:, None] + truth))[np.newaxis]
    p, n_sweeps = couple(pairs, np.ones((3, 3)))
    assert_allclose(p[0], truth, atol=1e-9)
    assert 1 < n_sweeps[0] < 200


@pytest.mark.no_jit
def test_weighted_sums_agree_at_the_end(seed):
    rng = np.random.default_rng(seed)
    r = np.triu(rng.uniform(0.1, 0.9, size=(4, 4)), 1)
    r += np.tril(1.0 - r.T, -1)
    size = rng.integers(1, 9, size=(4, 4)) * 1.0
    size += size.T
    p, _ = couple(r[np.newaxis], size)
    mu = p[0][:, None] / (p[0][:, None] + p[0])
    np.fill_diagonal(size, 0.0)
    assert_allclose((size * mu).sum(axis=1), (size * r).sum(axis=1), atol=1e-8)
    assert_allclose(p.sum(), 1.0)


def test_limit_of_sweeps():
    pairs = np.array([[[0.0, 0.9, 0.9], [0.1, 0.0, 0.6], [0.1, 0.4, 0.0]]])
    _, n_sweeps = couple(pairs, np.ones((3, 3)), 0.0, 7)
    assert_array_equal(n_sweeps, [7])
