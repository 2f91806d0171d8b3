"""Nearest neighbors have the same outputs in ONNX, ties included."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.decomposition import PCA
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from manyminds.learners import KNeighborsClassifierCV, KNeighborsRegressorCV

METRICS = ["euclidean", "manhattan", "minkowski", "canberra", "chebyshev"]


@pytest.fixture
def whole(seed):
    """Return few different rows, with many ties, and three classes."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.integers(3, size=(120, 4)) * 0.1, columns=list("abcd"))
    y = (X["a"] + 0.3 * rng.random(120)).round(1) * 10 // 2
    return X, y.astype(int).to_numpy()


@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("metric", METRICS)
def test_classes(run_onnx, whole, metric, weights):
    X, y = whole
    model = KNeighborsClassifierCV(7, metric=metric, p=1.5, weights=weights)
    model = make_pipeline(StandardScaler(), model).fit(X[:80], y[:80])
    label, made = run_onnx(model, X)
    assert_allclose(made, model.predict_proba(X), rtol=0, atol=1e-12)
    assert_array_equal(label, model.predict(X))


@pytest.mark.parametrize("n_neighbors", [1, 5, 80])
def test_numbers(run_onnx, whole, n_neighbors):
    X, y = whole
    model = KNeighborsRegressorCV(n_neighbors, weights="distance")
    model.fit(X[:80], y[:80] + 100.0)
    made = run_onnx(model, X, "regression")[0][:, 0]
    assert_allclose(made, model.predict(X), rtol=1e-12)


@pytest.mark.parametrize("metric", ["euclidean", "canberra"])
def test_rotated_columns_have_other_rounding_errors(run_onnx, whole, metric):
    X, y = whole
    X = X.assign(e=X["a"] + X["b"], f=1.0)  # components without variance
    model = KNeighborsClassifierCV(4, metric=metric, weights="distance")
    model = make_pipeline(StandardScaler(), PCA(), model).fit(X[:80], y[:80])
    label, made = run_onnx(model, X)
    assert_allclose(made, model.predict_proba(X), rtol=0, atol=1e-9)
    assert_array_equal(label, model.predict(X))
