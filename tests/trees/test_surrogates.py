"""Surrogate splits and masking against a trial of all cuts, and their identities."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from plain_trees import as_trees, path_of
from sklearn.tree import DecisionTreeRegressor

from manyminds.trees.binning import bin_table
from manyminds.trees.growing import draw_seeds, grow, make_rules, make_sampling
from manyminds.trees.surrogates import (
    impurity_decreases,
    masking_matrix,
    surrogate_splits,
)

CATEGORIES = 2  # the column that holds them in ``problem``


def problem(seed, n_rows=100, categorical=True, missing=True):
    """Dependent columns with ties, missing values and 70 categories."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-9, 9, size=(n_rows, 5)).astype(float)
    X[:, 1] = X[:, 0] + rng.integers(-3, 3, n_rows)
    X[:, 4] = -X[:, 3] + rng.integers(-5, 5, n_rows)
    X[:, CATEGORIES] = 7 * ((X[:, 0] + 9) // 2) + rng.integers(0, 3, n_rows)
    if missing:
        X[rng.random(n_rows) < 0.2, 1] = np.nan
        X[rng.random(n_rows) < 0.1, 3] = np.nan
    if not categorical:
        X = np.delete(X, CATEGORIES, axis=1)
    y = X[:, 0] + np.nan_to_num(X[:, 3]) + rng.normal(size=n_rows)
    return X, y


def fit(X, y, n_trees=1, *, seed=0, max_bins=255, categorical=None, **options):
    """Grow regression trees; return them, their table, and what they have drawn."""
    is_categorical = np.isin(np.arange(X.shape[1]), categorical)
    table = bin_table(X, is_categorical, max_bins)
    weights = np.ones((1, len(y)))
    if n_trees > 1:
        drawn = np.random.default_rng(seed).integers(0, len(y), size=(n_trees, len(y)))
        weights = np.array([np.bincount(rows, minlength=len(y)) for rows in drawn])
    rules = make_rules(*X.shape, 1, len(y), criterion="squared_error", **options)
    trees = grow(
        table,
        y,
        rules,
        make_sampling(*X.shape, weights),
        draw_seeds(np.random.RandomState(seed), n_trees),
    )
    return trees, table, weights


def rows_at(tree, X, weight):
    """Which rows of positive weight reach each node of a tree, and go left there."""
    reach = np.zeros((len(tree.left), len(X)), bool)
    for i in np.flatnonzero(weight > 0):
        reach[path_of(tree, 0, X[i]), i] = True
    return reach, reach[tree.left]


def best_by_trial(x, goes_left, weight, is_categorical):
    """Try all splits of x; return the association and agreement of the best one."""
    known = ~np.isnan(x)
    x, goes_left, weight = x[known], goes_left[known], weight[known]
    if len(x) == 0:
        return 0.0, 0.0
    left = weight[goes_left].sum() / weight.sum()
    smaller = min(left, 1 - left)
    trials = [np.zeros(len(x), bool), np.ones(len(x), bool)]
    if is_categorical:
        trial = np.empty(len(x), bool)
        for c in np.unique(x):
            here = x == c
            trial[here] = weight[here & goes_left].sum() > weight[here].sum() / 2
        trials.append(trial)
    else:
        trials += [x <= cut for cut in x]
        trials += [x > cut for cut in x]
    agreement = max((weight * (t == goes_left)).sum() for t in trials) / weight.sum()
    if smaller <= 1e-12:
        return 0.0, agreement
    return (smaller - (1 - agreement)) / smaller, agreement


def sends_left(found, k, x):
    """Which values the k-th surrogate sends left."""
    if found.category_set[k] >= 0:
        words = found.category_sets[found.category_set[k]]
        return np.array([int(words[int(v) // 64]) >> (int(v) % 64) & 1 for v in x]) == 1
    return (x <= found.threshold[k]) != found.flipped[k]


# ---------------------------------------------------------------- worked by hand


@pytest.mark.no_jit
def test_worked_example():
    # The split: 0 0 0 0 | 1 1. By the other column, 3 of the 4 on the left lie above 5
    # and both on the right below: flipped, one row in six goes astray, and with a
    # third of the rows on the smaller side: (1/3 - 1/6) / (1/3).
    X = np.array([[0, 9], [0, 8], [0, 7], [0, 3], [1, 1], [1, 2.0]])
    X = np.column_stack([X, np.zeros(6)])
    X[3, 1] = 0.0
    trees, table, weights = fit(X, X[:, 0])
    found = surrogate_splits(trees, table, weights, all_features=True)
    assert_array_equal(found.node, [0])
    assert_array_equal(found.feature, [1])
    assert_array_equal(found.threshold, [4.5])
    assert_array_equal(found.flipped, [True])
    assert_allclose(found.agreement, [5 / 6])
    assert_allclose(found.association, [1 / 2])
    assert_allclose(found.association_by_feature, [[0, 1 / 2, 0]])
    assert_array_equal(found.category_set, [-1])


@pytest.mark.no_jit
def test_worked_example_of_categories():
    # Categories 0 and 3 go left, 1 right, and one of three rows of 2 goes left.
    X = np.array([[0, 0], [0, 3], [0, 2], [1, 1], [1, 2], [1, 2.0]])
    trees, table, weights = fit(X, X[:, 0], categorical=[1], max_depth=1)
    found = surrogate_splits(trees, table, weights, features=[1])
    assert_array_equal(found.feature, [1])
    assert_array_equal(found.threshold, [np.nan])
    assert_allclose(found.association, [1 - (1 / 6) / (1 / 2)])
    assert int(found.category_sets[found.category_set[0], 0]) & 0b1111 == 0b1001


def test_no_surrogate_is_found_where_there_is_none():
    X = np.column_stack([np.arange(8.0), np.ones(8)])
    trees, table, weights = fit(X, (X[:, 0] > 2) * 1.0)
    found = surrogate_splits(trees, table, weights)
    assert_array_equal(found.feature, [-1])
    assert_array_equal(found.association, [0])
    assert_array_equal(found.agreement, [5 / 8])
    assert_array_equal(masking_matrix(trees, table, weights), np.zeros((2, 2)))


# ---------------------------------------------------------------- twins


@pytest.mark.slow
@pytest.mark.parametrize("max_bins", [255, 1000])
@pytest.mark.parametrize("n_rows", [40, 400])
def test_surrogates_are_the_best_of_all_cuts(seed, n_rows, max_bins):
    X, y = problem(seed, n_rows)
    if max_bins > 255:  # one column of more distinct values than a byte can number
        X[:, 0] += np.linspace(0, 0.5, n_rows)
    trees, table, weights = fit(
        X, y, 2, seed=seed % 1000, categorical=[CATEGORIES], max_depth=6,
        max_bins=max_bins,
    )  # fmt: skip
    assert table.codes.dtype == (np.uint16 if n_rows > 255 < max_bins else np.uint8)
    found = surrogate_splits(trees, table, weights, all_features=True)
    k = 0
    for t in range(2):
        tree = trees.tree(t)
        reach, left = rows_at(tree, X, weights[t])
        for node in np.flatnonzero(tree.left >= 0):
            here = reach[node]
            trials = [
                best_by_trial(
                    X[here, j], left[node, here], weights[t, here], j == CATEGORIES
                )
                for j in range(5)
            ]
            association, agreement = np.array(trials).T
            association[tree.feature[node]] = 0
            assert found.node[k] == trees.starts[t] + node
            assert_allclose(found.association_by_feature[k], association, atol=1e-9)
            assert_allclose(found.association[k], association.max(), atol=1e-9)
            j = found.feature[k]
            if j >= 0:
                assert_allclose(association[j], association.max(), atol=1e-9)
                assert_allclose(found.agreement[k], agreement[j])
                known = here & ~np.isnan(X[:, j])
                agrees = sends_left(found, k, X[known, j]) == left[node, known]
                share = np.average(agrees, weights=weights[t, known])
                assert_allclose(found.agreement[k], share)
            k += 1
    assert k == len(found.node)


@pytest.mark.no_jit
def test_small_nodes_of_a_foreign_tree(seed):
    X, y = problem(seed, 30, categorical=False)
    trees = as_trees(DecisionTreeRegressor(max_depth=4).fit(X, y))
    found = surrogate_splits(trees, bin_table(X), np.ones(30), all_features=True)
    reach, left = rows_at(trees, X, np.ones(30))
    for k, node in enumerate(found.node):
        for j in {0, 1, 2, 3} - {trees.feature[node]}:
            here = reach[node]
            weight = np.ones(here.sum())
            expected, _ = best_by_trial(X[here, j], left[node, here], weight, False)
            assert_allclose(found.association_by_feature[k, j], expected, atol=1e-9)


def test_masking_is_the_sum_over_splits(seed):
    X, y = problem(seed, 200)
    trees, table, weights = fit(X, y, 20, seed=seed % 1000, categorical=[CATEGORIES])
    found = surrogate_splits(trees, table, weights, all_features=True)
    decrease = impurity_decreases(trees)
    expected = np.zeros((5, 5))
    for k, node in enumerate(found.node):
        row = decrease[node] * found.association_by_feature[k] / trees.n_trees
        expected[trees.feature[node]] += row
    masking = masking_matrix(trees, table, weights)
    assert_allclose(masking, expected)
    assert_array_equal(np.diag(masking), np.zeros(5))

    some = masking_matrix(trees, table, weights, features=[4, 1], primaries=[0, 3])
    assert_allclose(some[[0, 3]], expected[[0, 3]][:, [4, 1]])
    assert_array_equal(some[[1, 2, 4]], np.zeros((3, 2)))
    twice = masking_matrix(trees, table, weights, decrease=2 * decrease)
    assert_allclose(twice, 2 * expected)


def test_decreases_add_up_to_the_importances(seed):
    X, y = problem(seed)
    trees, _, _ = fit(X, y, 3, seed=seed % 1000, categorical=[CATEGORIES])
    for t in range(3):
        decrease = impurity_decreases(trees.tree(t))
        total = np.bincount(
            np.maximum(trees.tree(t).feature, 0), weights=decrease, minlength=5
        )
        assert_allclose(total / total.sum(), trees.feature_importances()[t], atol=1e-12)


# ---------------------------------------------------------------- identities


@pytest.mark.parametrize(
    "transform", [lambda x: x, np.exp, lambda x: -(x**3), lambda x: 1 / (x + 100)]
)
def test_a_monotone_transform_is_a_perfect_surrogate(seed, transform):
    rng = np.random.default_rng(seed)
    x = rng.integers(-8, 8, 200).astype(float)
    X = np.column_stack([x, transform(x), np.full(200, 3.0)])
    y = x**2 + rng.normal(size=200)
    weight = rng.exponential(size=200)
    table = bin_table(X)
    rules = make_rules(200, 3, 1, weight.sum(), criterion="squared_error")
    only_first = make_sampling(200, 3, weight, feature_weights=[1, 0, 0])
    trees = grow(table, y, rules, only_first, draw_seeds(np.random.RandomState(0), 1))
    found = surrogate_splits(trees, table, weight, all_features=True)
    assert_array_equal(found.association_by_feature[:, 1], np.ones(len(found.node)))
    assert_array_equal(found.association_by_feature[:, 2], np.zeros(len(found.node)))
    assert_array_equal(found.feature, np.ones(len(found.node)))
    assert_array_equal(found.agreement, np.ones(len(found.node)))
    assert_array_equal(found.flipped, transform(1.0) < transform(0.0))


def test_association_is_bound_to_agreement(seed):
    X, y = problem(seed, 300, categorical=False, missing=False)
    weight = np.random.default_rng(seed).exponential(size=300)
    trees, table, _ = fit(X, y)
    found = surrogate_splits(trees, table, weight)
    reach, left = rows_at(trees, X, weight)
    for k, node in enumerate(found.node):
        share = weight[left[node]].sum() / weight[reach[node]].sum()
        assert_allclose(
            1 - found.agreement[k],
            (1 - found.association[k]) * min(share, 1 - share),
            atol=1e-12,
        )
    assert found.association.max() <= 1
    assert found.association.min() >= 0


def test_a_copy_is_masked_by_all_the_importance_of_its_original(seed):
    X, y = problem(seed, 150)
    X[:, 1] = X[:, 0]
    trees, table, weights = fit(
        X, y, 10, seed=seed % 1000, max_features=2, categorical=[CATEGORIES]
    )
    for t in range(10):
        tree = trees.tree(t)
        masking = masking_matrix(tree, table, weights[t])
        decrease = impurity_decreases(tree)
        assert_allclose(masking[0, 1], decrease[tree.feature == 0].sum())
        assert_allclose(masking[1, 0], decrease[tree.feature == 1].sum())


# ---------------------------------------------------------------- what must not matter


def test_threads_and_ways_to_give_weights_do_not_matter(seed):
    X, y = problem(seed)
    trees, table, weights = fit(X, y, 40, seed=seed % 1000, categorical=[CATEGORIES])
    ways = (weights, 1), (weights, 2), (weights.__getitem__, 2)
    first = surrogate_splits(trees, table, weights, all_features=True)
    for way, n_jobs in ways[1:]:
        again = surrogate_splits(trees, table, way, all_features=True, n_jobs=n_jobs)
        for name in first._fields:
            assert_array_equal(getattr(again, name), getattr(first, name))
    first, *others = (masking_matrix(trees, table, w, n_jobs=n) for w, n in ways)
    for other in others:
        assert_array_equal(other, first)


def test_a_copy_of_the_codes_by_row_does_not_matter(seed):
    X, y = problem(seed)
    trees, table, weights = fit(X, y, categorical=[CATEGORIES])
    doubled = bin_table(X, np.arange(5) == CATEGORIES, row_copy=True)
    assert len(doubled.codes) == 2 * len(table.codes)
    assert_array_equal(
        masking_matrix(trees, doubled, weights), masking_matrix(trees, table, weights)
    )


def test_rows_that_no_tree_has_drawn_leave_nothing_to_imitate(seed):
    X, y = problem(seed)
    trees, table, weights = fit(X, y, categorical=[CATEGORIES])
    found = surrogate_splits(trees, table, 0 * weights, all_features=True)
    assert_array_equal(found.feature, np.full(len(found.node), -1))
    assert_array_equal(found.association_by_feature, np.zeros((len(found.node), 5)))
