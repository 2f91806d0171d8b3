"""Models of tables on disk are those of the tables in memory, bit by bit."""

import warnings
from copy import deepcopy
from dataclasses import fields

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import is_classifier

from manyminds.datasets import ParquetTable
from manyminds.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    RotationForestClassifier,
)
from manyminds.trees.scratch import allocate

pytest.importorskip("pyarrow")

MODELS = [
    RandomForestClassifier(5, random_state=0),
    RandomForestRegressor(5, max_features=0.5, random_state=0),
    ExtraTreesClassifier(5, random_state=0),
    ExtraTreesRegressor(5, max_bins=20, random_state=0),
    GradientBoostingClassifier(max_iter=5, random_state=0),
    GradientBoostingRegressor(max_iter=5, max_bins=20, random_state=0),
]


def make_rows(seed, n_rows=700):
    """Numbers with missing values, whole numbers, many and few categories."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n_rows, 3)), columns=["a", "b", "c"])
    X.loc[rng.random(n_rows) < 0.1, "a"] = np.nan
    X["whole"] = rng.integers(0, 1000, n_rows)
    X["small"] = rng.random(n_rows).astype(np.float32)
    X["color"] = pd.Categorical(rng.choice(["red", "blue", None], n_rows))
    X["town"] = pd.Categorical([f"t{k}" for k in rng.integers(0, 400, n_rows)])
    y = X["b"] + (X["color"] == "red") + 0.1 * rng.normal(size=n_rows)
    return X, np.asarray(y), np.where(y > 0.5, "high", "low")


def store(folder, X, **options):
    X.to_parquet(folder / "rows.parquet", row_group_size=200)
    return ParquetTable(folder / "rows.parquet", **options)


def fit_both(model, folder, seed, *, weights=None, **options):
    X, number, label = make_rows(seed)
    y = label if is_classifier(model) else number
    table = store(folder, X, **options)
    expected = deepcopy(model.fit(X, y, weights))
    return expected, model.fit(table, y, weights), X, table


def assert_same(expected, model, X, table):
    for one in fields(expected.trees_):
        ours, theirs = (getattr(m.trees_, one.name) for m in (model, expected))
        assert_array_equal(ours, theirs)
    assert_array_equal(model.predict(table), expected.predict(X))
    assert_array_equal(model.feature_names_in_, X.columns)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_same_trees_as_in_memory(model, tmp_path, seed):
    assert_same(*fit_both(model, tmp_path, seed))


@pytest.mark.parametrize("model", MODELS[::4], ids=lambda model: type(model).__name__)
def test_same_trees_with_codes_in_a_file_and_weights(model, tmp_path, seed):
    weights = np.random.default_rng(seed).integers(0, 3, 700).astype(float)
    assert_same(*fit_both(model, tmp_path, seed, weights=weights, max_memory=100))


@pytest.mark.parametrize("options", [{"symmetric": True}, {"subsample": 0.5}])
def test_same_trees_from_several_blocks_of_columns(options, tmp_path, seed):
    X, _, y = make_rows(seed)
    noise = np.random.default_rng(seed).normal(size=(700, 20))
    X = X.join(pd.DataFrame(noise, columns=[f"z{j}" for j in range(20)]))
    model = GradientBoostingClassifier(max_iter=4, random_state=0, **options)
    table, expected = store(tmp_path, X), deepcopy(model.fit(X, y))
    assert_same(expected, model.fit(table, y), X, table)


def test_codes_take_a_byte_per_cell(tmp_path, monkeypatch):
    X, _, y = make_rows(0)
    lengths = []

    def count(length, dtype, max_memory):
        lengths.append(length * np.dtype(dtype).itemsize)
        return allocate(length, dtype, max_memory)

    monkeypatch.setattr("manyminds.trees.binning.allocate", count)
    monkeypatch.setattr("manyminds.trees.binned.make_blocks", None)  # a second layout
    table = store(tmp_path, X)
    for model in (MODELS[0], MODELS[2], GradientBoostingClassifier(max_iter=2)):
        model.fit(table, y)
    assert lengths == 3 * [X.size]


def test_threads_do_not_matter(tmp_path, seed, monkeypatch):
    monkeypatch.setattr("manyminds.trees.binning._FEW_CELLS", 10)
    model = GradientBoostingClassifier(max_iter=3, n_jobs=2, random_state=0)
    assert_same(*fit_both(model, tmp_path, seed))


def test_early_stopping_and_validation_rows(tmp_path, seed):
    X, _, y = make_rows(seed)
    table = store(tmp_path, X)
    model = GradientBoostingClassifier(max_iter=8, random_state=0, n_iter_no_change=3)
    curves = [
        model.fit(one, y, X_val=other, y_val=y).validation_score_
        for one, other in ((X, X), (table, table))
    ]
    assert_array_equal(*curves)


def test_warm_start_goes_on(tmp_path, seed):
    X, _, y = make_rows(seed)
    predicted = []
    for table in (X, store(tmp_path, X)):
        model = GradientBoostingClassifier(max_iter=2, warm_start=True, random_state=0)
        model.fit(table, y).set_params(max_iter=4).fit(table, y)
        predicted.append(model.predict_proba(X))
    assert_array_equal(*predicted)


def test_errors_name_what_is_wrong(tmp_path):
    X, _, y = make_rows(0)
    table = store(tmp_path, X)
    with pytest.raises(TypeError, match=r"RotationForestClassifier takes tables in"):
        RotationForestClassifier(2).fit(table, y)
    with pytest.raises(ValueError, match=r"oob_score=True needs a table in memory"):
        RandomForestClassifier(2, oob_score=True).fit(table, y)
    with pytest.raises(ValueError, match=r"linear_leaves=True needs a table in memory"):
        GradientBoostingRegressor(linear_leaves=True).fit(table, np.zeros(700))
    with pytest.raises(ValueError, match=r"inconsistent numbers of samples"):
        RandomForestClassifier(2).fit(table, y[:5])
    model = RandomForestClassifier(2).fit(table, y)
    with warnings.catch_warnings(), pytest.raises(ValueError, match=r"feature names"):
        model.predict(ParquetTable(table.path, columns=["b", "a"]))
    with pytest.raises(ValueError, match=r"Column 'b' of X contains infinity"):
        RandomForestClassifier(2).fit(store(tmp_path, X.assign(b=np.inf)), y)
    with pytest.raises(ValueError, match=r"\['b'\] hold neither numbers nor"):
        RandomForestClassifier(2).fit(store(tmp_path, X.assign(b="text")), y)
