"""Support vector machines against scikit-learn's; kernels against their formulas."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_matrix
from sklearn.svm import SVC, SVR

from manyminds.learners.kernel_width_svm import KernelWidthSVC, KernelWidthSVR

KERNELS = ["linear", "gaussian", "exponential", "polynomial", "sigmoid"]


def table(seed, n_samples=60, n_features=4):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples, n_features))
    return X, X[:, 0] + X[:, 1] ** 2 + 0.3 * rng.normal(size=n_samples)


def by_formula(X, Y, kernel, width):
    product = X @ Y.T
    distance = np.sqrt(((X[:, None] - Y) ** 2).sum(axis=2))
    return {
        "linear": product,
        "gaussian": np.exp(-(distance**2) / width),
        "exponential": np.exp(-distance / width),
        "polynomial": (product / width + 1.0) ** 3,
        "sigmoid": np.tanh(product / width + 1.0),
    }[kernel]


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("n_features", [4, 100])  # fewer and more than there are rows
def test_machines_are_those_of_a_given_kernel_matrix(seed, kernel, n_features):
    X, y = table(seed, n_features=n_features)
    label = y > np.median(y)
    width = 0.7 * n_features
    gram, tight = by_formula(X, X, kernel, width), {"C": 2.0, "tol": 1e-8}
    ours = KernelWidthSVC(kernel, width=width, **tight).fit(X, label)
    theirs = SVC(kernel="precomputed", **tight).fit(gram, label)
    expected = theirs.decision_function(gram)
    assert_allclose(ours.decision_function(X), expected, atol=1e-4)
    number = KernelWidthSVR(kernel, width=width, **tight).fit(X, y)
    expected = SVR(kernel="precomputed", **tight).fit(gram, y).predict(gram)
    assert_allclose(number.predict(X), expected, atol=1e-4)


@pytest.mark.parametrize("kernel", ["gaussian", "exponential"])
def test_scale_follows_the_spread_of_rows(seed, kernel):
    X, y = table(seed)
    X = X * [1.0, 3.0, 0.1, 1.0] + 5.0
    distance = ((X[:, None] - X) ** 2).sum(axis=2).mean() / 2.0
    expected = distance if kernel == "gaussian" else np.sqrt(distance)
    model = KernelWidthSVC(kernel).fit(X, y > 0)
    assert model.width_ == pytest.approx(expected)
    assert KernelWidthSVR(kernel).fit(X, y).width_ == pytest.approx(expected)
    # Units, offsets and columns that say nothing do not matter.
    other = np.column_stack([7.0 * X - 3.0, np.full(len(X), 2.0)])
    again = KernelWidthSVC(kernel).fit(other, y > 0)
    expected = model.decision_function(X)
    assert_allclose(again.decision_function(other), expected, atol=2e-2)


def test_width_can_be_given_in_units_of_the_scale(seed):
    X, y = table(seed)
    whole = KernelWidthSVR().fit(X, y)
    third = KernelWidthSVR(width_factor=1 / 3).fit(X, y)
    assert third.width_ == pytest.approx(whole.width_ / 3)
    assert KernelWidthSVC(width=2.0, width_factor=3.0).fit(X, y > 0).width_ == 6.0


def test_classes_have_their_own_costs(seed):
    X, y = table(seed)
    label = np.where(y > np.quantile(y, 0.8), "rare", "frequent")
    for given in ("balanced", {"rare": 4.0, "frequent": 1.0}):
        ours = KernelWidthSVC("linear", class_weight=given).fit(X, label)
        theirs = SVC(kernel="linear", class_weight=given).fit(X, label)
        assert_array_equal(ours.predict(X), theirs.predict(X))
    plain = KernelWidthSVC("linear").fit(X, label)
    assert np.sum(ours.predict(X) == "rare") >= np.sum(plain.predict(X) == "rare")


def test_probabilities_come_from_rows_left_out(seed):
    # The labels are drawn: machines learn them by heart, but folds know better.
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(80, 20)), rng.permutation(80) % 2
    model = KernelWidthSVC(width=0.5, C=100.0, probability=True).fit(X, y)
    assert model.score(X, y) == 1.0
    shares = model.predict_proba(rng.normal(size=(50, 20)))
    assert_allclose(shares.sum(axis=1), 1.0)
    assert np.abs(shares - 0.5).mean() < 0.25
    assert not hasattr(KernelWidthSVC(), "predict_proba")


def test_probabilities_rise_with_the_decision(seed):
    X, y = table(seed)
    model = KernelWidthSVC("exponential", probability=True).fit(X, y > np.median(y))
    order = np.argsort(model.decision_function(X))
    assert (np.diff(model.predict_proba(X)[order, 1]) >= -1e-12).all()


@pytest.mark.parametrize("kernel", ["gaussian", "exponential"])
def test_sparse_tables(seed, kernel):
    X, y = table(seed)
    X = np.where(X > 0, X, 0.0)
    plain = KernelWidthSVR(kernel, tol=1e-8).fit(X, y)
    sparse = KernelWidthSVR(kernel, tol=1e-8).fit(csr_matrix(X), y)
    for model, rows in ((sparse, csr_matrix(X)), (sparse, X), (plain, csr_matrix(X))):
        assert_allclose(model.predict(rows), plain.predict(X), atol=1e-4)


@pytest.mark.parametrize("Model", [KernelWidthSVC, KernelWidthSVR])
def test_rows_without_weight_are_absent(seed, Model):
    X, y = table(seed)
    y = y if Model is KernelWidthSVR else y > np.median(y)
    weight = np.arange(60) % 3 > 0
    weighted = Model(tol=1e-8).fit(X, y, weight.astype(float))
    without = Model(tol=1e-8).fit(X[weight], y[weight])
    answer = "predict" if Model is KernelWidthSVR else "decision_function"
    assert_allclose(getattr(weighted, answer)(X), getattr(without, answer)(X))
    assert weight[weighted.support_].all()
    assert_array_equal(weighted.support_, np.flatnonzero(weight)[without.support_])


def test_whole_weights_are_rows_but_for_the_tolerance(seed):
    X, y = table(seed)
    count = np.random.default_rng(seed).integers(1, 4, 60)
    weighted = KernelWidthSVR(tol=1e-9).fit(X, y, count)
    repeated = KernelWidthSVR(tol=1e-9).fit(np.repeat(X, count, 0), np.repeat(y, count))
    assert_allclose(weighted.predict(X), repeated.predict(X), atol=1e-5)


def test_says_what_is_wrong():
    with pytest.raises(ValueError, match="'kernel' parameter of KernelWidthSVC"):
        KernelWidthSVC("rbf").fit([[0.0], [1.0]], [0, 1])
