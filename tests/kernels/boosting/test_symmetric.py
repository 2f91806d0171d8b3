"""Symmetric trees: one split for each level, the best in sum over its leaves."""

import numba
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from plain_boosting import (
    check_symmetric_tree,
    differentiate,
    find_value,
    goes_left,
    make_booster,
    widen,
)

from manyminds.kernels.boosting.bundles import END, START
from manyminds.kernels.boosting.symmetric import widen_range


def make_data(seed, n=150):
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n, 3)), 1)
    X[rng.random(n) < 0.2, 1] = np.nan
    y = X[:, 0] * X[:, 2] + np.where(np.isnan(X[:, 1]), 1.0, X[:, 1])
    return X, y + 0.3 * rng.normal(size=n)


@pytest.mark.parametrize("loss", ["squared_error", "log_loss"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("min_samples_leaf", [1, 12])
def test_levels_and_values_equal_the_plain_twin(loss, weighted, min_samples_leaf, seed):
    X, y = make_data(seed)
    y = (y > 0).astype(float) if loss == "log_loss" else y
    weights = np.ones(len(y))
    if weighted:
        weights = np.random.default_rng(seed).uniform(0.5, 2.0, size=len(y))
    limits = {"min_samples_leaf": min_samples_leaf, "min_sum_hessian": 0.5}
    booster = make_booster(
        X, y, loss, symmetric=True, max_depth=4, learning_rate=0.3,
        l2_regularization=0.7, weights=weights if weighted else None, **limits,
    )  # fmt: skip
    booster.run(3)
    trees, raw = booster.get_trees(), np.zeros((1, len(y)))
    exact = loss == "squared_error" and not weighted
    n_borrowed = 0
    for t in range(3):
        tree = trees.tree(t)
        g, h = (weights * part[0] for part in differentiate(loss, y, raw))
        groups = check_symmetric_tree(
            tree, X, g, h, 4, 1e-9 if exact else 1e-3, l2=0.7, **limits
        )
        rest, values = y - raw[0], tree.value[len(groups) - 1 :, 0]
        for leaf in range(len(groups)):
            some = widen(groups, leaf, min_samples_leaf)
            n_borrowed += len(some) > len(groups[leaf])
            value = 0.3 * find_value(
                loss, rest[some], weights[some], g[some], h[some], 0.7
            )
            assert_allclose(values[leaf], value, rtol=1e-5, atol=1e-7)
            raw[0, groups[leaf]] += value
    assert n_borrowed > 3  # leaves that took the value of a node above
    assert_allclose(booster.raw, raw, rtol=1e-5, atol=1e-6)
    assert_allclose(trees.sum_values(X, [0.0]).T, booster.raw, atol=1e-12)


def test_worked_example():
    # Residuals +-1 by an exclusive or, and a third column that is better alone: the
    # level below takes the one that helps both leaves in sum.
    X = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)], float)
    y = 4.0 * X[:, 0] + 1.0 * X[:, 1] * X[:, 0] - 0.8 * X[:, 2]
    y -= y.mean()
    booster = make_booster(
        X, y, "squared_error", symmetric=True, max_depth=2, min_samples_leaf=1,
        learning_rate=1.0,
    )  # fmt: skip
    booster.run(1)
    tree = booster.get_trees()
    # Below column 0: column 1 halves one leaf (4 rows, 1 apart: 4 / 4), column 2 both
    # (8 rows, 0.8 apart: 8 * 0.64 / 4 = 1.28 > 1).
    assert_array_equal(tree.feature, [0, 2, 2, -1, -1, -1, -1])
    assert_array_equal(tree.threshold[:3], [0.5, 0.5, 0.5])
    for leaf, (a, c) in enumerate([(0, 0), (0, 1), (1, 0), (1, 1)]):
        rows = (X[:, 0] == a) & (X[:, 2] == c)
        assert np.isclose(tree.value[3 + leaf, 0], y[rows].mean(), atol=1e-6)


