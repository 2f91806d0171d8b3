"""Sums of leaves by masks are those of rows that walk alone, bit by bit."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.kernels import leaf_masks
from manyminds.trees import structure
from manyminds.trees.structure import Trees

N_FEATURES, N_CODES = 5, 70


def draw_tree(rng, n_leaves):
    """Split random leaves of one tree; the last feature is one of categories."""
    left, depth_first = [-1], [0]
    while len(depth_first) < n_leaves:
        node = depth_first.pop(rng.integers(len(depth_first)))
        left[node] = len(left)
        depth_first += [len(left), len(left) + 1]
        left += [-1, -1]
    return np.array(left, np.int32)


def draw_trees(seed, sizes):
    """Draw trees of given numbers of leaves."""
    rng = np.random.default_rng(seed)
    lefts = [draw_tree(rng, n) for n in sizes]
    left = np.concatenate(lefts)
    n, inner = len(left), left >= 0
    feature = np.where(inner, rng.integers(0, N_FEATURES, n), -1).astype(np.int32)
    by_set = feature == N_FEATURES - 1
    category_set = np.where(by_set, np.cumsum(by_set) - 1, -1).astype(np.int32)
    return Trees(
        feature=feature,
        threshold=np.where(inner & ~by_set, rng.normal(size=n).round(1), np.nan),
        left=left,
        missing_left=inner & (rng.random(n) < 0.5),
        category_set=category_set,
        category_sets=rng.integers(0, 2**63, (by_set.sum(), 2)).astype(np.uint64),
        impurity=np.zeros(n),
        weight=np.ones(n),
        n_samples=np.ones(n, np.int32),
        value=np.where(inner, 0.0, rng.normal(size=n))[:, np.newaxis],
        starts=np.concatenate([[0], np.cumsum([len(one) for one in lefts])]),
        n_features=N_FEATURES,
        max_categories=N_CODES,
    )


def draw_rows(seed, n_rows, missing=0.2):
    """Values that often equal a threshold; unknown categories, missing values."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, N_FEATURES)).round(1)
    X[:, -1] = rng.integers(0, 200, n_rows)
    X[rng.random(X.shape) < missing] = np.nan
    X[0, 0], X[-1, 1] = np.inf, -np.inf
    return X


def walk_alone(trees, t, x):
    """Return the value of a row's leaf: the twin, from the definition of a tree."""
    node = first = trees.starts[t]
    while trees.left[node] >= 0:
        value = x[trees.feature[node]]
        goes_left = trees.missing_left[node]
        if trees.category_set[node] >= 0:
            words = trees.category_sets[trees.category_set[node]]
            if value >= 0 and value < 64 * len(words):
                code = int(value)
                goes_left = bool(int(words[code // 64]) >> (code % 64) & 1)
        elif not np.isnan(value):
            goes_left = value <= trees.threshold[node]
        node = first + trees.left[node] + (0 if goes_left else 1)
    return trees.value[node, 0]


@pytest.mark.parametrize("n_outputs", [1, 3])
@pytest.mark.parametrize("n_rows", [8, 64, 150])
def test_sums_are_those_of_rows_that_walk_alone(n_outputs, n_rows):
    trees = draw_trees(0, [1, 2, 3, 64, 31, 7, 1, 64, 12])
    X, baseline = draw_rows(1, n_rows), np.arange(1.0, n_outputs + 1.0)
    expected = np.tile(baseline, (n_rows, 1))
    for t in range(trees.n_trees):
        for i in range(n_rows):
            expected[i, t % n_outputs] += walk_alone(trees, t, X[i])
    assert_array_equal(trees.sum_values(X, baseline), expected)


@pytest.mark.parametrize("seed", range(20))
def test_masks_and_walks_agree(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    trees = draw_trees(seed, rng.integers(1, 65, 12))
    X = draw_rows(seed, 300, missing=0.3 * (seed % 2))
    masked = trees.sum_values(X, [0.5, 0.25], n_jobs=seed % 3 + 1)
    monkeypatch.setattr(structure, "_FEW_ROWS", len(X) + 1)
    assert_array_equal(masked, trees.sum_values(X, [0.5, 0.25]))


def test_threads_change_nothing(monkeypatch):
    trees, X = draw_trees(2, [31] * 40), draw_rows(3, 1000)
    alone = trees.sum_values(X, [0.0], n_jobs=1)
    monkeypatch.setattr(structure, "_SERIAL_QUESTIONS", 0)
    assert_array_equal(trees.sum_values(X, [0.0], n_jobs=3), alone)


def test_larger_trees_are_walked():
    trees, X = draw_trees(4, [leaf_masks.MAX_LEAVES + 1, 3]), draw_rows(5, 50)
    expected = [walk_alone(trees, 0, x) + walk_alone(trees, 1, x) for x in X]
    assert_array_equal(trees.sum_values(X, [0.0])[:, 0], expected)
