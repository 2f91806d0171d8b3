"""Pruning agrees with scikit-learn and with plain twins of the textbook."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from plain_trees import as_trees, path_of
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from manyminds.trees.binning import bin_table
from manyminds.trees.growing import draw_seeds, grow, make_rules, make_sampling
from manyminds.trees.pruning import (
    cost_complexity_path,
    keep,
    prune_cost_complexity,
    prune_reduced_error,
)
from manyminds.trees.structure import Trees


def hand_made_tree(**changes):
    """Split x0 at 0; then its left half on x1 at 0. Leaves predict 1, 3 and 5."""
    tree = Trees(
        feature=np.array([0, 1, -1, -1, -1], dtype=np.int32),
        threshold=np.array([0, 0, np.nan, np.nan, np.nan]),
        left=np.array([1, 3, -1, -1, -1], dtype=np.int32),
        missing_left=np.array([True, False, False, False, False]),
        category_set=np.full(5, -1, dtype=np.int32),
        category_sets=np.zeros((0, 1), dtype=np.uint64),
        impurity=np.array([3, 1, 0, 0, 0.0]),
        weight=np.array([4, 2, 2, 1, 1.0]),
        n_samples=np.array([4, 2, 2, 1, 1], dtype=np.int32),
        value=np.array([[3.5], [2], [5], [1], [3]]),
        starts=np.array([0, 5]),
        n_features=2,
        max_categories=0,
    )
    return replace(tree, **changes)


def table(seed, n_rows=120, n_features=5, missing=False):
    """Draw features exact in single precision, and a target that needs many splits."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-20, 20, size=(n_rows, n_features)).astype(float)
    y = np.sin(X[:, 0] / 4) + X[:, 1] * X[:, 2] / 100 + rng.normal(size=n_rows)
    if missing:
        X[rng.random(X.shape) < 0.1] = np.nan
    return X, y


def labels(y):
    return np.digitize(y, [-0.5, 0.5])


def assert_same_trees(ours, theirs):
    for name in vars(theirs):
        assert_array_equal(getattr(ours, name), getattr(theirs, name), err_msg=name)


# ---------------------------------------------------------------- what is left


@pytest.mark.no_jit
def test_keep_cuts_off_all_below():
    becomes_leaf = np.array([False, True, False, False, True])
    tree = keep(hand_made_tree(), becomes_leaf)
    assert_array_equal(tree.feature, [0, -1, -1])
    assert_array_equal(tree.threshold, [0, np.nan, np.nan])
    assert_array_equal(tree.left, [1, -1, -1])
    assert_array_equal(tree.missing_left, [True, False, False])
    assert_array_equal(tree.value, [[3.5], [2], [5]])
    assert_array_equal(tree.weight, [4, 2, 2])
    assert_array_equal(tree.starts, [0, 3])


@pytest.mark.no_jit
def test_keep_leaves_out_category_sets_that_no_node_uses():
    tree = hand_made_tree(
        threshold=np.full(5, np.nan),
        category_set=np.array([1, 0, -1, -1, -1], dtype=np.int32),
        category_sets=np.array([[5], [6]], dtype=np.uint64),
        max_categories=3,
    )
    left_over = keep(tree, np.array([False, True, False, False, False]))
    assert_array_equal(left_over.category_set, [0, -1, -1])
    assert_array_equal(left_over.category_sets, [[6]])
    assert_array_equal(keep(tree, np.zeros(5, bool)).category_sets, [[5], [6]])


def test_keep_changes_nothing_where_nothing_becomes_a_leaf(seed):
    X, y = table(seed)
    trees = as_trees(*(DecisionTreeRegressor(max_depth=d).fit(X, y) for d in (1, 9)))
    assert_same_trees(keep(trees, trees.left < 0), trees)


def test_dtypes_stay_as_they_are(seed):
    X, y = table(seed)
    trees = as_trees(DecisionTreeRegressor().fit(X, y))
    pruned = prune_reduced_error(trees, X[:50], y[:50] + 1, kind="regression")
    for name, array in vars(trees).items():
        if isinstance(array, np.ndarray):
            assert getattr(pruned, name).dtype == array.dtype, name
            assert getattr(pruned, name).flags.c_contiguous, name


# ---------------------------------------------------------------- weakest links


@pytest.mark.no_jit
def test_worked_example_of_weakest_links():
    # Costs by share of weight: root 3, inner node 2/4 * 1 = 0.5, leaves 0. The inner
    # node saves 0.5 by one more leaf; then the root saves 3 - 0.5 by one more leaf.
    ccp_alphas, impurities = cost_complexity_path(hand_made_tree())
    assert_allclose(ccp_alphas, [0.0, 0.5, 2.5])
    assert_allclose(impurities, [0.0, 0.5, 3.0])
    for ccp_alpha, n_nodes in [(0.0, 5), (0.4, 5), (0.5, 3), (2.4, 3), (2.5, 1)]:
        assert len(prune_cost_complexity(hand_made_tree(), ccp_alpha).left) == n_nodes