@pytest.mark.parametrize("loss", ["squared_error", "absolute_error", "softmax"])
def test_threads_do_not_change_a_bit_with_many_empty_leaves(loss, seed):
    if numba.config.DISABLE_JIT:
        pytest.skip("there are no threads without compiled code")
    rng = np.random.default_rng(seed)
    n = 18_000 if loss != "softmax" else 6000  # for three threads
    first = rng.integers(0, 5, size=n)
    X = np.column_stack(
        [first + rng.integers(0, 2, size=n) * (j % 3 == 0) for j in range(10)]
    ).astype(float)  # columns that nearly repeat one another
    X[rng.random(n) < 0.1, 9] = np.nan
    y = np.sin(first) + X[:, 0] * X[:, 3] + 0.1 * rng.normal(size=n)
    if loss == "softmax":
        y = np.digitize(y, np.quantile(y, [0.3, 0.6]))
    boosters = []
    for n_jobs in (1, 2, 3):
        booster = make_booster(
            X, y, loss, symmetric=True, max_depth=6, n_jobs=n_jobs, min_samples_leaf=5,
            max_features=4, sampling=("without_replacement", n // 2),
        )  # fmt: skip
        assert booster._n_threads == n_jobs
        booster._choose_threads = lambda n=n_jobs: n  # not what is faster
        booster.run(6)
        boosters.append(booster)
    one, *others = (booster.get_trees() for booster in boosters)
    assert ((one.left < 0) & (one.n_samples == 0)).sum() > 30
    for booster, trees in zip(boosters[1:], others):
        for name in ("feature", "threshold", "left", "value", "n_samples", "impurity"):
            assert_array_equal(getattr(one, name), getattr(trees, name))
        assert_array_equal(booster.raw, boosters[0].raw)
    assert_allclose(one.sum_values(X, np.zeros(len(booster.raw))).T, booster.raw,
                    atol=1e-12)  # fmt: skip


def test_categories_and_missing_values(seed):
    rng = np.random.default_rng(seed)
    n = 400
    code, number = rng.integers(0, 70, size=n).astype(float), rng.normal(size=n)
    code[rng.random(n) < 0.15] = np.nan
    number[rng.random(n) < 0.2] = np.nan
    X = np.column_stack([code, number])
    means = rng.normal(size=71)
    y = means[np.where(np.isnan(code), 70, code).astype(int)]
    y += np.where(np.isnan(number), -2.0, number > 0)
    y -= y.mean()
    held_out = np.arange(300, n, dtype=np.uint32)
    booster = make_booster(
        X, y, "squared_error", categorical=np.array([True, False]), symmetric=True,
        max_depth=4, min_samples_leaf=1, categorical_smoothing=0.0, categorical_l2=0.0,
        learning_rate=0.5, rows=np.arange(300), held_out=held_out,
    )  # fmt: skip
    booster.run(12)
    trees = booster.get_trees()
    assert trees.category_set.max() >= 0
    assert (trees.missing_left[trees.left >= 0]).any()
    # The codes that the rounds walk over, and the values of new rows, say the same.
    assert_allclose(trees.sum_values(X, [0.0]).T, booster.raw, atol=1e-12)
    rest = y - booster.raw[0]
    assert (rest[:300] ** 2).mean() < 0.1 * y.var()
    first = trees.tree(0)
    for depth in range(4):
        level = np.arange(2**depth - 1, 2 ** (depth + 1) - 1)
        assert len(np.unique(first.feature[level])) == 1
        assert len(np.unique(first.category_set[level])) == 1
        side = goes_left(first, level[0], X)
        for node in level[1:]:
            assert_array_equal(goes_left(first, node, X), side)


def test_categories_without_smoothing_are_cut_in_the_best_order(seed):
    # With one leaf, the level's split is that of a plain tree.
    rng = np.random.default_rng(seed)
    code = rng.integers(0, 30, size=500).astype(float)[:, np.newaxis]
    y = rng.normal(size=30)[code[:, 0].astype(int)] + 0.1 * rng.normal(size=500)
    predictions = []
    for symmetric in (False, True):
        booster = make_booster(
            code, y, "squared_error", categorical=np.array([True]), max_depth=1,
            symmetric=symmetric, categorical_smoothing=0.0, categorical_l2=0.0,
            min_samples_leaf=10,
        )  # fmt: skip
        booster.run(1)
        predictions.append(booster.raw)
    assert_allclose(*predictions, atol=1e-12)


def test_interaction_groups_hold_for_all_levels(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(300, 4))
    y = X[:, 0] * X[:, 2] + X[:, 1] * X[:, 3] + X.sum(axis=1)
    groups = np.array([[1], [1], [2], [2]], np.uint64)
    booster = make_booster(
        X, y, "squared_error", symmetric=True, max_depth=4, groups=groups,
        min_samples_leaf=5,
    )  # fmt: skip
    booster.run(10)
    used = set()
    for t in range(10):
        tree = booster.get_trees().tree(t)
        features = set(tree.feature[tree.left >= 0].tolist())
        assert features <= {0, 1} or features <= {2, 3}
        used |= features
    assert used == {0, 1, 2, 3}


def test_random_cuts_do_not_depend_on_the_feature_draw(seed):
    # Of two features, one is drawn; its cuts fall below the median half of the time.
    # A correct build has fewer than 30% or more than 70% of about 200 once in 10^8.
    rng = np.random.default_rng(seed)
    X, y = rng.uniform(size=(1000, 2)), rng.normal(size=1000)
    booster = make_booster(
        X, y, "squared_error", symmetric=True, max_depth=1, max_features=1,
        random_thresholds=True, learning_rate=1e-6, seed=seed,
    )  # fmt: skip
    booster.run(400)
    trees = booster.get_trees()
    roots = trees.starts[:-1][trees.n_leaves > 1]
    for j in range(2):
        cuts = trees.threshold[roots][trees.feature[roots] == j]
        assert 0.3 < np.mean(cuts < 0.5) < 0.7


def test_missing_values_that_are_new_follow_the_larger_child():
    X = np.arange(100.0)[:, np.newaxis]
    for cut in (30, 70):
        y = (X[:, 0] >= cut).astype(float)
        booster = make_booster(
            X, y, "squared_error", symmetric=True, max_depth=1, learning_rate=1.0
        )
        booster.run(1)
        new = booster.get_trees().sum_values(np.array([[np.nan]]), [0.0])
        assert_allclose(new, float(cut == 30), atol=1e-6)


def grow_with_a_small_leaf(loss, y_small):
    """Return a booster on four groups of 8, 8, 8 and 2 rows, with leaves of 4 or more.

    The last leaf takes the value of the node above it, with the last ten rows.
    """
    groups = np.repeat(np.arange(4), [8, 8, 8, 2])
    X = np.column_stack([groups // 2, groups % 2])
    y = np.array([0.0, 1.0, 10.0, y_small])[groups]
    booster = make_booster(
        X, y, loss, symmetric=True, max_depth=2, min_samples_leaf=4, learning_rate=0.3
    )
    booster.run(1)
    assert_array_equal(booster.get_trees().n_samples, [26, 16, 10, 8, 8, 8, 2])
    return booster, y


def test_leaves_with_few_rows_take_the_value_of_the_node_above():
    booster, y = grow_with_a_small_leaf("squared_error", 0.0)
    expected = 0.3 * np.array([0.0, 1.0, 10.0, y[16:].mean()])
    assert_allclose(booster.get_trees().value[3:, 0], expected, atol=1e-6)
    assert_allclose(booster.raw[0, [0, 8, 16, 24]], expected, atol=1e-6)


@pytest.mark.parametrize("loss", ["absolute_error", "quantile", "huber"])
def test_leaves_with_few_rows_take_the_median_of_the_node_above(loss):
    booster, _ = grow_with_a_small_leaf(loss, 10.0)  # ten rows with the same target
    values = booster.get_trees().value[3:, 0]
    assert_allclose(values, [0.0, 0.3, 3.0, 3.0], atol=1e-6)


@pytest.mark.parametrize(
    ("leaf", "least", "expected"),
    [(0, 3, (0, 3)), (1, 3, (0, 4)), (2, 3, (4, 9)), (3, 4, (4, 9)), (1, 5, (0, 9)),
     (1, 99, (0, 9))],
)  # fmt: skip
def test_rows_are_widened_up_to_the_root(leaf, least, expected, plain):
    # Leaves of 3, 1, 0 and 5 rows.
    class Leaves:
        ints = np.zeros((1, 4, 10), np.int64)

    class Growth:
        min_samples_leaf = least

    Leaves.ints[0, :, START] = [0, 3, 4, 4]
    Leaves.ints[0, :, END] = [3, 4, 4, 9]
    assert plain(widen_range)(Growth, Leaves, 0, leaf, 4) == expected


def test_trees_that_gain_nothing_have_one_leaf():
    booster = make_booster(
        np.zeros((50, 2)), np.arange(50.0), "squared_error", symmetric=True
    )
    booster.run(1)
    tree = booster.get_trees()
    assert_array_equal(tree.n_samples, [50])
    assert_allclose(tree.value, [[2.45]], rtol=1e-6)


def test_too_deep_trees_say_what_they_need():
    X = np.random.default_rng(0).normal(size=(800, 600))
    with pytest.raises(ValueError, match="Symmetric trees of depth 12 on 600 features"):
        make_booster(X, X[:, 0], "squared_error", symmetric=True, max_depth=12)


@pytest.mark.no_jit
def test_one_round_without_jit():
    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    booster = make_booster(
        X, [0.0, 1.0, 4.0, 5.0], "squared_error", symmetric=True, max_depth=2,
        min_samples_leaf=1, learning_rate=1.0,
    )  # fmt: skip
    booster.run(1)
    assert_allclose(booster.raw[0], [0.0, 1.0, 4.0, 5.0], atol=1e-6)
