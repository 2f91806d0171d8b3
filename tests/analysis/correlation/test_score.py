"""Correlation scores: the spec's figures, what must not matter, and singular tables."""

import warnings

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.linear_model import LinearRegression
from sklearn.preprocessing import OneHotEncoder

from manyminds.analysis.correlation import AddNoise, Bootstrap, correlation_score
from manyminds.analysis.correlation.score import ASSOCIATIONS, METHODS, PROJECTED


def draw(seed, n_rows=90, n_columns=4, n_classes=3):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n_rows) % n_classes)
    return rng.normal(size=(n_rows, n_columns)) + 0.5 * y[:, None], y


def naive_r2(X, y):
    """Equation 2.9: the input-input and input-output matrices of correlations."""
    Y = (np.asarray(y)[:, None] == np.unique(y)).astype(float)
    C = np.corrcoef(np.hstack([X, Y]), rowvar=False)
    n = X.shape[1]
    inside, across = C[:n, :n], C[:n, n:]
    return np.diag(across.T @ np.linalg.inv(inside) @ across)


def naive_eigenvalues(X, y):
    """Scatter between and within classes, and the eigenvalues of their ratio."""
    classes, mean = np.unique(y), X.mean(axis=0)
    B = sum(
        (y == c).sum() * np.outer(X[y == c].mean(0) - mean, X[y == c].mean(0) - mean)
        for c in classes
    )
    W = sum(
        (X[y == c] - X[y == c].mean(0)).T @ (X[y == c] - X[y == c].mean(0))
        for c in classes
    )
    values = np.sort(np.abs(np.linalg.eigvals(np.linalg.inv(W) @ B)))[::-1]
    return values[: min(X.shape[1], len(classes) - 1)], W, B


# Acceptance 1.
def test_two_classes_make_determination_and_association_equal(seed):
    X, y = draw(seed, n_classes=2)
    r2 = correlation_score(X, y)
    for method in ASSOCIATIONS:
        assert_allclose(correlation_score(X, y, method), r2, atol=1e-10)


# Acceptance 2.
def test_one_column_gives_fishers_ratio(seed):
    X, y = draw(seed, n_columns=1)
    mean = X.mean()
    between = sum((y == c).sum() * (X[y == c].mean() - mean) ** 2 for c in range(3))
    ratio = between / ((X - mean) ** 2).sum()
    assert_allclose(correlation_score(X, y, "wilks"), ratio, atol=1e-12)
    is_one = y == 1
    biserial = np.corrcoef(X[:, 0], is_one)[0, 1] ** 2
    assert_allclose(correlation_score(X, is_one, "wilks"), biserial, atol=1e-12)


# Acceptance 3.
def test_figures_of_the_specification():
    X, y = load_iris(return_X_y=True)
    by_class = correlation_score(X, y, average=False)
    assert_allclose(by_class, [0.907995, 0.261505, 0.618348], atol=1e-6)
    assert_allclose(correlation_score(X, y), 0.595949, atol=1e-6)
    assert_allclose(correlation_score(X, y, "wilks"), 0.976561, atol=1e-6)
    X, y = load_wine(return_X_y=True)
    assert_allclose(correlation_score(X[:, :4], y), 0.555254, atol=1e-6)
    assert_allclose(correlation_score(X[:, :4], y, "wilks"), 0.827448, atol=1e-6)
    X, y = load_breast_cancer(return_X_y=True)
    assert_allclose(correlation_score(X[:, :4], y), 0.618068, atol=1e-6)
    assert_allclose(correlation_score(X[:, :4], y, "wilks"), 0.618068, atol=1e-6)


# Acceptance 4.
@pytest.mark.parametrize("method", PROJECTED)
def test_affine_maps_do_not_matter(method, seed):
    X, y = draw(seed)
    rng = np.random.default_rng(seed + 1)
    mixing = np.linalg.qr(rng.normal(size=(4, 4)))[0] * [1e-3, 1.0, 10.0, 1e3]
    moved = X @ mixing + rng.normal(size=4) * 100
    expected = correlation_score(X, y, method)
    assert_allclose(correlation_score(moved, y, method), expected, atol=1e-8)


