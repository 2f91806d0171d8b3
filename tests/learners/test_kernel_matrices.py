"""Blocks of kernels, leading eigenvalues, and kernels by landmarks."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.learners import kernel_matrices
from manyminds.learners.kernel_matrices import (
    approximate_kernel,
    center_kernel,
    find_spectrum,
    multiply_kernel,
    split_rows,
)
from manyminds.learners.width_kernels import WidthKernel

KERNEL = WidthKernel("gaussian", 4.0)


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr(kernel_matrices, "_BLOCK_CELLS", 70)


def table(seed, n_samples=30):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n_samples, 3)), rng.uniform(0.5, 2.0, size=n_samples)


def center(K, weight):
    """Center a kernel matrix by definition."""
    share = weight / weight.sum()
    H = np.eye(len(K)) - np.outer(np.ones(len(K)), share)
    return np.sqrt(np.outer(weight, weight)) * (H @ K @ H.T)


def test_rows_are_split_without_gaps(small_blocks):
    blocks = split_rows(10, 20)
    assert np.concatenate([np.arange(10)[rows] for rows in blocks]).tolist() == [
        *range(10)
    ]
    assert len(blocks) == 4


def test_blocks_multiply_like_the_matrix(seed, small_blocks):
    X, coef = table(seed)
    product = multiply_kernel(KERNEL, X, X[:20], coef[:20])
    assert_allclose(product, KERNEL(X, X[:20]) @ coef[:20])


def test_centered_matrix(seed, small_blocks):
    X, weight = table(seed)
    matrix, means = center_kernel(KERNEL, X, weight)
    assert_allclose(matrix, center(KERNEL(X, X), weight), atol=1e-12)
    assert_allclose(means, KERNEL(X, X) @ weight / weight.sum())
    assert_allclose(matrix @ np.sqrt(weight), 0.0, atol=1e-12)


def test_share_of_the_spectrum(seed, monkeypatch):
    X, weight = table(seed, 60)
    matrix, _ = center_kernel(KERNEL, X, weight)
    values = np.linalg.eigvalsh(matrix)[::-1]
    for share in (0.3, 0.8, 0.955):
        n_kept = np.argmax(np.cumsum(values) >= share * values.sum()) + 1
        monkeypatch.setattr(kernel_matrices, "_MIN_LANCZOS", 10**9)
        whole = find_spectrum(matrix, share)
        monkeypatch.setattr(kernel_matrices, "_MIN_LANCZOS", 10)
        monkeypatch.setattr(kernel_matrices, "_FIRST_LANCZOS", 2)
        lanczos = find_spectrum(matrix, share)
        for spectrum in (whole, lanczos):
            assert_allclose(spectrum.values, values[:n_kept], rtol=1e-9)
            product = matrix @ spectrum.vectors
            assert_allclose(product, spectrum.vectors * spectrum.values, atol=1e-9)
    assert len(find_spectrum(matrix, 1.0, n_components=5).values) == 5


def test_eigenvalues_of_rounding_are_dropped(seed):
    X, weight = table(seed)
    matrix, _ = center_kernel(WidthKernel("linear", 1.0), X, weight)
    assert len(find_spectrum(matrix, 1.0).values) == 3
    assert len(find_spectrum(matrix, 1.0, n_components=20).values) == 3
    assert len(find_spectrum(np.zeros((4, 4)), 0.9).values) == 0


def test_landmarks_by_definition(seed, small_blocks):
    X, weight = table(seed)
    contrast = np.random.default_rng(seed).normal(size=30)
    found = approximate_kernel(KERNEL, X, X[:12], weight, contrast)
    C = KERNEL(X, X[:12])
    K = C @ np.linalg.pinv(KERNEL(X[:12], X[:12])) @ C.T
    features = C @ found.root
    assert_allclose(features @ features.T, K, atol=1e-7)
    assert_allclose(found.mean, weight @ features / weight.sum())
    around = features - found.mean
    assert_allclose(found.scatter, around.T @ (weight[:, None] * around), atol=1e-10)
    assert_allclose(found.contrast, features.T @ (weight * contrast), atol=1e-10)
    # The error of the kernel matrix is positive semidefinite: its nuclear norm is its
    # trace.
    error = weight @ np.diag(KERNEL(X, X) - K)
    norm = np.linalg.norm(
        np.sqrt(np.outer(weight, weight)) * (KERNEL(X, X) - K), ord="nuc"
    )
    assert_allclose(error, norm, rtol=1e-6)
    assert_allclose(found.error, error / (error + np.trace(found.scatter)), rtol=1e-6)


def test_all_samples_as_landmarks_have_no_error(seed):
    X, weight = table(seed)
    found = approximate_kernel(KERNEL, X, X, weight, weight)
    assert found.error < 1e-9
    exact = np.linalg.eigvalsh(center(KERNEL(X, X), weight))[::-1][:5]
    assert_allclose(np.linalg.eigvalsh(found.scatter)[::-1][:5], exact, rtol=1e-7)


def test_more_landmarks_have_a_smaller_error(seed):
    X, weight = table(seed, 200)
    errors = [
        approximate_kernel(KERNEL, X, X[:n], weight, weight).error
        for n in (5, 20, 80, 200)
    ]
    assert np.all(np.diff(errors) < 0.0)


def test_products_that_overflow_are_named():
    with pytest.raises(ValueError, match="overflow: scale the columns"):
        find_spectrum(np.diag([1.0, np.inf]), 0.8)
