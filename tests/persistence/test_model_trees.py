"""Trees that a forged file could hold are refused before anything walks them."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.ensemble import ExtraTreesRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

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