def test_affine_maps_do_matter_for_uncertainty(seed):
    X, y = draw(seed)
    options = {"preparers": [], "clip": False}
    one = correlation_score(X, y, "uncertainty", **options)
    other = correlation_score(X * [1, 100, 1, 1], y, "uncertainty", **options)
    assert abs(one - other) > 1e-6


# Acceptance 5.
def test_naive_twins_and_linear_regression_agree(seed):
    X, y = draw(seed)
    by_class = correlation_score(X, y, average=False)
    assert_allclose(by_class, naive_r2(X, y), atol=1e-10)
    Y = (y[:, None] == np.arange(3)).astype(float)
    fitted = LinearRegression().fit(X, Y).predict(X)
    residual = ((Y - fitted) ** 2).sum(axis=0)
    r2 = 1 - residual / ((Y - Y.mean(axis=0)) ** 2).sum(axis=0)
    assert_allclose(by_class, r2, atol=1e-10)
    assert_allclose(correlation_score(X, y), r2.mean(), atol=1e-10)


def test_naive_twins_of_association_agree(seed):
    X, y = draw(seed)
    values, W, B = naive_eigenvalues(X, y)
    ratio = np.linalg.det(W) / np.linalg.det(W + B)
    mean = values.mean()
    expected = {
        "wilks": 1 - ratio,
        "harmonic_wilks": 1 - ratio ** (1 / len(values)),
        "pillai": (values / (1 + values)).mean(),
        "lawley_hotelling": mean / (1 + mean),
        "roy": values[0] / (1 + values[0]),
    }
    for method, value in expected.items():
        assert_allclose(correlation_score(X, y, method), value, atol=1e-10)
    # Identity (iv): association is at least the best determination.
    assert expected["wilks"] >= correlation_score(X, y, average=False).max() - 1e-12


# Acceptance 6.
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", ["duplicated", "one-hot", "wide", "constant"])
def test_singular_tables_have_finite_scores(method, kind, seed):
    X, y = draw(seed, n_rows=45)
    rng = np.random.default_rng(seed)
    if kind == "duplicated":
        X = np.c_[X, 1000 + X[:, 0] / 1000, X[:, 0] + X[:, 1]]
    elif kind == "one-hot":
        X = np.eye(6)[rng.integers(6, size=len(y))]
    elif kind == "wide":
        X = np.c_[X, rng.normal(size=(45, 60))]
    else:
        X = np.c_[X, np.full(45, 0.1)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        score = correlation_score(X, y, method, random_state=0)
    assert np.isfinite(score) and 0.0 <= score <= 1.0


@pytest.mark.parametrize("method", PROJECTED)
def test_dependent_columns_change_nothing(method, seed):
    X, y = draw(seed)
    expected = correlation_score(X, y, method)
    more = np.c_[X, X[:, 0], 1000 + X[:, 1] / 1000, X @ [1, 2, 3, 4], np.ones(len(X))]
    assert_allclose(correlation_score(more, y, method), expected, atol=1e-8)


def test_wide_tables_explain_everything(seed):
    X, y = draw(seed, n_rows=20, n_columns=30)
    assert_allclose(correlation_score(X, y), 1.0)
    assert_allclose(correlation_score(X, y, "wilks"), 1.0)
    assert correlation_score(X, y, "adjusted_r2") == 0.0
    assert correlation_score(X, y, "cross_validated_r2") == 0.0


def test_units_of_any_size_are_borne(seed):
    X, y = draw(seed)
    expected = correlation_score(X, y)
    units = [1e-200, 1e200, 1e-8, 1e8]
    assert_allclose(correlation_score(X * units, y), expected, atol=1e-10)


def test_one_class_scores_zero(seed):
    X, _ = draw(seed)
    for method in METHODS:
        assert correlation_score(X, np.ones(len(X)), method) == 0.0


def test_label_encoders(seed):
    X, y = draw(seed)
    for method in ASSOCIATIONS:  # one class against the rest: the same as R²
        score = correlation_score(X, y, method, label_encoder="one-hot")
        assert_allclose(score, correlation_score(X, y), atol=1e-10)
    numbers = np.array([1.0, 2.0, 10.0])[y]
    expected = LinearRegression().fit(X, numbers).score(X, numbers)
    score = correlation_score(X, numbers, label_encoder="none")
    assert_allclose(score, expected, atol=1e-10)
    names = np.array(["a", "b", "c"])[y]
    expected = LinearRegression().fit(X, y).score(X, y)
    score = correlation_score(X, names, label_encoder="none")
    assert_allclose(score, expected, atol=1e-10)
    by_class = correlation_score(
        X, y, "distance", label_encoder="one-hot", average=False
    )
    alone = [correlation_score(X, y == k, "distance") for k in range(3)]
    assert_allclose(by_class, alone)


def test_order_of_rows_and_names_of_classes_do_not_matter(seed):
    X, y = draw(seed)
    rows = np.random.default_rng(seed).permutation(len(y))
    names = np.array(["z", "a", "m"])[y]
    for method in METHODS:
        options = {"preparers": [], "clip": False}
        expected = correlation_score(X, y, method, **options)
        found = correlation_score(X[rows], names[rows], method, **options)
        assert_allclose(found, expected, atol=1e-10)


def test_categories_are_indicator_columns(seed):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(60) % 3)
    hue, size = rng.integers(4, size=60), rng.normal(size=60) + y
    frame = pd.DataFrame({"hue": pd.Categorical(hue), "size": size})
    blocks = OneHotEncoder(sparse_output=False).fit_transform(hue[:, None])
    expected = correlation_score(np.c_[blocks, size], y)
    assert_allclose(correlation_score(frame, y), expected, atol=1e-12)
    given = correlation_score(np.c_[hue, size], y, categorical_features=[0])
    assert_allclose(given, expected, atol=1e-12)
    assert abs(correlation_score(np.c_[hue, size], y) - expected) > 1e-12


