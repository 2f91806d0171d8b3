"""Locally drawn trees equal those of a slow twin that draws the same numbers."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.kernels.bundles import (
    CATEGORY_SET,
    FEATURE,
    IMPURITY,
    LEFT,
    MISSING_LEFT,
    N_SAMPLES,
    NODE_WEIGHT,
    THRESHOLD,
    Record,
)
from manyminds.kernels.local_growing import grow_local_trees
from manyminds.trees.binning import bin_table


def grow(X, label, drawn, gains, seeds, *, categorical=None, redraw=True):
    """Call the kernel; return its records as a dict of arrays by tree."""
    table = bin_table(X, categorical)
    n_trees, n_classes = len(seeds), label.max() + 1
    n_nodes = 2 * np.count_nonzero(drawn)
    ints, floats = np.empty((5, n_nodes), np.int32), np.empty((3, n_nodes))
    values, sets = np.empty((n_nodes, n_classes)), np.empty((n_nodes, 1), np.uint64)
    ends = np.empty((n_trees, 2), np.int64)
    whole = np.arange(drawn.sum(axis=1).max() + 1.0)
    grow_local_trees(
        table,
        label,
        drawn,
        gains,
        whole * np.log2(np.maximum(whole, 1.0)),
        redraw,
        np.asarray(seeds, dtype=np.int64),
        Record(ints, floats, values, sets, ends),
    )
    starts = np.append(0, ends[:, 0])
    return [
        (ints[:, a:b], floats[:, a:b], values[a:b], sets) for a, b in pairwise(starts)
    ]


class Generator:
    """The kernel's generator of random bits."""

    def __init__(self, seed):
        self.state = int(seed)

    def bits(self):
        self.state = 1791398085 * (self.state % 2**32) + self.state // 2**32
        return self.state % 2**32

    def seed(self):
        first, second = self.bits(), self.bits()
        return ((first << 30) ^ second) & (2**62 - 1) | 1

    def fraction(self):
        first, second = self.bits(), self.bits()
        return ((first << 21) | (second >> 11)) / 2.0**53


def entropy(label, drawn):
    share = np.bincount(label, weights=drawn) / drawn.sum()
    share = share[share > 0]
    return -(share * np.log2(share)).sum()


def gain(label, drawn, is_left):
    """Information gain of a partition of rows."""
    sides = [(label[side], drawn[side]) for side in (is_left, ~is_left)]
    after = sum(entropy(*side) * side[1].sum() for side in sides)
    return entropy(label, drawn) - after / drawn.sum()


def best_cut(x, label, drawn):
    """Try all cuts and both places of missing values; the first of equals."""
    known = np.unique(x[~np.isnan(x)])
    middles = (known[:-1] + known[1:]) / 2.0
    best = None
    for missing_left in (False, True) if np.isnan(x).any() else (False,):
        cuts = list(middles)
        if np.isnan(x).any() and not missing_left:
            cuts.append(np.inf)
        for cut in cuts:
            is_left = np.where(np.isnan(x), missing_left, x <= cut)
            if is_left.all() or not is_left.any():
                continue
            decrease = gain(label, drawn, is_left)
            if best is None or decrease > best[0] + 1e-9:
                best = decrease, cut, missing_left, is_left
    return best


def grow_naively(X, label, drawn, gains, seed, rows, redraw=True):
    """Grow a tree as nested tuples (feature, threshold, children), or class shares."""
    label_here, drawn_here = label[rows], drawn[rows]
    generator = Generator(seed)
    seeds = generator.seed(), generator.seed()
    shares = np.bincount(label_here, weights=drawn_here, minlength=label.max() + 1)
    shares /= shares.sum()
    if (shares > 0).sum() == 1:
        return shares
    odds = np.maximum(drawn_here @ gains[rows].astype(float), 0.0)
    tried = np.zeros(len(odds), dtype=bool)
    while not tried.all():
        if odds[~tried].sum() == 0.0:
            odds = np.where(tried, 0.0, 1.0)
        odds = np.where(tried, 0.0, odds)
        goal = np.floor(generator.fraction() * odds.sum())
        f = int(np.searchsorted(np.cumsum(odds), goal, side="right"))
        found = best_cut(X[rows, f], label_here, drawn_here)
        if found is not None:
            _, cut, missing_left, is_left = found
            parts = rows[is_left], rows[~is_left]
            children = [
                grow_naively(X, label, drawn, gains, one, part, redraw)
                for one, part in zip(seeds, parts)
            ]
            if not np.isnan(X[rows, f]).any():
                missing_left = len(parts[0]) > len(parts[1])
            return f, cut, missing_left, *children
        tried[f] = True
        if not redraw:
            return shares
    return shares


def assert_same_tree(tree, node, twin):
    ints, floats, values, _ = tree
    if not isinstance(twin, tuple):
        assert ints[LEFT, node] == -1 and ints[FEATURE, node] == -1
        assert_allclose(values[node], twin)
        return
    f, cut, missing_left, left, right = twin
    assert (ints[FEATURE, node], ints[MISSING_LEFT, node]) == (f, missing_left)
    assert_allclose(floats[THRESHOLD, node], cut)
    assert_same_tree(tree, ints[LEFT, node], left)
    assert_same_tree(tree, ints[LEFT, node] + 1, right)


