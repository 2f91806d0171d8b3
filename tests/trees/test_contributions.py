"""Contributions against Shapley's definition, sums, and the package shap."""

from itertools import combinations
from math import comb

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from plain_trees import as_trees, next_node
from scipy.sparse import csr_matrix
from sklearn.base import is_classifier
from sklearn.datasets import make_classification, make_regression
from sklearn.ensemble import RandomForestClassifier as PeerClassifier
from sklearn.ensemble import RandomForestRegressor as PeerRegressor
from sklearn.exceptions import NotFittedError

from manyminds.ensemble import (
    ExtraTreesClassifier,
    MultiLabelForestClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)
from manyminds.testing import all_estimators
from manyminds.trees import DecisionTreeClassifier, DecisionTreeRegressor, contributions
from manyminds.trees.contributions import tree_contributions
from manyminds.trees.structure import Trees

EXPLAINED = [
    (name, estimator)
    for name, estimator in all_estimators()
    if hasattr(estimator, "predict_contributions")
    # Of raw predictions, and of many labels: each in a test of its own.
    and not name.startswith(("GradientBoosting", "MultiLabel", "MultiTarget"))
]


def make_tree(rng, n_features, n_splits, n_values=1, zero_share=0.2):
    """Return a random tree; the last feature is categorical, some weights are 0."""
    left, feature, weight = [-1], [-1], [1.0]
    for _ in range(n_splits):
        node = rng.choice([i for i, child in enumerate(left) if child < 0])
        left[node], feature[node] = len(left), int(rng.integers(n_features))
        share = rng.choice([0.0, 1.0]) if rng.random() < zero_share else rng.random()
        left += [-1, -1]
        feature += [-1, -1]
        weight += [weight[node] * share, weight[node] * (1.0 - share)]
    left, feature = np.array(left, dtype=np.int32), np.array(feature, dtype=np.int32)
    n_nodes, is_set = len(left), feature == n_features - 1
    numbers = np.where((left < 0) | is_set, np.nan, rng.normal(size=n_nodes))
    return Trees(
        feature=feature,
        threshold=numbers,
        left=left,
        missing_left=(rng.random(n_nodes) < 0.5) & (left >= 0),
        category_set=np.where(is_set, np.cumsum(is_set) - 1, -1).astype(np.int32),
        category_sets=rng.integers(0, 2**6, (is_set.sum(), 1)).astype(np.uint64),
        impurity=np.zeros(n_nodes),
        weight=np.array(weight),
        n_samples=np.ones(n_nodes, dtype=np.int32),
        value=rng.normal(size=(n_nodes, n_values)),
        starts=np.array([0, n_nodes]),
        n_features=n_features,
        max_categories=6,
    )


def make_rows(rng, n_rows, n_features):
    """Return rows with missing values, and categories in the last column."""
    X = rng.normal(size=(n_rows, n_features))
    X[:, -1] = rng.integers(0, 6, n_rows)
    X[rng.random(X.shape) < 0.2] = np.nan
    return X


def expect(tree, node, x, known):
    """Return the expected value below a node if only some features are known."""
    left = tree.left[node]
    if left < 0:
        return tree.value[node]
    if tree.feature[node] in known:
        return expect(tree, next_node(tree, 0, node, x), x, known)
    weights = tree.weight[left : left + 2]
    weights = weights / weights.sum() if weights.sum() > 0 else [0.5, 0.5]
    return sum(w * expect(tree, left + s, x, known) for s, w in enumerate(weights))


def shapley_values(tree, x):
    """Return the contributions to a row by their definition, over all sets."""
    n = tree.n_features
    values = np.zeros((n + 1, tree.n_values))
    values[n] = expect(tree, 0, x, set())
    for i in range(n):
        others = [j for j in range(n) if j != i]
        for size in range(n):
            for known in map(set, combinations(others, size)):
                gain = expect(tree, 0, x, known | {i}) - expect(tree, 0, x, known)
                values[i] += gain / (n * comb(n - 1, size))
    return values


# ---------------------------------------------------------------- by hand


def make_chain(n_splits):
    """Return a tree that is 1 where all features are below 0, each half of the time."""
    inner, n_nodes = np.arange(n_splits), 2 * n_splits + 1
    tree = make_tree(np.random.default_rng(0), n_splits, 0)
    left = np.full(n_nodes, -1, dtype=np.int32)
    left[2 * inner - (inner > 0)] = 2 * inner + 1
    level = (np.arange(n_nodes) + 1) // 2
    return Trees(
        **{
            **vars(tree),
            "feature": np.where(left < 0, -1, level).astype(np.int32),
            "threshold": np.where(left < 0, np.nan, 0.0),
            "left": left,
            "missing_left": left >= 0,
            "category_set": np.full(n_nodes, -1, dtype=np.int32),
            "weight": 0.5**level,
            "value": (np.arange(n_nodes) == n_nodes - 2).astype(float)[:, np.newaxis],
            "starts": np.array([0, n_nodes]),
            "n_features": n_splits,
        }
    )


