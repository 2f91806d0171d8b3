"""F, correlation and compression: by hand, and as other libraries have them."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csc_matrix
from sklearn.feature_selection import f_classif

from manyminds.feature_selection.associations import (
    absolute_pearson,
    anova_f,
    compression_index,
)


def draw(rng, n_samples=70, n_features=9):
    scale = 10.0 ** rng.integers(-3, 4)
    X = scale * (rng.normal(size=(n_samples, n_features)) + 5.0)
    return X, rng.integers(0, 3, n_samples)


def test_worked_f():
    # Means 1.5 and 4.5 about 3: between = 4 * 1.5^2 = 9, within = 4 * 0.5^2 = 1;
    # F = (9 / 1) / (1 / 2) = 18.
    X = np.array([[1.0], [2.0], [4.0], [5.0]])
    assert_allclose(anova_f(X, np.array([0, 0, 1, 1]), 2), [18.0])


def test_f_is_scikit_learns(seed):
    X, y = draw(np.random.default_rng(seed))
    assert_allclose(anova_f(X, y, 3), f_classif(X, y)[0], rtol=1e-8)


def test_f_of_constant_and_of_perfect_columns():
    X = np.array([[7.3, 0.1], [7.3, 0.1], [7.3, 0.4], [7.3, 0.4]])
    assert (anova_f(X, np.array([0, 0, 1, 1]), 2) == [0.0, np.inf]).all()


def test_pearson_is_numpys(seed):
    X, _ = draw(np.random.default_rng(seed))
    expected = np.abs(np.corrcoef(X.T)[3])
    assert_allclose(absolute_pearson(X, X[:, 3]), expected, atol=1e-9)


def test_compression_index_is_the_smaller_eigenvalue(seed):
    X, _ = draw(np.random.default_rng(seed))
    for j, found in enumerate(compression_index(X, X[:, 0])):
        covariance = np.cov(X[:, 0], X[:, j], bias=True)
        scale = np.trace(covariance)
        assert_allclose(
            found, np.linalg.eigvalsh(covariance)[0], rtol=1e-6, atol=1e-9 * scale
        )


def test_compression_index_does_not_mind_rotation(seed):
    rng = np.random.default_rng(seed)
    pair, angle = rng.normal(size=(50, 2)), rng.uniform(0.0, 6.0)
    c, s = np.cos(angle), np.sin(angle)
    turned = pair @ np.array([[c, -s], [s, c]])
    before = compression_index(pair[:, :1], pair[:, 1])
    assert_allclose(compression_index(turned[:, :1], turned[:, 1]), before, rtol=1e-8)


def measures(X, y, weight=None):
    x = np.sin(np.arange(len(y)))
    return np.stack(
        [
            anova_f(X, y, 3, weight),
            absolute_pearson(X, x, weight),
            compression_index(X, x, weight),
        ]
    )


def test_weights_are_repetitions(seed):
    rng = np.random.default_rng(seed)
    X, y = draw(rng)
    weight, x = rng.integers(0, 3, len(y)), np.sin(np.arange(len(y)))
    X_long, y_long = np.repeat(X, weight, axis=0), np.repeat(y, weight)
    x_long = np.repeat(x, weight)
    expected = np.stack(
        [
            anova_f(X_long, y_long, 3),
            absolute_pearson(X_long, x_long),
            compression_index(X_long, x_long),
        ]
    )
    assert_allclose(measures(X, y, weight.astype(float)), expected, rtol=1e-7)


@pytest.mark.parametrize("weighted", [False, True])
def test_sparse_is_dense(seed, weighted):
    rng = np.random.default_rng(seed)
    X, y = draw(rng)
    X = np.where(rng.random(X.shape) < 0.7, 0.0, X)
    weight = rng.uniform(0.5, 2.0, len(y)) if weighted else None
    found = measures(csc_matrix(X), y, weight)
    assert_allclose(found, measures(X, y, weight), rtol=1e-6, atol=1e-9)


def test_large_means_do_not_hurt(seed):
    X, y = draw(np.random.default_rng(seed))
    far = X + 1e4 * X.std()
    assert_allclose(anova_f(far, y, 3), anova_f(X, y, 3), rtol=1e-5)