def draw(seed, n_samples=40, n_classes=2, missing=0.0):
    """Rows of a few distinct values, some missing, and gains, some of them negative."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 9, size=(n_samples, 5)).astype(float)
    X[:, 3] = 1.0  # constant everywhere
    X[rng.uniform(size=X.shape) < missing] = np.nan
    label = rng.integers(0, n_classes, size=n_samples)
    label[:n_classes] = np.arange(n_classes)
    gains = np.rint(1000.0 * rng.normal(0.2, 1.0, size=X.shape)).astype(np.float32)
    gains[:, 4] = 0.0
    drawn = rng.multinomial(n_samples, np.full(n_samples, 1 / n_samples), size=3)
    return X, label, drawn.astype(np.int32), gains, rng.integers(1, 2**62, size=3)


@pytest.mark.no_jit
def test_worked_example():
    # Only feature 1 has odds; it separates the classes at once, rows drawn 2, 1 and 1.
    X, label = np.array([[1.0, 5.0], [2.0, 6.0], [1.0, 9.0]]), np.array([0, 0, 1])
    gains = np.array([[0, 3], [-7, 3], [2, 3]], dtype=np.float32)
    drawn = np.array([[2, 1, 1]], dtype=np.int32)
    ((ints, floats, values, _),) = grow(X, label, drawn, gains, [77])
    assert_array_equal(ints[FEATURE], [1, -1, -1])
    assert_array_equal(ints[N_SAMPLES], [3, 2, 1])
    assert_array_equal(floats[NODE_WEIGHT], [4.0, 3.0, 1.0])
    assert floats[THRESHOLD, 0] == 7.5
    assert_allclose(floats[IMPURITY], [entropy(label, drawn[0]), 0.0, 0.0])
    assert_array_equal(values, [[0.75, 0.25], [1.0, 0.0], [0.0, 1.0]])


@pytest.mark.parametrize("redraw", [True, False])
@pytest.mark.parametrize(("n_classes", "missing"), [(2, 0.0), (3, 0.0), (2, 0.2)])
def test_trees_equal_those_of_the_twin(seed, n_classes, missing, redraw):
    X, label, drawn, gains, seeds = draw(seed, n_classes=n_classes, missing=missing)
    trees = grow(X, label, drawn, gains, seeds, redraw=redraw)
    for tree, counts, one in zip(trees, drawn, seeds):
        rows = np.flatnonzero(counts)
        twin = grow_naively(X, label, counts, gains, one, rows, redraw)
        assert_same_tree(tree, 0, twin)


@pytest.mark.no_jit
def test_a_constant_feature_makes_a_leaf_or_another_draw():
    X, label = np.array([[1.0, 5.0], [1.0, 6.0]]), np.array([0, 1])
    gains = np.array([[1, 0], [1, 0]], dtype=np.float32)
    drawn = np.ones((1, 2), dtype=np.int32)
    ((ints, *_),) = grow(X, label, drawn, gains, [5], redraw=False)
    assert_array_equal(ints[FEATURE], [-1])
    ((ints, *_),) = grow(X, label, drawn, gains, [5], redraw=True)
    assert_array_equal(ints[FEATURE], [1, -1, -1])
    ((ints, *_),) = grow(X[:, :1], label, drawn, gains[:, :1].copy(), [5])
    assert_array_equal(ints[FEATURE], [-1])


def test_a_set_of_categories_gains_most_of_all_sets(seed):
    # Two classes: ordering categories by the share of a class finds the best of all
    # partitions. Category 6 does not occur and joins the larger side.
    rng = np.random.default_rng(seed)
    code, label = rng.permutation(np.arange(60) % 6), rng.integers(0, 2, size=60)
    drawn = rng.integers(1, 4, size=(1, 60)).astype(np.int32)
    X = np.append(code, 7)[:, np.newaxis].astype(float)
    label, drawn = np.append(label, 0), np.append(drawn, [[0]], axis=1).astype(np.int32)
    categorical = np.array([True])
    gains = np.ones((61, 1), dtype=np.float32)
    tree = grow(X, label, drawn, gains, [3], categorical=categorical)[0]
    ints, _, _, sets = tree
    bits = int(sets[ints[CATEGORY_SET, 0], 0])
    is_left = np.array([bits >> int(c) & 1 for c in code], dtype=bool)
    best = max(
        gain(label[:60], drawn[0, :60], np.isin(code, some))
        for size in range(1, 6)
        for some in combinations(range(6), size)
    )
    assert_allclose(gain(label[:60], drawn[0, :60], is_left), best, atol=1e-9)
    assert (bits >> 6 & 1) == (2 * is_left.sum() > 60)


def test_sums_of_the_larger_child_are_exact(seed):
    # A deep chain takes the smaller child away again and again. Feature 1 has gains
    # that cancel out in every node: odds of exactly 0, so it is never drawn.
    n_samples = 200
    X = np.c_[np.arange(n_samples), np.random.default_rng(seed).normal(size=n_samples)]
    label = np.arange(n_samples) % 2
    gains = np.zeros((n_samples, 2), dtype=np.float32)
    gains[:, 0], gains[:, 1] = 1.0, -(2.0**20)
    drawn = np.ones((1, n_samples), dtype=np.int32)
    ((ints, *_),) = grow(X, label, drawn, gains, [seed % 2**31 + 1])
    assert set(ints[FEATURE]) == {0, -1}