@pytest.mark.parametrize("n_splits", [1, 2, 3, 60, 201])
def test_worked_example(n_splits):
    # All features play the same part: each gets its share of what all add together.
    chain = make_chain(n_splits)
    assert chain.max_depth == n_splits
    (found,) = tree_contributions(chain, np.full((1, n_splits), -1.0))
    expected = 0.5**n_splits
    assert_allclose(found[:-1, 0], (1 - expected) / n_splits, rtol=1e-12)
    assert_allclose(found[-1, 0], expected)


def test_tree_of_one_leaf():
    tree = make_tree(np.random.default_rng(0), 3, 0)
    found = tree_contributions(tree, np.zeros((2, 3)))
    assert_array_equal(found[:, :-1], 0.0)
    assert_array_equal(found[:, -1], tree.value[[0, 0]])


# ---------------------------------------------------------------- by the definition


@pytest.mark.parametrize("n_values", [1, 3])
@pytest.mark.parametrize("n_splits", [1, 2, 5, 12, 25])
def test_shapley_values_by_definition(seed, n_splits, n_values):
    # Five features and up to 25 splits: paths split by one feature again and again.
    rng = np.random.default_rng([seed, n_splits, n_values])
    for _ in range(4):
        tree = make_tree(rng, 5, n_splits, n_values)
        X = make_rows(rng, 6, 5)
        expected = [shapley_values(tree, x) for x in X]
        assert_allclose(tree_contributions(tree, X), expected, rtol=0, atol=1e-13)


@pytest.mark.parametrize("criterion", ["gini", "squared_error"])
def test_grown_trees_by_definition(seed, criterion):
    rng = np.random.default_rng(seed)
    X = make_rows(rng, 60, 4)
    y = rng.integers(0, 3, 60) + (X[:, -1] == 2)
    kind = DecisionTreeClassifier if criterion == "gini" else DecisionTreeRegressor
    model = kind(max_leaf_nodes=12, categorical_features=[3], random_state=0)
    model.fit(X, y, sample_weight=rng.random(60))
    expected = np.array([shapley_values(model.tree_, x) for x in X[:10]])
    found = model.predict_contributions(X[:10]).reshape(expected.shape)
    assert_allclose(found, expected, rtol=0, atol=1e-13)


@pytest.mark.no_jit
def test_several_trees_and_outputs(seed):
    # As boosting adds them: trees take turns, and a baseline comes before them.
    rng = np.random.default_rng(seed)
    trees = [make_tree(rng, 3, n_splits) for n_splits in (4, 0, 6, 2)]
    X, baseline = make_rows(rng, 3, 3), np.array([10.0, -3.0])
    found = tree_contributions(
        Trees.concatenate(trees), X, scale=0.5, n_outputs=2, baseline=baseline
    )
    assert found.shape == (3, 4, 2)
    alone = [np.array([shapley_values(tree, x) for x in X]) for tree in trees]
    expected = 0.5 * np.concatenate([alone[0] + alone[2], alone[1] + alone[3]], axis=2)
    expected[:, -1] += baseline
    assert_allclose(found, expected, rtol=0, atol=1e-13)


# ---------------------------------------------------------------- sums


@pytest.mark.parametrize("name, kind", EXPLAINED, ids=[name for name, _ in EXPLAINED])
def test_contributions_of_every_model_sum_to_its_predictions(name, kind, seed):
    X, y = make_classification(120, 6, n_informative=4, random_state=seed, n_classes=3)
    model = kind()
    few = {"n_estimators": 5} if "n_estimators" in model.get_params() else {}
    model.set_params(**few).fit(X, y)
    found = model.predict_contributions(X[:20])
    predict = model.predict_proba if is_classifier(model) else model.predict
    assert found.shape == (20, 7, 3)[: 3 if is_classifier(model) else 2]
    assert_allclose(found.sum(axis=1), predict(X[:20]), rtol=0, atol=1e-12)
    assert_array_equal(found[:, -1], found[:1, -1].repeat(20, axis=0))


def test_contributions_of_all_labels_sum_to_their_scores(seed):
    X, y = make_classification(120, 6, random_state=seed)
    y = np.column_stack([y, X[:, 0] > 0.5, X[:, 1] < 0.0]).astype(int)
    forest = MultiLabelForestClassifier(5, random_state=0).fit(X, y)
    found = forest.predict_contributions(X[:20])
    assert found.shape == (20, 7, 3)
    assert_allclose(found.sum(axis=1), forest.predict_proba(X[:20]), atol=1e-12)


