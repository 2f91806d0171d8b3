"""Trees that a forged file could hold are refused before anything walks them."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.ensemble import (
    ExtraTreesRegressor,
    GradientBoostingRegressor,
    HistGradientBoostingRegressor,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeRegressor

from manyminds.datasets import from_arrays
from manyminds.ensemble import RandomForestClassifier
from manyminds.persistence.model_archive import ModelFileError
from manyminds.persistence.model_file import load_model, save_model
from manyminds.persistence.model_trees import check_trees


@pytest.fixture
def fitted(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 3))
    forest = RandomForestClassifier(3, random_state=seed)
    return make_pipeline(StandardScaler(), forest).fit(X, X[:, 0] > 0.0), X


def changed(values, place, value):
    values = values.copy()
    values[place] = value
    return values


def inner(trees):
    return int(np.flatnonzero(trees.left >= 0)[-1])


FORGERIES = {
    "child far away": lambda t: {"left": changed(t.left, inner(t), 10**6)},
    "child before its parent": lambda t: {"left": changed(t.left, inner(t), 0)},
    "negative child": lambda t: {"left": changed(t.left, inner(t), -7)},
    "column": lambda t: {"feature": changed(t.feature, inner(t), 3)},
    "negative column": lambda t: {"feature": changed(t.feature, inner(t), -1)},
    "set": lambda t: {"category_set": changed(t.category_set, 0, 5)},
    "start": lambda t: {"starts": t.starts + 1},
    "empty tree": lambda t: {"starts": changed(t.starts, 1, 0)},
    "dtype": lambda t: {"left": t.left.astype(np.int64)},
    "length": lambda t: {"feature": t.feature[:-1]},
    "values": lambda t: {"value": t.value[:-1]},
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_forged_trees_are_refused(fitted, forgery):
    model, _ = fitted
    check_trees(model)
    forest = model[-1]
    name = next(n for n, v in vars(forest).items() if type(v).__name__ == "Trees")
    trees = getattr(forest, name)
    setattr(forest, name, replace(trees, **FORGERIES[forgery](trees)))
    with pytest.raises(ValueError, match="a tree has"):
        check_trees(model)


def test_a_file_with_a_forged_tree_is_one_clear_error(fitted, tmp_path):
    model, X = fitted
    name = next(n for n, v in vars(model[-1]).items() if type(v).__name__ == "Trees")
    trees = getattr(model[-1], name)
    setattr(model[-1], name, replace(trees, **FORGERIES["column"](trees)))
    data = from_arrays(X, np.arange(40) % 2)
    save_model(tmp_path / "model.skops", model, data)
    with pytest.raises(ModelFileError, match=r"a tree has a column that does not"):
        load_model(tmp_path)


def test_trees_that_want_more_columns_refuse_samples(fitted):
    model, X = fitted
    name = next(n for n, v in vars(model[-1]).items() if type(v).__name__ == "Trees")
    setattr(model[-1], name, replace(getattr(model[-1], name), n_features=9))
    with pytest.raises(ValueError, match="3 columns, but the trees were grown on 9"):
        model.predict(X)


def test_forests_of_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 3))
    forest = ExtraTreesRegressor(2, random_state=seed).fit(X, X[:, 0])
    check_trees(forest)
    forest.estimators_[1].tree_.feature[0] = 3
    with pytest.raises(ValueError, match="a tree has a column"):
        check_trees([forest])


def test_trees_of_scikit_learn_have_the_columns_of_their_estimator(seed):
    X = np.random.default_rng(seed).normal(size=(40, 3))
    tree = DecisionTreeRegressor(random_state=seed).fit(X, X[:, 2])
    check_trees(tree)
    tree.n_features_in_ = 2  # it would take samples of two columns, and read a third
    with pytest.raises(ValueError, match="another number of columns"):
        check_trees(tree)


@pytest.mark.parametrize("forgery", ["columns", "outputs", "tree"])
def test_boosted_trees_of_scikit_learn(seed, forgery):
    X = np.random.default_rng(seed).normal(size=(40, 3))
    model = GradientBoostingRegressor(n_estimators=2).fit(X, X[:, 2])
    check_trees(model)
    if forgery == "columns":  # it does not ask its trees how many they take
        model.n_features_in_ = 2
    elif forgery == "outputs":
        model.estimators_ = np.repeat(model.estimators_, 2, axis=1)
    else:
        model.estimators_[0, 0] = StandardScaler().fit(X)
    with pytest.raises(ValueError, match="a tree has"):
        check_trees(model)


@pytest.fixture
def binned(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(300, 3))
    X[:, 2] = rng.integers(6, size=300)
    y = X[:, 0] + 2.0 * (X[:, 2] % 2)
    model = HistGradientBoostingRegressor(
        categorical_features=[2], max_iter=2, max_leaf_nodes=6
    )
    return model.fit(X, y), X, y


def find_split(model, is_categorical):
    """Return a tree that splits so, with the place of its node."""
    for tree in (one for stage in model._predictors for one in stage):
        kind = tree.nodes["is_categorical"] == is_categorical
        places = np.flatnonzero(kind & (tree.nodes["is_leaf"] == 0))
        if len(places):
            return tree, int(places[-1])
    raise AssertionError("no tree has such a node")


BINNED_FORGERIES = {
    "child far away": ("left", 10**6),
    "right child far away": ("right", 2**32 - 1),
    "child before its parent": ("right", 0),
    "leaf that is none": ("is_leaf", 0),
    "column": ("feature_idx", 3),
    "negative column": ("feature_idx", -1),
    "set": ("bitset_idx", 10**6),
}


@pytest.mark.parametrize("forgery", BINNED_FORGERIES)
def test_forged_trees_of_boosting_with_histograms_are_refused(binned, forgery):
    model = binned[0]
    check_trees(model)
    name, value = BINNED_FORGERIES[forgery]
    tree, place = find_split(model, is_categorical=name == "bitset_idx")
    if name == "is_leaf":
        place = int(np.flatnonzero(tree.nodes["is_leaf"])[0])
    tree.nodes = tree.nodes.copy()
    tree.nodes[name][place] = value
    with pytest.raises(ValueError, match="a tree has"):
        check_trees(model)


@pytest.mark.parametrize("forgery", ["no nodes", "no sets", "narrow sets", "columns"])
def test_forged_arrays_of_boosting_with_histograms_are_refused(binned, forgery):
    model = binned[0]
    tree, _ = find_split(model, is_categorical=True)
    if forgery == "no nodes":
        tree.nodes = tree.nodes[:0]
    elif forgery == "no sets":
        tree.raw_left_cat_bitsets = tree.raw_left_cat_bitsets[:0]
    elif forgery == "narrow sets":
        tree.raw_left_cat_bitsets = tree.raw_left_cat_bitsets[:, :4]
    else:
        model._bin_mapper.is_categorical_ = np.zeros(2, dtype=np.uint8)
    with pytest.raises(ValueError, match="a tree has"):
        check_trees(model)


def test_a_file_with_a_forged_tree_of_boosting_is_one_clear_error(binned, tmp_path):
    model, X, y = binned
    data = from_arrays(X, y, task="regression")
    save_model(tmp_path / "model.skops", model, data)
    assert_array_equal(load_model(tmp_path).estimator.predict(X), model.predict(X))
    model._predictors[0][0].nodes["feature_idx"][0] = 1 << 40
    save_model(tmp_path / "model.skops", model, data)
    with pytest.raises(ModelFileError, match=r"a tree has a column that does not"):
        load_model(tmp_path)
