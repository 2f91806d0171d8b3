"""Classifiers of categories have the same outputs in ONNX."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.networks import (
    AnDEClassifier,
    AODEClassifier,
    NaiveBayesClassifier,
    TANClassifier,
)

MODELS = [
    AODEClassifier(smoothing=0.3),
    AODEClassifier(min_rows=4),
    AnDEClassifier(2, discretize="quantile", n_bins=3),
    NaiveBayesClassifier(),
    TANClassifier(),
    TANClassifier(discretize="quantile", smoothing=3.0),
]


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_numbers_and_categories(run_onnx, table, classes, model):
    # Some towns of the last rows are unseen, and some rows have no known value.
    model.fit(table[:150], classes[:150])
    X = table.copy()
    X.iloc[-3:, :] = np.nan
    label, made = run_onnx(model, X)
    assert_allclose(made, model.predict_proba(X), rtol=0, atol=1e-12)
    assert_array_equal(label, model.predict(X))


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_columns_without_states(run_onnx, seed, model):
    # A column that no class depends on is not cut, and no set is left.
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.normal(size=40), "b": np.ones(40)})
    y = np.repeat([0, 1], 20)
    X["a"] += 5.0 * y
    label, made = run_onnx(model.fit(X, y), X)
    assert_allclose(made, model.predict_proba(X), rtol=0, atol=1e-12)
    assert_array_equal(label, model.predict(X))