def test_a_lone_leaf_has_nothing_to_prune():
    leaf = keep(hand_made_tree(), np.ones(5, bool))
    ccp_alphas, impurities = cost_complexity_path(leaf)
    assert_array_equal(ccp_alphas, [0])
    assert_array_equal(impurities, [3])
    assert_same_trees(prune_cost_complexity(leaf, 9.0), leaf)


@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error"])
@pytest.mark.parametrize("weighted", [False, True])
def test_path_and_pruned_trees_are_those_of_scikit_learn(seed, criterion, weighted):
    X, y = table(seed)
    Tree = DecisionTreeClassifier
    if criterion == "squared_error":
        Tree = DecisionTreeRegressor
    else:
        y = labels(y)
    weight = np.random.default_rng(seed).integers(0, 4, len(y)) if weighted else None
    theirs = Tree(criterion=criterion, random_state=0)
    path = theirs.cost_complexity_pruning_path(X, y, weight)
    trees = as_trees(theirs.fit(X, y, weight))

    ccp_alphas, impurities = cost_complexity_path(trees)
    assert_allclose(ccp_alphas, path.ccp_alphas, rtol=1e-12, atol=1e-15)
    assert_allclose(impurities, path.impurities, rtol=1e-12, atol=1e-15)
    between = (path.ccp_alphas[:-1] + path.ccp_alphas[1:]) / 2
    for ccp_alpha in [*between[:: max(1, len(between) // 8)], path.ccp_alphas[-1] + 1]:
        theirs.set_params(ccp_alpha=ccp_alpha).fit(X, y, weight)
        ours = prune_cost_complexity(trees, ccp_alpha)
        assert_same_trees(ours, as_trees(theirs))


def test_each_tree_is_pruned_for_itself(seed):
    X, y = table(seed)
    trees = as_trees(*(DecisionTreeRegressor(max_depth=d).fit(X, y) for d in (3, 8, 5)))
    together = prune_cost_complexity(trees, 0.01)
    apart = [prune_cost_complexity(trees.tree(t), 0.01) for t in range(3)]
    assert_same_trees(together, Trees.concatenate(apart))


# ---------------------------------------------------------------- reduced error


def pruned_by_the_book(trees, t, X, y, weight, error_of):
    """Mark, by recursion over sets of rows, the nodes that become leaves."""
    first, becomes_leaf = trees.starts[t], np.zeros(len(trees.left), bool)
    passed = [set(path_of(trees, t, x)) for x in X]

    def prune(node):
        at_node = np.array([node in nodes for nodes in passed], bool)
        own = error_of(trees.value[node], y[at_node], weight[at_node])
        if trees.left[node] < 0:
            return own
        child = first + trees.left[node]
        branch = prune(child) + prune(child + 1)
        becomes_leaf[node] = own <= branch * (1 + 1e-12)
        return min(own, branch)

    prune(first)
    return becomes_leaf


def squared_error(value, y, weight):
    return (weight * (y - value[0]) ** 2).sum()


def misclassified(value, y, weight):
    return weight[y != value.argmax()].sum()


@pytest.mark.no_jit
def test_worked_example_of_reduced_error():
    # Two rows reach the inner node. Its leaves predict 1 and 3, both of them right:
    # it stays. Once they are wrong about both, the inner node's 2 is no worse.
    X = np.array([[-1, -1], [-1, 1], [1, 0.0]])
    tree = hand_made_tree()
    stays = prune_reduced_error(tree, X, np.array([1, 3, 5.0]), kind="regression")
    assert_same_trees(stays, tree)
    pruned = prune_reduced_error(tree, X, np.array([3, 1, 5.0]), kind="regression")
    assert_array_equal(pruned.left, [1, -1, -1])


def test_branches_that_no_row_reaches_are_cut():
    X, y = np.array([[1, 1.0]]), np.array([5.0])  # all rows go right at the root
    pruned = prune_reduced_error(hand_made_tree(), X, y, kind="regression")
    assert_array_equal(pruned.left, [1, -1, -1])
    for nothing in (
        prune_reduced_error(hand_made_tree(), X, y, [0]),
        prune_reduced_error(hand_made_tree(), X[:0], y[:0], balanced=True),
    ):
        assert_array_equal(nothing.left, [-1])


@pytest.mark.parametrize("missing", [False, True])
def test_reduced_error_of_numbers_is_that_of_the_twin(seed, missing):
    X, y = table(seed, missing=missing)
    models = [DecisionTreeRegressor(max_depth=d).fit(X[:60], y[:60]) for d in (3, 9)]
    trees, weight = as_trees(*models), np.arange(60) % 4.0
    pruned = prune_reduced_error(trees, X[60:], y[60:], weight, kind="regression")
    becomes_leaf = sum(
        pruned_by_the_book(trees, t, X[60:], y[60:], weight, squared_error)
        for t in range(2)
    )
    assert_same_trees(pruned, keep(trees, becomes_leaf.astype(bool)))


def test_reduced_error_knows_categories_and_gaps(seed):
    X, y = table(seed, missing=True)
    X[:, 3] = np.abs(np.nan_to_num(X[:, 3]))
    y += 2 * (X[:, 3] % 3 == 0)
    rules = make_rules(60, 5, 1, 60, criterion="squared_error")
    trees = grow(
        bin_table(X[:60], np.arange(5) == 3),
        y[:60],
        rules,
        make_sampling(60, 5),
        draw_seeds(np.random.RandomState(seed % 1000), 1),
    )
    assert np.any(trees.category_set >= 0)
    X, y = X[60:], y[60:]
    pruned = prune_reduced_error(trees, X, y)
    book = pruned_by_the_book(trees, 0, X, y, np.ones(60), squared_error)
    assert_same_trees(pruned, keep(trees, book))


@pytest.mark.parametrize("balanced", [False, True])
def test_reduced_error_of_classes_is_that_of_the_twin(seed, balanced):
    X, y = table(seed)
    y = labels(y)
    trees = as_trees(DecisionTreeClassifier().fit(X[:60], y[:60]))
    X, y = X[60:], y[60:]
    pruned = prune_reduced_error(trees, X, y, kind="classification", balanced=balanced)
    weight = 1.0 / np.bincount(y)[y] if balanced else np.ones(60)
    book = pruned_by_the_book(trees, 0, X, y, weight, misclassified)
    assert_same_trees(pruned, keep(trees, book))


@pytest.mark.no_jit
def test_balanced_error_weighs_the_rare_class():
    # The inner node says class 0 and its leaves 0 and 1. Of the rows, three of class 0
    # are told to be of class 1 and one of class 1 is told right: by plain error the
    # branch does harm, by balanced error it does good.
    tree = hand_made_tree(value=np.array([[3, 2], [2, 1], [0, 1], [1, 0], [0, 1.0]]))
    X = np.array([[-1, -1]] * 9 + [[-1, 1]] * 4 + [[1, 0]])
    y = np.array([0] * 9 + [0, 0, 0, 1] + [1])
    plain = prune_reduced_error(tree, X, y, kind="classification")
    assert_array_equal(plain.left, [1, -1, -1])
    balanced = prune_reduced_error(tree, X, y, kind="classification", balanced=True)
    assert_same_trees(balanced, tree)


def test_rows_for_each_tree(seed):
    X, y = table(seed)
    rng = np.random.default_rng(seed)
    weights = rng.integers(0, 2, size=(3, len(y)))
    trees = as_trees(*(DecisionTreeRegressor(max_depth=d).fit(X, y) for d in (3, 8, 5)))
    options = {"kind": "regression", "backfit": True}
    together = prune_reduced_error(trees, X, y, weights, **options)
    apart = [
        prune_reduced_error(trees.tree(t), X, y, weights[t], **options)
        for t in range(3)
    ]
    assert_same_trees(together, Trees.concatenate(apart))
    called = prune_reduced_error(
        trees, X, y, lambda chunk: weights[chunk], n_jobs=2, **options
    )
    assert_same_trees(called, together)


@pytest.mark.no_jit
def test_worked_example_of_backfitting():
    # The root: weight 4 with mean 3.5, then rows 1, 3 and 8: (14 + 12) / 7.
    X, y = np.array([[-1, -1], [-1, 1], [1, 0.0]]), np.array([1, 3, 8.0])
    tree = hand_made_tree()
    fitted = prune_reduced_error(tree, X, y, kind="regression", backfit=True)
    assert_allclose(fitted.value[:, 0], [26 / 7, 2, 6, 1, 3])
    assert_array_equal(fitted.weight, tree.weight)
    assert_array_equal(tree.value[:, 0], [3.5, 2, 5, 1, 3])  # not changed in place


def test_backfitting_equals_a_fit_to_all_rows(seed):
    # Where nothing is pruned, the values are those of a tree of the same splits that
    # has seen all rows: its twin gets them from the rows in each leaf.
    X, y = table(seed)
    y = labels(y)
    model = DecisionTreeClassifier(max_depth=3).fit(X[:60], y[:60])
    trees = as_trees(model)
    fitted = prune_reduced_error(
        trees, X[60:], y[60:], kind="classification", backfit=True
    )
    for node in range(len(fitted.left)):
        here = [node in path_of(fitted, 0, x) for x in X]
        shares = np.bincount(y[here], minlength=3) / sum(here)
        assert_allclose(fitted.value[node], shares, atol=1e-12)
