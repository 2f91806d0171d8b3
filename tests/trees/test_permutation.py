"""Out-of-bag permutation importance against plain twins and its exact expectation."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from plain_trees import as_trees, path_of
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from manyminds.trees.binning import bin_table
from manyminds.trees.growing import draw_seeds, grow, make_rules, make_sampling
from manyminds.trees.permutation import oob_permutation_importance
from manyminds.trees.structure import Trees


def problem(seed, n_rows=80):
    """Numbers with ties and missing values, and a column of six categories."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-9, 9, size=(n_rows, 5)).astype(float)
    X[:, 2] = rng.integers(0, 6, n_rows)
    X[rng.random(n_rows) < 0.2, 1] = np.nan
    y = X[:, 0] + np.nan_to_num(X[:, 1]) + 4 * np.isin(X[:, 2], [0, 3, 4])
    return X, y + rng.normal(size=n_rows)


def grow_bagged(X, y, n_trees, criterion, seed):
    """Grow trees on bootstrap samples; return them and what they have drawn."""
    n_classes = 1 if criterion == "squared_error" else int(y.max()) + 1
    rules = make_rules(*X.shape, n_classes, len(y), criterion=criterion, max_depth=5)
    drawn = np.random.default_rng(seed).integers(0, len(y), size=(n_trees, len(y)))
    in_bag = np.array([np.bincount(rows, minlength=len(y)) for rows in drawn])
    seeds = draw_seeds(np.random.RandomState(seed), n_trees)
    table = bin_table(X, np.arange(X.shape[1]) == 2)
    trees = grow(table, y.astype(float), rules, make_sampling(*X.shape, in_bag), seeds)
    return trees, in_bag


def make_seeds(seed, n_trees):
    return np.random.default_rng(seed).integers(1, 2**62, size=n_trees)


def errors(tree, X, y):
    value = np.array([tree.value[path_of(tree, 0, x)[-1]] for x in X])
    if tree.n_values == 1:
        return (value[:, 0] - y) ** 2
    return (value.argmax(axis=1) != y).astype(float)


def increases_by_definition(tree, X, y, weight, state, n_repeats):
    """Permute every feature of the given rows and walk all of them again.

    Only rows that meet the feature draw a new value, in their order: all that is left
    of the compiled code is the order of its draws.
    """
    n, increases = len(X), np.zeros(X.shape[1])
    before, donors = errors(tree, X, y), list(range(n))
    for j in range(X.shape[1]):
        met = [i for i in range(n) if j in tree.feature[path_of(tree, 0, X[i])]]
        for _ in range(n_repeats):
            changed = X.copy()
            for k, i in enumerate(met):
                state = 1791398085 * (state % 2**32) + state // 2**32
                other = k + (state % 2**32) * (n - k) // 2**32
                donors[k], donors[other] = donors[other], donors[k]
                changed[i, j] = X[donors[k], j]
            increase = weight @ (errors(tree, changed, y) - before)
            increases[j] += increase / weight.sum() / n_repeats
    return increases


def expected_rises(tree, X, y):
    """Average over all permutations: every row gets every value equally often."""
    increases = np.zeros(X.shape[1]) - errors(tree, X, y).mean()
    for j in range(X.shape[1]):
        for value in X[:, j]:
            changed = X.copy()
            changed[:, j] = value
            increases[j] += errors(tree, changed, y).mean() / len(X)
    return increases


# ---------------------------------------------------------------- worked by hand


def stump():
    """Predict class 0 if x1 is at most 0, class 1 otherwise."""
    return Trees(
        feature=np.array([1, -1, -1], dtype=np.int32),
        threshold=np.array([0, np.nan, np.nan]),
        left=np.array([1, -1, -1], dtype=np.int32),
        missing_left=np.zeros(3, dtype=bool),
        category_set=np.full(3, -1, dtype=np.int32),
        category_sets=np.zeros((0, 1), dtype=np.uint64),
        impurity=np.array([0.5, 0, 0]),
        weight=np.array([4, 2, 2.0]),
        n_samples=np.array([4, 2, 2], dtype=np.int32),
        value=np.array([[0.5, 0.5], [1, 0], [0, 1]]),
        starts=np.array([0, 3]),
        n_features=2,
        max_categories=0,
    )


@pytest.mark.no_jit
def test_two_rows_change_places_or_do_not(seed):
    # Out of bag are one row of each class, both predicted right. They keep their values
    # or exchange them: the error increases by 0 or by 1 with equal probability.
    X, y = np.array([[0, -1], [0, 1], [0, -1]]), np.array([0, 1, 0])
    trees = Trees.concatenate([stump()] * 50)
    in_bag = np.tile([0, 0, 2], (50, 1))
    result = oob_permutation_importance(trees, X, y, in_bag, make_seeds(seed, 50))
    assert_array_equal(result.importances[:, 0], np.zeros(50))  # not split on
    assert set(result.importances[:, 1]) == {0.0, 1.0}  # else once in 2**49 runs
    mean = result.importances[:, 1].mean()
    standard_error = np.sqrt(mean * (1 - mean) / 49)
    assert_allclose(result.importances_mean, [0, mean])
    assert_allclose(result.importances_se, [0, standard_error])
    assert_allclose(result.importances_z, [0, mean / standard_error])