def test_forests_and_single_trees_have_contributions():
    names = {name for name, _ in EXPLAINED}
    assert {
        "RandomForestRegressor",
        "ExtraTreesClassifier",
        "CIWSForestClassifier",
    } < names
    assert {"DecisionTreeRegressor", "MDLTreeClassifier", "SSVTreeClassifier"} < names


def test_deep_forests_sum_to_their_predictions(seed):
    X, y = make_regression(3000, 40, noise=5.0, random_state=seed)
    forest = RandomForestRegressor(5, max_features=0.2, random_state=seed).fit(X, y)
    found = forest.predict_contributions(X[:100])
    assert forest.trees_.max_depth.min() > 20
    assert_allclose(found.sum(axis=1), forest.predict(X[:100]), rtol=0, atol=1e-10)


def test_a_feature_without_splits_contributes_nothing(seed):
    X, y = make_regression(100, 4, random_state=seed)
    X[:, 2] = 7.0
    found = RandomForestRegressor(5).fit(X, y).predict_contributions(X)
    assert_array_equal(found[:, 2], 0.0)


def test_classes_whose_values_do_not_sum_to_one(seed):
    # The last class is left to the others only where the values are shares.
    rng = np.random.default_rng(seed)
    tree, X = make_tree(rng, 4, 8, n_values=2), make_rows(rng, 5, 4)
    found = tree_contributions(tree, X)
    assert_allclose(found.sum(axis=1), tree.mean_value(X), atol=1e-13)


# ---------------------------------------------------------------- what must not matter


def test_threads_and_batches_do_not_matter(seed, monkeypatch):
    X, y = make_classification(700, 8, n_informative=5, n_classes=3, random_state=seed)
    forest = RandomForestClassifier(10, random_state=0, n_jobs=1).fit(X, y)
    expected = forest.predict_contributions(X)
    assert_array_equal(forest.set_params(n_jobs=3).predict_contributions(X), expected)
    monkeypatch.setattr(contributions, "_MAX_BATCH", 7)
    assert_array_equal(forest.predict_contributions(X[:100]), expected[:100])
    monkeypatch.setattr(contributions, "_MAX_CELLS", 1)
    assert_array_equal(forest.predict_contributions(X[:10]), expected[:10])


def test_sparse_rows(seed):
    X, y = make_regression(80, 5, random_state=seed)
    X[X < 0] = 0.0
    model = DecisionTreeRegressor(random_state=0).fit(X, y)
    found = model.predict_contributions(csr_matrix(X))
    assert_array_equal(found, model.predict_contributions(X))


def test_dataframe_with_categories(seed):
    rng = np.random.default_rng(seed)
    color = pd.Categorical(rng.choice(["red", "green", "blue"], 90))
    X = pd.DataFrame({"color": color, "size": rng.normal(size=90)})
    y = (color == "green") | (X["size"] > 1)
    forest = ExtraTreesClassifier(10, random_state=0).fit(X, y)
    found = forest.predict_contributions(X)
    assert_allclose(found.sum(axis=1), forest.predict_proba(X), atol=1e-13)
    green = found[:, 0, 1] > 0
    assert_array_equal(green[y], color[y] == "green")


def test_no_rows():
    tree = make_tree(np.random.default_rng(0), 3, 4)
    assert tree_contributions(tree, np.empty((0, 3))).shape == (0, 4, 1)


def test_unfitted_and_wrong_columns():
    with pytest.raises(NotFittedError):
        RandomForestRegressor().predict_contributions([[0.0]])
    tree = DecisionTreeRegressor().fit([[0.0], [1.0]], [0.0, 1.0])
    with pytest.raises(ValueError, match="2 features"):
        tree.predict_contributions([[0.0, 1.0]])


# ---------------------------------------------------------------- another library


@pytest.mark.parametrize("max_depth", [3, None])
@pytest.mark.parametrize("kind", [PeerClassifier, PeerRegressor])
def test_equals_shap(kind, max_depth, seed):
    shap = pytest.importorskip("shap", reason="compares with the package shap")
    X, y = make_classification(400, 8, n_informative=5, random_state=seed, flip_y=0.2)
    X = X.astype(np.float32).astype(float)
    peer = kind(10, max_depth=max_depth, random_state=seed).fit(X, y)
    explainer = shap.TreeExplainer(peer, feature_perturbation="tree_path_dependent")
    found = tree_contributions(as_trees(*peer.estimators_), X[:50], scale=0.1)
    theirs = explainer.shap_values(X[:50]).reshape(50, 8, -1)
    assert_allclose(found[:, :-1], theirs, rtol=0, atol=1e-12)
    assert_allclose(found[0, -1], np.ravel(explainer.expected_value), atol=1e-12)
