"""One mean and one deviation for all cells of a matrix."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csc_matrix, csr_matrix

from manyminds.preprocessing import MatrixScaler


def test_worked_example():
    # Mean 4, variance (9 + 1 + 1 + 9) / 4.
    scaler = MatrixScaler().fit([[1.0, 3.0], [5.0, 7.0]])
    assert scaler.mean_ == 4.0
    assert scaler.scale_ == pytest.approx(np.sqrt(5.0))
    assert_allclose(scaler.transform([[4.0, 9.0]]), [[0.0, np.sqrt(5.0)]])


def test_all_cells_have_mean_0_and_deviation_1(seed):
    X = np.random.default_rng(seed).normal(3.0, [[1.0, 5.0, 0.1]], size=(50, 3))
    scaled = MatrixScaler().fit_transform(X)
    assert_allclose([scaled.mean(), scaled.std()], [0.0, 1.0], atol=1e-9)
    # Columns stay as they are to each other.
    assert_allclose(scaled.std(axis=0) / X.std(axis=0), 1.0 / X.std())


def test_missing_cells_do_not_count_and_stay(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 3))
    X[rng.random(X.shape) < 0.2] = np.nan
    scaler = MatrixScaler().fit(X)
    assert_allclose([scaler.mean_, scaler.scale_], [np.nanmean(X), np.nanstd(X)])
    assert_array_equal(np.isnan(scaler.transform(X)), np.isnan(X))


@pytest.mark.parametrize("form", [csr_matrix, csc_matrix])
def test_zeros_of_sparse_matrices_count(seed, form):
    rng = np.random.default_rng(seed)
    X = np.where(rng.random((30, 4)) < 0.3, rng.normal(2.0, size=(30, 4)), 0.0)
    X[0, 0] = np.nan
    dense, sparse = (MatrixScaler(with_mean=False).fit(M) for M in (X, form(X)))
    assert_allclose([sparse.mean_, sparse.scale_], [np.nanmean(X), np.nanstd(X)])
    assert_allclose(sparse.transform(form(X)).toarray(), dense.transform(X))
    back = sparse.inverse_transform(sparse.transform(form(X)))
    assert_allclose(back.toarray(), X)
    with pytest.raises(ValueError, match="with_mean must be False for a sparse matrix"):
        MatrixScaler().fit(form(X))


@pytest.mark.parametrize("with_mean", [False, True])
@pytest.mark.parametrize("with_std", [False, True])
def test_there_and_back(seed, with_mean, with_std):
    X = np.random.default_rng(seed).normal(5.0, 3.0, size=(20, 3))
    scaler = MatrixScaler(with_mean=with_mean, with_std=with_std).fit(X)
    expected = (X - with_mean * X.mean()) / (X.std() if with_std else 1.0)
    assert_allclose(scaler.transform(X), expected)
    assert_allclose(scaler.inverse_transform(expected), X)


@pytest.mark.parametrize("value", [0.0, 0.1, 1e9, np.nan])
def test_equal_or_missing_cells_are_not_blown_up(value):
    scaler = MatrixScaler().fit(np.full((7, 3), value))
    assert scaler.scale_ == 1.0
    assert np.isfinite(scaler.mean_)


def test_names_and_single_precision():
    frame = pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]}, dtype=np.float32)
    scaler = MatrixScaler().set_output(transform="pandas").fit(frame)
    scaled = scaler.transform(frame)
    assert list(scaled.columns) == list(scaler.get_feature_names_out()) == ["a", "b"]
    assert scaled["a"].dtype == np.float32


@pytest.mark.parametrize("exponent", [-1070, -600, 0, 600, 1020])
def test_the_unit_of_cells_does_not_matter(exponent):
    X = np.array([[1.0, 3.0], [5.0, 7.0]])
    unit = 2.0**exponent
    scaler = MatrixScaler().fit(unit * X)
    assert scaler.mean_ == 4.0 * unit
    if exponent > -1070:  # numbers this small are whole multiples of the smallest
        assert scaler.scale_ == np.sqrt(5.0) * unit
        assert_array_equal(scaler.transform(unit * X), MatrixScaler().fit_transform(X))
    assert np.isfinite(scaler.transform(unit * X)).all()


def test_large_cells_of_a_sparse_matrix_and_of_single_precision():
    X = np.array([[0.0, 3e200], [0.0, 5e200]])
    expected = MatrixScaler().fit(X)
    scaler = MatrixScaler(with_mean=False).fit(csr_matrix(X))
    assert_allclose([scaler.mean_, scaler.scale_], [expected.mean_, expected.scale_])
    single = MatrixScaler().fit((X / 1e165).astype(np.float32))
    assert_allclose(single.scale_, expected.scale_ / 1e165, rtol=1e-6)
