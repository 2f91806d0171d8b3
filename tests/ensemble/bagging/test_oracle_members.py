"""Pairs of trees joined below an oracle, and members taken out again."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.ensemble.bagging.oracle_members import join_pairs, split_pair
from manyminds.ensemble.bagging.tree_fitting import TreeFitter
from manyminds.trees.columns import ColumnEncoder
from manyminds.trees.rep_tree import REPTreeRegressor


def make_fitter(rng, **options):
    X = rng.integers(0, 30, size=(100, 4)).astype(float)
    y = X[:, 0] + 5.0 * (X[:, 1] > 15) + rng.normal(size=100)
    return (
        TreeFitter(REPTreeRegressor(prune=False), X, ColumnEncoder(), **options),
        X,
        y,
    )


def test_pairs_are_split_as_they_were_joined(seed):
    rng = np.random.default_rng(seed)
    fitter, X, y = make_fitter(rng)
    weights = rng.integers(0, 3, size=(6, 100)).astype(float)
    weights[2] = np.arange(100) == 7  # a tree of one leaf
    pairs = fitter.fit(y, weights, 6, np.random.RandomState(0)).trees
    joined = join_pairs(pairs, np.zeros(3), 4)
    assert_array_equal(joined.node_counts, pairs.node_counts.reshape(3, 2).sum(1) + 1)
    for t in range(3):
        for side, part in enumerate(split_pair(joined, t, 4)):
            whole = pairs.tree(2 * t + side)
            for name in ("left", "feature", "threshold", "weight", "value"):
                assert_array_equal(getattr(part, name), getattr(whole, name))
    sides = np.where(rng.random((100, 3)) < 0.5, -1.0, 1.0)
    values = joined.values_by_tree(np.hstack([X, sides]))[:, :, 0]
    alone = pairs.values_by_tree(X)[:, :, 0]
    for t in range(3):
        expected = np.where(sides[:, t] > 0, alone[2 * t + 1], alone[2 * t])
        assert_array_equal(values[t], expected)
    # The oracle's own columns have no importance.
    assert_allclose(joined.feature_importances()[:, 4:], 0.0, atol=1e-12)


def test_members_alone_predict_the_same_as_together(seed):
    rng = np.random.default_rng(seed)
    fitter, X, y = make_fitter(rng, oracle={"min_samples_side": 1})
    members = fitter.fit(y, np.ones((1, 100)), 5, np.random.RandomState(seed % 2**32))
    together = members.values(X)
    assert_allclose(members.mean(X), together.mean(axis=0))
    parts = [members.member(t) for t in range(5)]
    for t, part in enumerate(parts):
        assert_array_equal(part.values(X)[0], together[t])
    assert_array_equal(type(members).join(parts).values(X), together)


def test_blocks_of_rows_do_not_matter(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    fitter, X, y = make_fitter(rng, oracle={"min_samples_side": 1})
    members = fitter.fit(y, np.ones((1, 100)), 5, np.random.RandomState(seed % 2**32))
    whole = members.values(X)
    monkeypatch.setattr("manyminds.ensemble.bagging.oracle_members._BLOCK_CELLS", 70)
    assert_array_equal(members.values(X), whole)
