"""Local trees and Gaussian processes are the same in ONNX."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import (
    RBF,
    ConstantKernel,
    Matern,
    WhiteKernel,
)

from manyminds.ensemble import (
    ForestOfLocalTreesClassifier,
    ForestOfLocalTreesRegressor,
)
from manyminds.export.graph import ExportError


@pytest.fixture
def targets(table, seed):
    noise = np.random.default_rng(seed).normal(size=len(table))
    return 50.0 + 3.0 * np.sin(table["a"].fillna(0.0)) + noise


def test_local_trees(run_onnx, table, classes, targets):
    options = {"n_estimators": 8, "precision": 5.0, "random_state": 0}
    model = ForestOfLocalTreesClassifier(**options).fit(table, classes)
    label, made = run_onnx(model, table)
    assert_allclose(made, model.predict_proba(table), rtol=0, atol=1e-12)
    assert_array_equal(label, model.predict(table))
    model = ForestOfLocalTreesRegressor(**options).fit(table, targets)
    made = run_onnx(model, table, "regression")[0][:, 0]
    assert_allclose(made, model.predict(table), rtol=1e-12)


@pytest.mark.parametrize("length_scale", [1.0, [1.0, 2.0, 3.0, 4.0]])
def test_gaussian_process(run_onnx, table, targets, length_scale):
    X = table[list("abcd")].fillna(0.0)
    kernel = ConstantKernel(2.0) * Matern(length_scale, nu=1.5) + WhiteKernel(0.1)
    model = GaussianProcessRegressor(kernel, normalize_y=True).fit(X[:80], targets[:80])
    made = run_onnx(model, X, "regression")[0][:, 0]
    assert_allclose(made, model.predict(X), rtol=1e-9)


def test_others_are_refused(run_onnx, table, classes, targets):
    X = table[["b"]].fillna(0.0)
    model = ForestOfLocalTreesClassifier(4, n_active=2).fit(X, classes)
    with pytest.raises(ExportError, match="n_active=None"):
        run_onnx(model, X)
    model = GaussianProcessRegressor(RBF(), optimizer=None).fit(X[:9], targets[:9])
    with pytest.raises(ExportError, match="Matern kernels"):
        run_onnx(model, X, "regression")