@pytest.mark.no_jit
def test_a_single_row_has_nobody_to_change_places_with():
    X, y, in_bag = np.array([[0, -1], [0, 1]]), np.array([1, 1]), np.array([[0, 1]])
    result = oob_permutation_importance(stump(), X, y, in_bag, [1], n_repeats=3)
    assert_array_equal(result.importances, [[0, 0]])
    assert_array_equal(result.importances_se, [np.nan, np.nan])
    assert_array_equal(result.importances_z, [0, 0])


def test_trees_that_have_drawn_all_rows_take_no_part():
    X, y = np.array([[0, -1], [0, 1], [0, -1]]), np.array([0, 1, 0])
    trees = Trees.concatenate([stump()] * 3)
    in_bag, seeds = np.array([[0, 0, 1], [1, 1, 1], [1, 0, 0]]), make_seeds(0, 3)
    result = oob_permutation_importance(trees, X, y, in_bag, seeds)
    assert_array_equal(np.isnan(result.importances), [[0, 0], [1, 1], [0, 0]])
    assert_array_equal(result.importances_mean, result.importances[[0, 2]].mean(0))
    with pytest.raises(ValueError, match="in_bag must leave some row"):
        oob_permutation_importance(trees, X, y, np.ones((3, 3)), seeds)


# ---------------------------------------------------------------- twins


@pytest.mark.parametrize("criterion", ["gini", "squared_error"])
@pytest.mark.parametrize("weighted", [False, True])
def test_rises_are_those_of_the_twin(seed, criterion, weighted):
    X, y = problem(seed)
    if criterion == "gini":
        y = np.digitize(y, [-4, 4])
    trees, in_bag = grow_bagged(X, y, 3, criterion, seed % 1000)
    seeds = make_seeds(seed, 3)
    weight = np.arange(len(y)) % 3.0 if weighted else None
    result = oob_permutation_importance(
        trees, X, y, in_bag, seeds, n_repeats=2, sample_weight=weight
    )
    for t in range(3):
        out = in_bag[t] == 0
        if weighted:
            out &= weight > 0
        w = weight[out] if weighted else np.ones(out.sum())
        increases = increases_by_definition(
            trees.tree(t), X[out], y[out], w, int(seeds[t]), n_repeats=2
        )
        assert_allclose(result.importances[t], increases, atol=1e-9)


def test_mean_over_many_draws_is_the_expectation(seed):
    # A correct build is off by more than six standard errors about once in 10**8.
    X, y = problem(seed, 60)
    trees, in_bag = grow_bagged(X, y, 1, "squared_error", seed % 1000)
    result = oob_permutation_importance(
        trees.select(np.zeros(2000, int)),
        X,
        y,
        lambda some: np.repeat(in_bag, some.stop - some.start, axis=0),
        make_seeds(seed, 2000),
    )
    out = in_bag[0] == 0
    expected = expected_rises(trees, X[out], y[out])
    away = np.abs(result.importances_mean - expected)
    assert np.all(away <= 6 * result.importances_se + 1e-9)


# ---------------------------------------------------------------- what must not matter


@pytest.mark.parametrize("Forest", [RandomForestClassifier, RandomForestRegressor])
def test_threads_and_ways_to_give_counts_do_not_matter(seed, Forest):
    rng = np.random.default_rng(seed)
    X = rng.integers(-50, 50, size=(150, 6)).astype(float)
    y = (X[:, 0] > X[:, 1]) * 1
    forest = Forest(40, random_state=seed % 1000).fit(X, y)
    in_bag = [np.bincount(rows, minlength=150) for rows in forest.estimators_samples_]
    trees, in_bag = as_trees(*forest.estimators_), np.array(in_bag)
    seeds, kind = make_seeds(seed, 40), {RandomForestRegressor: "regression"}
    one, two, called = (
        oob_permutation_importance(
            trees, X, y, counts, seeds, kind=kind.get(Forest), n_jobs=n_jobs
        )
        for counts, n_jobs in ((in_bag, 1), (in_bag, 2), (in_bag.__getitem__, 2))
    )
    for name in one:
        assert_array_equal(one[name], two[name])
        assert_array_equal(one[name], called[name])
    assert set(np.argsort(one.importances_mean)[-2:]) == {0, 1}


@pytest.mark.parametrize("Tree", [DecisionTreeClassifier, DecisionTreeRegressor])
def test_order_of_other_columns_does_not_matter(seed, Tree):
    # A feature that stands alone in its tree gets the same draws wherever it stands.
    rng = np.random.default_rng(seed)
    X = np.zeros((40, 3))
    X[:, 1] = rng.permutation(40)
    y = (X[:, 1] > 15) * 1
    in_bag = rng.integers(0, 2, size=(1, 40))
    increases = []
    for columns in ([0, 1, 2], [1, 0, 2]):
        trees = as_trees(Tree().fit(X[:, columns], y))
        kind = "classification" if Tree is DecisionTreeClassifier else "regression"
        increases.append(
            oob_permutation_importance(
                trees, X[:, columns], y, in_bag, [9], kind=kind
            ).importances[0]
        )
    assert increases[0][1] == increases[1][0] > 0
