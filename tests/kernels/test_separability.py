"""The best cut of a column is the best of all that the formula allows."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.kernels.separability import (
    BALANCED,
    LEXICOGRAPHIC,
    SSV,
    score_columns,
)


def list_cuts(x):
    """Return the left sides of all cuts, with missing values on either side."""
    missing = np.isnan(x)
    for value in np.unique(x[~missing]):
        for go_left in (False, True):
            yield (x <= value) | (missing & go_left)


def naive(x, label, weight, n_classes, criterion):
    """Score a column straight from the paper."""
    classes = range(n_classes)
    scores = [(1.0 / n_classes if criterion == BALANCED else 0.0, 0.0)]
    for left in list_cuts(x):
        L = np.array([weight[left & (label == c)].sum() for c in classes])
        R = np.array([weight[~left & (label == c)].sum() for c in classes])
        pairs = sum(L[c] * R[d] for c in classes for d in classes if d != c)
        divided = np.minimum(L, R).sum()
        share = 1.0 / (n_classes * (L + R))
        scores.append(
            {
                SSV: (2.0 * pairs - divided, 0.0),
                LEXICOGRAPHIC: (2.0 * pairs, -divided),
                BALANCED: (max(share * L) + max(share * R), 0.0),
            }[criterion]
        )
    gain, minus_loss = max(scores)
    return gain, -minus_loss


def score(X, label, weight, criterion, stored=None):
    """Call the kernel for dense columns, or for those cells that are stored."""
    stored = np.ones(X.shape, dtype=bool) if stored is None else stored
    n_classes = label.max() + 1
    values, rows, starts = [], [], [0]
    for x, kept in zip(X.T, stored.T):
        order = np.flatnonzero(kept)[np.argsort(x[kept])]
        values.extend(x[order])
        rows.extend(order)
        starts.append(len(rows))
    total = np.bincount(label, weight)
    best = np.empty((X.shape[1], 2))
    score_columns(
        np.array(values, dtype=np.float64),
        np.array(rows, dtype=np.int64),
        np.array(starts),
        label,
        weight,
        1.0 / (n_classes * total),
        criterion,
        best,
    )
    return best


@pytest.mark.no_jit
def test_perfect_cut_scores_twice_the_product():  # acceptance 1
    X, label = np.array([[1.0], [2.0], [3.0], [4.0], [5.0]]), np.array([0, 0, 0, 1, 1])
    best = score(X, label, np.ones(5), SSV)
    assert_array_equal(best, [[12.0, 0.0]])


@pytest.mark.no_jit
@pytest.mark.parametrize("criterion", [SSV, LEXICOGRAPHIC, BALANCED])
def test_equals_naive_twin(seed, criterion):
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, size=(12, 6)).astype(float)
    X[rng.random(X.shape) < 0.2] = np.nan
    label = np.r_[0, 1, 2, rng.integers(0, 3, size=9)]
    weight = rng.integers(1, 4, size=12).astype(float)
    best = score(X, label, weight, criterion)
    expected = [naive(x, label, weight, 3, criterion) for x in X.T]
    assert_allclose(best, expected)


@pytest.mark.no_jit
def test_cells_that_are_not_stored_are_zeros(seed):
    rng = np.random.default_rng(seed)
    for low, high in ((-2, 3), (0, 3), (-3, 1)):
        X = rng.integers(low, high, size=(15, 8)).astype(float)
        X[rng.random(X.shape) < 0.1] = np.nan
        label = np.r_[0, 1, rng.integers(0, 2, size=13)]
        stored = (X != 0.0) | (rng.random(X.shape) < 0.3)  # and a few zeros
        dense = score(X, label, np.ones(15), SSV)
        assert_array_equal(score(X, label, np.ones(15), SSV, stored), dense)
