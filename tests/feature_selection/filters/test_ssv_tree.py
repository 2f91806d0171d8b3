"""Pruning a tree from its leaves ranks features as the paper's algorithm does."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.feature_selection.filters.ssv_tree import rank_by_pruning
from manyminds.trees import DecisionTreeClassifier, Trees


def make_tree(feature, left, counts, n_features):
    """Make a tree of its shape and the classes of each node's rows."""
    counts = np.array(counts, dtype=np.float64)
    n = len(feature)
    return Trees(
        feature=np.array(feature, dtype=np.int32),
        threshold=np.zeros(n),
        left=np.array(left, dtype=np.int32),
        missing_left=np.zeros(n, dtype=bool),
        category_set=np.full(n, -1, dtype=np.int32),
        category_sets=np.zeros((0, 1), dtype=np.uint64),
        impurity=np.zeros(n),
        weight=counts.sum(axis=1),
        n_samples=counts.sum(axis=1).astype(np.int32),
        value=counts / counts.sum(axis=1, keepdims=True),
        starts=np.array([0, n]),
        n_features=n_features,
        max_categories=0,
    )


def naive(feature, left, counts, n_features):
    """Follow Algorithm 1 step by step, with steps b and c as sets of nodes."""
    error = {n: sum(c) - max(c) for n, c in enumerate(counts)}
    children = {n: (one, one + 1) for n, one in enumerate(left) if one >= 0}
    gain = {n: error[n] - error[a] - error[b] for n, (a, b) in children.items()}
    inner, F, i, rank = set(children), set(range(n_features)), 0, {}

    def final():
        return {n for n in inner if not inner & set(children[n])}

    while F:
        for f in F - {feature[n] for n in inner}:
            rank[f] = i
            F = F - {f}
        if inner:
            least = min(gain[n] for n in final())
            inner -= {n for n in final() if gain[n] == least}
        while {n for n in final() if gain[n] == 0}:
            inner -= {n for n in final() if gain[n] == 0}
        i += 1
    return [rank[f] for f in range(n_features)]


def test_worked_example():
    # The root, by feature 0, saves 5 errors. Its left child, by feature 1, saves 2;
    # below it feature 2 saves nothing; its right child, by feature 3, saves 1. Feature
    # 4 is not used.
    feature = [0, 1, 3, 2, -1, -1, -1, -1, -1]
    left = [1, 3, 5, 7, -1, -1, -1, -1, -1]
    counts = [
        [10, 9], [9, 3], [1, 6], [9, 1], [0, 2], [1, 0], [0, 6], [5, 0], [4, 1],
    ]  # fmt: skip
    tree = make_tree(feature, left, counts, 5)
    rank, saved = rank_by_pruning(tree, [1.0, 1.0])
    # Round 1: the split by feature 2 gains least, 0, and goes. Round 2: that by
    # feature 3. Round 3: that by feature 1. Round 4: the root.
    assert_array_equal(rank, [4, 3, 1, 2, 0])
    assert_allclose(saved, [5, 2, 0, 1, 0])
    assert_array_equal(naive(feature, left, counts, 5), rank)


def test_splits_without_gain_go_one_after_the_other():  # error 3
    # Below the root's left child, splits by 1 and 2 gain nothing; the final one gains
    # 1. When it goes, both go with it in the same round.
    feature = [0, 1, -1, 2, -1, 3, -1, -1, -1]
    left = [1, 3, -1, 5, -1, 7, -1, -1, -1]
    counts = [
        [6, 4], [6, 1], [0, 3], [5, 1], [1, 0], [4, 1], [1, 0], [4, 0], [0, 1],
    ]  # fmt: skip
    rank, _ = rank_by_pruning(make_tree(feature, left, counts, 4), [1.0, 1.0])
    assert_array_equal(rank, [2, 1, 1, 1])


def test_equals_naive_twin_on_grown_trees(seed):
    rng = np.random.default_rng(seed)
    for _ in range(5):
        X = rng.integers(0, 4, size=(60, 7)).astype(float)
        y = rng.integers(0, 3, size=60)
        tree = (
            DecisionTreeClassifier(criterion="ssv", random_state=seed).fit(X, y).tree_
        )
        counts = np.rint(tree.value * tree.weight[:, None]).astype(int).tolist()
        twin = naive(tree.feature.tolist(), tree.left.tolist(), counts, 7)
        assert_array_equal(rank_by_pruning(tree, [1, 1, 1])[0], twin)


def test_classes_count_by_their_weights():
    # Without weights the root would misclassify the two rows of class 1; where each of
    # them counts as four, the three of class 0.
    tree = make_tree([0, -1, -1], [1, -1, -1], [[3, 2], [3, 0], [0, 2]], 1)
    assert_allclose(rank_by_pruning(tree, [1.0, 1.0])[1], [2.0])
    assert_allclose(rank_by_pruning(tree, [1.0, 4.0])[1], [3.0])


def test_a_tree_that_is_a_leaf_ranks_nothing():
    rank, _ = rank_by_pruning(make_tree([-1], [-1], [[2, 1]], 3), [1.0, 1.0])
    assert_array_equal(rank, [0, 0, 0])
