"""Nets have the same probabilities and numbers in ONNX; RealMLP up to float32."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.calibration import CalibratedClassifierCV
from sklearn.naive_bayes import GaussianNB

from manyminds.export.graph import ExportError
from manyminds.learners import (
    ELMClassifier,
    ELMRegressor,
    RealMLPClassifier,
    RealMLPRegressor,
)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_calibrated_elm(run_onnx, table, classes, n_classes):
    X = table[list("abcd")].fillna(0.0)
    y = classes if n_classes == 3 else (classes == "low").astype(int)
    machine = ELMClassifier(40, alpha=0.01, random_state=0)
    model = CalibratedClassifierCV(machine, cv=3, ensemble=False).fit(X, y)
    label, made = run_onnx(model, X)
    assert_allclose(made, model.predict_proba(X), rtol=0, atol=1e-10)
    assert_array_equal(label, model.predict(X))


@pytest.mark.parametrize("activation", ["tanh", "sigmoid", "sine", "relu"])
def test_elm_of_numbers(run_onnx, table, activation, seed):
    X = table[list("abcd")].fillna(0.0)
    y = X["a"] + np.random.default_rng(seed).normal(size=len(X))
    scale = "standard" if activation == "tanh" else None
    model = ELMRegressor(30, activation=activation, scale=scale, random_state=0)
    made = run_onnx(model.fit(X, y), X, "regression")[0][:, 0]
    assert_allclose(made, model.predict(X), rtol=0, atol=1e-10)


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (CalibratedClassifierCV(ELMClassifier(9), cv=3), "ensemble=False"),
        (CalibratedClassifierCV(GaussianNB(), ensemble=False), "GaussianNB"),
        (
            CalibratedClassifierCV(ELMClassifier(9, output="integer"), ensemble=False),
            "output='integer'",
        ),
    ],
)
def test_other_calibrated_learners_are_refused(run_onnx, table, classes, model, words):
    X = table[list("abcd")].fillna(0.0)
    with pytest.raises(ExportError, match=words):
        run_onnx(model.fit(X, classes), X)


@pytest.mark.slow
@pytest.mark.parametrize("embed", [True, False], ids=["cosines", "plain"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_net_classifiers(run_onnx, table, classes, embed, n_classes):
    y = classes if n_classes == 3 else (classes == "low").astype(int)
    train = slice(0, 160)  # other rows have unknown levels and other missing values
    table["two"] = pd.Categorical(np.where(table["a"] > 0.3, "yes", "no"))
    table["same"] = 1.0
    model = RealMLPClassifier(
        (24, 16), numeric_embedding=embed, max_epochs=12, random_state=0
    )
    model.fit(table[train], y[train])
    label, made = run_onnx(model, table)
    expected = model.predict_proba(table)
    assert made.dtype == np.float64
    assert_allclose(made, expected, rtol=0, atol=1e-5)
    top = np.sort(expected, axis=1)
    decided = top[:, -1] - top[:, -2] > 1e-5
    assert_array_equal(label[decided], model.predict(table)[decided])
    assert decided.mean() > 0.95


@pytest.mark.slow
@pytest.mark.parametrize("embed", [True, False], ids=["cosines", "plain"])
def test_net_regressors(run_onnx, table, embed):
    y = 1000.0 + 50.0 * table["a"].fillna(0.0).to_numpy()
    model = RealMLPRegressor(
        (24, 16), numeric_embedding=embed, max_epochs=12, random_state=0
    )
    model.fit(table, y)
    table.iloc[0, :4] = [1e30, -1e30, np.inf, 0.0]
    made = run_onnx(model, table, "regression")[0][:, 0]
    expected = model.predict(table[1:])
    assert_allclose(made[1:], expected, rtol=0, atol=1e-5 * np.ptp(y))
    assert y.min() <= made[0] <= y.max()


def test_nets_of_constant_columns(run_onnx):
    X = pd.DataFrame({"a": np.ones(60), "b": np.full(60, np.nan)})
    y = np.repeat([0, 1, 1], 20)
    model = RealMLPClassifier((4,), max_epochs=2, random_state=0).fit(X, y)
    made = run_onnx(model, X)[1]
    assert_allclose(made, model.predict_proba(X), rtol=0, atol=1e-5)
