"""Cuts of trees with many targets, against a search over all cuts in plain NumPy."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.kernels.growing import label_cuts
from manyminds.trees.binning import bin_table
from manyminds.trees.growing import make_rules, make_sampling
from manyminds.trees.label_growing import grow_on_labels, grow_on_targets

LARGE = 70_000.0  # a weight that does not fit 16 bits


def grow_stump(X, Y, weights=None, categorical=None, numeric=False, **options):
    """Grow a tree of one split that considers all features."""
    X = np.asarray(X, np.float64).reshape(len(Y), -1)
    criterion = "squared_error" if numeric else "gini"
    rules = make_rules(
        *X.shape, Y.shape[1], float(len(Y)), criterion=criterion, max_depth=1, **options
    )
    grow = grow_on_targets if numeric else grow_on_labels
    sampling = make_sampling(*X.shape, weights)
    return grow(bin_table(X, categorical), Y, rules, sampling, np.array([7]))


def mean_impurity(Y, weights, numeric):
    """Return the mean gini, or variance, over the targets."""
    mean = np.average(Y, axis=0, weights=weights)
    variance = np.average((Y - mean) ** 2, axis=0, weights=weights)
    return np.mean(variance if numeric else 2.0 * variance)


def decrease(Y, weights, is_left, numeric):
    """Return the decrease of weighted impurity by a partition."""
    parts = [
        weights[side].sum() * mean_impurity(Y[side], weights[side], numeric)
        for side in (is_left, ~is_left)
    ]
    return weights.sum() * mean_impurity(Y, weights, numeric) - sum(parts)


def best_decrease(X, Y, weights, numeric):
    """Return the largest decrease over all features, cuts, sides of missing values."""
    best = -np.inf
    for x in X.T:
        missing = np.isnan(x)
        for cut in np.unique(x[~missing]):
            for is_left in ((x <= cut), (x <= cut) | missing):
                if 0 < is_left.sum() < len(x):
                    best = max(best, decrease(Y, weights, is_left, numeric))
    return best


def decrease_of(stump, X, Y, weights, numeric):
    """Return the decrease by the split of a stump."""
    return decrease(Y, weights, stump.apply(X)[:, 0] == stump.left[0], numeric)


@pytest.mark.parametrize("kind", ["packed", "listed", "large", "numbers"])
@pytest.mark.parametrize("column", ["continuous", "zeros", "missing"])
def test_the_split_is_the_best_of_all(kind, column, seed):
    rng = np.random.default_rng(seed)
    for n_rows in (2, 5, 40):
        X = rng.normal(size=(n_rows, 3))
        if column == "zeros":  # a bin with half of the rows or more
            X[rng.uniform(size=X.shape) < 0.7] = 0.0
        if column == "missing":
            X[rng.uniform(size=X.shape) < 0.3] = np.nan
        numeric = kind == "numbers"
        Y = (rng.uniform(size=(n_rows, 6)) < [0.1, 0.3, 0.5, 0.7, 0.9, 0.4]) * 1.0
        Y = rng.normal(size=Y.shape) + 3.0 if numeric else Y
        weights = rng.integers(1, 4, size=n_rows).astype(float)
        weights *= {"listed": 0.3, "large": LARGE}.get(kind, 1.0)
        expected = best_decrease(X, Y, weights, numeric)
        stump = grow_stump(X, Y, weights, numeric=numeric)
        assert_allclose(stump.value[0], np.average(Y, axis=0, weights=weights))
        assert_allclose(stump.impurity[0], mean_impurity(Y, weights, numeric))
        if np.isfinite(expected) and stump.impurity[0] > 0.0:
            found = decrease_of(stump, X, Y, weights, numeric)
            assert_allclose(found, expected, atol=1e-9 * weights.sum())


def test_categories_are_ordered_by_the_target_that_tells_them_apart():
    # Target 0 is the same in all categories; target 1 singles out 0 and 2.
    x = np.repeat([0, 1, 2, 3], 4)
    Y = np.c_[np.tile([0, 1], 8), np.isin(x, [0, 2])]
    stump = grow_stump(x, Y, categorical=np.array([True]))
    sides = stump.apply(np.arange(4.0)[:, None])[:, 0]
    assert sides[0] == sides[2] != sides[1] == sides[3]


def test_limits_of_leaves_hold():
    x = np.arange(20.0)
    Y = np.c_[x < 1, x < 1].astype(int)  # the best cut leaves a single row
    assert min(grow_stump(x, Y).n_samples[1:]) == 1
    assert min(grow_stump(x, Y, min_samples_leaf=4).n_samples[1:]) == 4
    heavy = grow_stump(x, Y, min_weight_fraction_leaf=0.25)
    assert min(heavy.weight[1:]) == 5.0


def test_lanes_never_overflow(plain):
    # The largest node weight that packed sums accept, all of it in one sample.
    words = np.full((1, 4), 2**64 - 1, np.uint64)
    weight = label_cuts._MAX_IN_LANE // words.shape[1]
    mask = np.zeros((3, 4), np.uint64)
    move = plain(label_cuts._move_words)
    assert move(words, 0, weight - 1.0, mask) == 0.0
    assert move(words, 0, 1.0, mask) == 16 * (weight - 1.0)
