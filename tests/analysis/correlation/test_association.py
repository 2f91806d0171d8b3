"""Wilks's test, against the analysis of variance, Hotelling's test and CCA."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import f, f_oneway
from sklearn.cross_decomposition import CCA
from sklearn.datasets import load_iris

from manyminds.analysis.correlation import correlation_score, wilks_test


def draw(seed, n_columns=3, n_classes=4, n_rows=80):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n_rows) % n_classes)
    return rng.normal(size=(n_rows, n_columns)) + 0.3 * y[:, None], y


def test_one_column_is_the_analysis_of_variance(seed):
    X, y = draw(seed, n_columns=1)
    expected = f_oneway(*(X[y == k, 0] for k in range(4)))
    found = wilks_test(X, y)
    assert_allclose([found.f_value, found.p_value], expected, rtol=1e-8)
    assert found.degrees_of_freedom == (3.0, 76.0)


def test_two_classes_are_hotellings_test(seed):
    X, y = draw(seed, n_classes=2)
    n, p = X.shape
    one, other = X[y == 0], X[y == 1]
    pooled = sum((len(x) - 1) * np.cov(x.T) for x in (one, other)) / (n - 2)
    apart = one.mean(axis=0) - other.mean(axis=0)
    t2 = len(one) * len(other) / n * apart @ np.linalg.solve(pooled, apart)
    value = t2 * (n - p - 1) / (p * (n - 2))
    found = wilks_test(X, y)
    assert_allclose(found.f_value, value, rtol=1e-8)
    assert_allclose(found.p_value, f.sf(value, p, n - p - 1), rtol=1e-7)


def test_iris_has_the_textbooks_figures():
    # Fisher's iris: Λ = 0.0234, F = 199.15 with 8 and 288 degrees of freedom.
    found = wilks_test(*load_iris(return_X_y=True))
    assert_allclose(found.statistic, 0.02344, atol=5e-6)
    assert_allclose(found.f_value, 199.15, atol=5e-3)
    assert found.degrees_of_freedom == (8.0, 288.0)


@pytest.mark.slow
def test_p_values_are_uniform_without_effect(seed):
    # 400 draws: the share below 0.2 has standard deviation 0.02.
    rng = np.random.default_rng(seed)
    y = np.arange(40) % 4
    below = [wilks_test(rng.normal(size=(40, 3)), y).p_value < 0.2 for _ in range(400)]
    assert abs(np.mean(below) - 0.2) < 0.09


def test_canonical_correlations_of_scikit_learn(seed):
    # Identity (iii): 1 - Π(1 - r²).
    X, y = draw(seed, n_rows=200)
    Y = (y[:, None] == np.arange(3)).astype(float)  # the fourth follows
    left, right = CCA(n_components=3, max_iter=10000, tol=1e-12).fit_transform(X, Y)
    squares = [np.corrcoef(left[:, i], right[:, i])[0, 1] ** 2 for i in range(3)]
    expected = 1 - np.prod(1 - np.array(squares))
    assert_allclose(correlation_score(X, y, "wilks"), expected, atol=1e-4)


def test_separated_classes_have_p_value_zero():
    X = np.repeat([[0.0, 1.0], [1.0, 0.0], [5.0, 5.0]], 4, axis=0)
    found = wilks_test(X, np.repeat([0, 1, 2], 4))
    assert found.statistic < 1e-14 and found.p_value < 1e-10


def test_errors_say_what_is_wrong(seed):
    X, y = draw(seed)
    with pytest.raises(ValueError, match="two classes"):
        wilks_test(X, np.zeros(len(y)))
    wide = np.random.default_rng(seed).normal(size=(6, 5))
    with pytest.raises(ValueError, match="linearly independent columns"):
        wilks_test(wide, [0, 1, 0, 1, 0, 1])