def test_polars_frames_score_as_pandas_frames(seed):
    polars = pytest.importorskip("polars")
    X, y = draw(seed)
    frame = polars.DataFrame({f"x{j}": X[:, j] for j in range(4)})
    assert_allclose(correlation_score(frame, y), correlation_score(X, y))


def test_preparers_are_applied_in_turn(seed):
    X, y = draw(seed)
    options = {"preparers": [Bootstrap(0.5), AddNoise(1e-4)], "random_state": seed}
    one, same = (correlation_score(X, y, **options) for _ in range(2))
    assert one == same
    assert one != correlation_score(X, y)

    def shuffle_labels(X, y, random_state):
        return X, random_state.permutation(y)

    # Shuffled labels: R² is about 4 / 89 by chance, at most 0.17 in 300 draws.
    shuffled = correlation_score(X, y, preparers=[shuffle_labels], random_state=seed)
    assert shuffled < 0.35


def test_noise_of_the_thesis_hardly_matters(seed):
    X, y = draw(seed)
    noisy = correlation_score(X, y, preparers=[AddNoise(1e-4)], random_state=seed)
    assert_allclose(noisy, correlation_score(X, y), atol=1e-3)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"method": "r3"}, "method must be one of"),
        ({"label_encoder": "ordinal"}, "label_encoder must be one of"),
        ({"tol": -1.0}, "tol must be a number of 0 or more"),
        ({"preparers": "noise"}, "preparers must be 'auto' or a sequence"),
        ({"preparers": [1]}, "preparers must be 'auto' or a sequence"),
        ({"X": [[np.nan], [1.0]]}, "1 missing numbers"),
        ({"y": [0.5, 0.7]}, "[Uu]nknown label type"),
    ],
)
def test_errors_say_what_is_wrong(change, message):
    options = {"X": [[0.0], [1.0]], "y": [0, 1], **change}
    with pytest.raises(ValueError, match=message):
        correlation_score(**options)


def test_sparse_tables_are_refused():
    from scipy.sparse import csr_array

    with pytest.raises(TypeError, match="sparse"):
        correlation_score(csr_array(np.eye(4)), [0, 1, 0, 1])
