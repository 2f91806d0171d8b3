"""The Fisher subspace: its basis, its dimensions, and what does not matter."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import subspace_angles
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from manyminds.learners import FisherSubspace, TIPCACClassifier


def table(seed, n_classes=5, n_features=9, n_samples=120):
    rng = np.random.default_rng(seed)
    y = np.sort(rng.integers(n_classes, size=n_samples) ** 2 % n_classes)
    y[: 3 * n_classes] = np.repeat(np.arange(n_classes), 3)
    centers = rng.normal(size=(n_classes, n_features))
    spread = rng.normal(size=(n_features, n_features))
    return centers[y] + rng.normal(size=(n_samples, n_features)) @ spread, y


def naive(X, y, d, left_out):
    """Return the whitening and Gram-Schmidt's basis without one class mean."""
    P = (X - X.mean(axis=0)).T
    U, q, _ = np.linalg.svd(P, full_matrices=False)
    U, q = U[:, :d], q[:d]
    W = q[-1] * U @ np.diag(1 / q) @ U.T + np.eye(len(P)) - U @ U.T
    basis = []
    for c in np.delete(np.unique(y), left_out):
        v = W @ P[:, y == c].mean(axis=1)
        for b in basis:
            v = v - b * (b @ v)
        basis.append(v / np.linalg.norm(v))
    return W, np.array(basis).T


@pytest.mark.parametrize("left_out", range(5))
@pytest.mark.parametrize("d", [3, 9])
def test_subspace_whichever_mean_is_left_out(seed, d, left_out):
    # Item 6 of the acceptance list, first part.
    X, y = table(seed)
    model = FisherSubspace(d).fit(X, y)
    W, basis = naive(X, y, d, left_out)
    assert model.basis_.shape == (9, 4)
    assert_allclose(model.basis_.T @ model.basis_, np.eye(4), atol=1e-10)
    assert subspace_angles(model.basis_, basis).max() < 1e-6
    z = model.transform(X)
    expected = (X - X.mean(axis=0)) @ W @ basis
    assert_allclose(z @ z.T, expected @ expected.T, atol=1e-7 * np.abs(z @ z.T).max())


def test_all_components_span_what_lda_spans(seed):
    X, y = table(seed)
    model = FisherSubspace(None).fit(X, y)
    lda = LinearDiscriminantAnalysis(solver="eigen").fit(X, y)
    assert subspace_angles(model.components_.T, lda.scalings_[:, :4]).max() < 1e-6


def test_two_classes_are_tipcac(seed):
    X, y = table(seed, n_classes=2)
    z = FisherSubspace(4).fit_transform(X, y)[:, 0]
    projections = TIPCACClassifier(4).fit(X, y).project(X)
    assert_allclose(np.abs(z), np.abs(projections), atol=1e-9)


def test_dependent_means_are_dropped(seed):
    # Three means on a line span one dimension.
    rng = np.random.default_rng(seed)
    noise = rng.normal(size=(30, 4))
    noise -= noise.mean(axis=0)
    X = np.concatenate([noise + k * np.array([1.0, 2, 0, 1]) for k in (0, 1, 2)])
    assert FisherSubspace().fit(X, np.repeat([0, 1, 2], 30)).basis_.shape == (4, 1)


def test_fewer_features_than_classes(seed):
    X, y = table(seed, n_classes=8, n_features=3)
    assert FisherSubspace().fit_transform(X, y).shape == (120, 3)


def test_names_of_outputs():
    X, y = table(0)
    names = FisherSubspace().fit(X, y).get_feature_names_out()
    assert list(names) == [f"fishersubspace{k}" for k in range(4)]
