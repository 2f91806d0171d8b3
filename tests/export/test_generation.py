"""Generated columns are the same in ONNX."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.pipeline import make_pipeline

from manyminds.ensemble import GradientBoostingRegressor
from manyminds.preprocessing import ArithmeticFeatures, CrossedCategories, TargetMeans
from manyminds.trees import DecisionTreeRegressor


def check_numbers(run_onnx, model, X):
    made = run_onnx(model, X, "regression")[0][:, 0]
    assert_allclose(made, model.predict(X), rtol=1e-12)


@pytest.mark.parametrize("sign", ["+", "-", "*", "/"])
def test_arithmetic(run_onnx, table, sign):
    # A zero divides a number, a zero and a missing value; 1e30 leaves the range.
    X = table[list("abcd")].assign(b=table["b"].round(0))
    X.iloc[:6] = [
        [1.0, 0.0, 0.0, 1.0],
        [0.0, 0.0, 0.0, 1.0],
        [np.nan, 0.0, 0.0, 1.0],
        [1e30, -1e30, 1.0, 1.0],
        [1e30, 1e-30, 1.0, 1.0],
        [0.0, np.nan, 1.0, 1.0],
    ]
    generator = ArithmeticFeatures(task="regression").fit(X, X["a"].fillna(0.0))
    generator.features_ = [(sign, 0, 1), (sign, 2, 1)]
    made = generator.transform(X).iloc[:, -2:]
    y = np.nan_to_num(np.arctan(made.to_numpy())).sum(axis=1)
    tree = DecisionTreeRegressor().fit(generator.transform(X), y)
    assert (tree.tree_.feature >= 4).any()
    check_numbers(run_onnx, make_pipeline(generator, tree), X)


def test_crosses(run_onnx, table, seed):
    odd = (table["hue"] == "red") ^ (table["town"].cat.codes < 45)
    X = table.assign(
        side=pd.Categorical(np.where(table["town"].cat.codes < 45, "a & b", "b"))
    )
    y = 5.0 * odd + np.random.default_rng(seed).normal(size=len(X))
    model = make_pipeline(
        CrossedCategories(task="regression", max_levels=4),
        GradientBoostingRegressor(max_iter=10, random_state=0),
    ).fit(X[:200], y[:200])
    assert model[0].features_ == [(4, 6)]
    check_numbers(run_onnx, model, X)
    assert (model[-1].trees_.feature == X.shape[1]).any()


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_target_means(run_onnx, table, classes, task):
    y = classes if task == "classification" else table["a"].fillna(0.0)
    generator = TargetMeans(task=task)
    X = generator.fit_transform(table, y)
    tree = DecisionTreeRegressor(max_leaf_nodes=20).fit(X, X.iloc[:, -1])
    assert (tree.tree_.feature >= table.shape[1]).any()
    check_numbers(run_onnx, make_pipeline(generator, tree), table)


def test_nothing_is_generated(run_onnx, table):
    y = np.random.default_rng(0).normal(size=len(table))
    for generator in (ArithmeticFeatures(), CrossedCategories()):
        model = make_pipeline(generator, DecisionTreeRegressor(max_leaf_nodes=9))
        model.fit(table, y)
        assert_array_equal(model[0].features_, [])
        check_numbers(run_onnx, model, table)
