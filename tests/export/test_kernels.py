"""Machines and networks of kernels have the same outputs in ONNX."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from manyminds.export.graph import ExportError
from manyminds.learners import (
    KernelWidthSVC,
    KernelWidthSVR,
    NRBFClassifier,
    NRBFRegressor,
)

KERNELS = ["linear", "gaussian", "exponential"]


@pytest.fixture
def numbers(table):
    return table[list("abcd")].fillna(0.0)


@pytest.fixture
def targets(numbers, seed):
    noise = np.random.default_rng(seed).normal(size=len(numbers))
    return 50.0 + 3.0 * np.sin(numbers["a"]) + numbers["b"] * numbers["c"] + noise


def check_classes(run_onnx, model, X):
    label, made = run_onnx(model, X)
    assert_allclose(made, model.predict_proba(X), rtol=0, atol=1e-7)
    assert_array_equal(label, model.predict(X))


@pytest.mark.parametrize("n_classes", [2, 3, 4])
@pytest.mark.parametrize("kernel", KERNELS)
def test_machines_of_classes(run_onnx, numbers, classes, kernel, n_classes):
    y = np.unique(classes, return_inverse=True)[1]
    y = y % 2 if n_classes == 2 else np.where(numbers["d"] > 1, n_classes - 1, y)
    model = make_pipeline(
        StandardScaler(), KernelWidthSVC(kernel, C=3.0, probability=True, cv=3)
    )
    check_classes(run_onnx, model.fit(numbers, y), numbers)


def test_votes_decide_not_probabilities(run_onnx, numbers, classes):
    # Balanced machines find the rare class more often than it is probable.
    model = KernelWidthSVC(class_weight="balanced", probability=True, cv=3)
    for y in (classes, (classes == "mid").astype(int)):
        label, made = run_onnx(model.fit(numbers, y), numbers)
        assert_array_equal(label, model.predict(numbers))
        assert (label != model.classes_[made.argmax(axis=1)]).any()


def test_wide_tables(run_onnx, numbers):
    # Of more columns than rows, kernels are functions, and vectors stored elsewhere.
    few = numbers[:18].T.reset_index(drop=True)
    few.columns = [f"x{j}" for j in range(few.shape[1])]
    y = np.array([0, 1, 0, 1])
    model = KernelWidthSVC("gaussian", probability=True, cv=2).fit(few, y)
    check_classes(run_onnx, model, few)


@pytest.mark.parametrize("kernel", KERNELS)
def test_machines_of_numbers(run_onnx, numbers, targets, kernel):
    model = KernelWidthSVR(kernel, C=10.0).fit(numbers, targets)
    made = run_onnx(model, numbers, "regression")[0][:, 0]
    # Exponential kernels have roots of rounding errors, on both sides.
    atol = 1e-6 if kernel == "exponential" else 1e-10
    assert_allclose(made, model.predict(numbers), rtol=0, atol=atol)


@pytest.mark.parametrize("kernel", KERNELS)
def test_no_support_vectors(run_onnx, numbers, kernel):
    model = KernelWidthSVR(kernel).fit(numbers, np.full(len(numbers), 7.0))
    assert len(model.support_) == 0
    made = run_onnx(model, numbers, "regression")[0][:, 0]
    assert_allclose(made, model.predict(numbers))


@pytest.mark.parametrize("n_prototypes", [None, 5])
def test_nrbf(run_onnx, numbers, classes, targets, n_prototypes):
    far = 1000.0 + numbers  # distances are computed from products
    options = {"n_prototypes": n_prototypes, "random_state": 0}
    model = NRBFClassifier(**options).fit(far, classes)
    check_classes(run_onnx, model, far)
    model = NRBFRegressor(**options).fit(far, targets)
    made = run_onnx(model, far, "regression")[0][:, 0]
    assert_allclose(made, model.predict(far), rtol=1e-9)


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (KernelWidthSVC("gaussian"), "probability=False"),
        (KernelWidthSVC("sigmoid", probability=True), "kernel='sigmoid'"),
    ],
)
def test_other_machines_are_refused(run_onnx, numbers, classes, model, words):
    with pytest.raises(ExportError, match=words):
        run_onnx(model.fit(numbers, classes), numbers)
