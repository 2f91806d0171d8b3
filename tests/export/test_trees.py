"""Trees in ONNX take the branches that ours take, to the last digit of a double."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.datasets import describe_columns
from manyminds.ensemble import (
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RotationForestClassifier,
    RotationForestRegressor,
)
from manyminds.export import ExportError, graph, to_onnx
from manyminds.export.trees import NODE_BYTES
from manyminds.persistence import TableModel
from manyminds.trees import DecisionTreeClassifier


@pytest.mark.parametrize("max_bins", [255, 16])
def test_category_sets_and_missing_values(run_onnx, table, classes, max_bins):
    # With 16 bins, most of the 90 towns share a code.
    forest = RandomForestClassifier(20, max_bins=max_bins, random_state=0)
    forest.fit(table[:150], classes[:150])
    assert (forest.trees_.category_set >= 0).any()
    label, made = run_onnx(forest, table)
    assert_allclose(made, forest.predict_proba(table), rtol=0, atol=1e-14)
    assert_array_equal(label, forest.predict(table))


def test_boosting_with_sets(run_onnx, table, classes):
    model = GradientBoostingClassifier(max_iter=10, random_state=0)
    model.fit(table[:150], classes[:150])
    made = run_onnx(model, table)[1]
    assert_allclose(made, model.predict_proba(table), rtol=0, atol=1e-14)


@pytest.mark.parametrize("loss", ["squared_error", "poisson"])
def test_links(run_onnx, table, loss, seed):
    y = np.random.default_rng(seed).gamma(2.0, size=len(table))
    model = GradientBoostingRegressor(loss, max_iter=10, random_state=0).fit(table, y)
    made = run_onnx(model, table, "regression")[0][:, 0]
    assert_allclose(made, model.predict(table), rtol=1e-13)


def test_thresholds_are_doubles(run_onnx):
    # In float32, all these numbers are equal to 1.
    X = pd.DataFrame({"x": 1.0 + np.arange(40) * 1e-12})
    y = np.where(np.arange(40) < 17, "a", "b")
    tree = DecisionTreeClassifier().fit(X, y)
    assert_array_equal(run_onnx(tree, X)[0], y)


def test_single_leaves(run_onnx):
    X, y = pd.DataFrame({"x": np.zeros(8)}), np.arange(8.0)
    model = ExtraTreesRegressor(3, random_state=0).fit(X, y)
    assert model.trees_.n_leaves.tolist() == [1, 1, 1]
    assert_allclose(run_onnx(model, X, "regression")[0], np.full((8, 1), 3.5))


def test_many_classes_are_looked_up_in_blocks(run_onnx, seed):
    # 60 trees of 30 classes: eight trees at a time.
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(300, 3)), columns=list("abc"))
    y = rng.integers(0, 30, 300)
    forest = RandomForestClassifier(60, max_depth=4, random_state=0).fit(X, y)
    label, made = run_onnx(forest, X)
    assert_allclose(made, forest.predict_proba(X), rtol=0, atol=1e-14)
    assert label.dtype == np.int64 and np.mean(label == forest.predict(X)) == 1.0


@pytest.mark.parametrize("per_block", [1, 2, 3])
def test_rotations(run_onnx, table, classes, per_block):
    X = table[list("abcd")].assign(e=table["a"] + table["b"])
    options = {"features_per_block": per_block, "random_state": 0}
    forest = RotationForestClassifier(8, **options).fit(X[:150], classes[:150])
    label, made = run_onnx(forest, X)
    assert_allclose(made, forest.predict_proba(X), rtol=0, atol=1e-14)
    assert_array_equal(label, forest.predict(X))
    y = X["c"].fillna(0.0)
    model = RotationForestRegressor(8, scale=None, **options).fit(X[:150], y[:150])
    made = run_onnx(model, X, "regression")[0][:, 0]
    assert_allclose(made, model.predict(X), rtol=1e-12, atol=1e-12)


def test_rotations_beside_categories_are_refused(run_onnx, table, classes):
    forest = RotationForestClassifier(2, random_state=0).fit(table, classes)
    with pytest.raises(ExportError, match="category columns"):
        run_onnx(forest, table)


def test_forests_larger_than_a_file_of_onnx_are_refused(
    run_onnx, table, classes, monkeypatch
):
    X = table[list("abcd")]
    forest = RandomForestClassifier(10, random_state=0).fit(X, classes)
    n_nodes = len(forest.trees_.is_leaf)
    columns = describe_columns(X)
    model = TableModel(forest, columns, "y", "classification", (), len(columns))
    n_bytes = len(to_onnx(model).SerializeToString())
    assert n_bytes > NODE_BYTES * n_nodes  # which is refused early
    for limit in (NODE_BYTES * n_nodes - 1, n_bytes - n_nodes):
        monkeypatch.setattr(graph, "MAX_BYTES", limit)
        with pytest.raises(ExportError, match=r"bytes or more as ONNX, .* fewer trees"):
            to_onnx(model)
    monkeypatch.setattr(graph, "MAX_BYTES", n_bytes)
    to_onnx(model)
