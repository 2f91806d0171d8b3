"""Sums of squares and products of centered columns, dense or sparse."""

import numpy as np
from scipy.sparse import csc_matrix, issparse

_BLOCK_CELLS = 2**20  # cells of a table that are centered at a time


def sum_centered(X, weight, targets):
    """Sum squares of centered features, and their products with targets.

    Parameters
    ----------
    X : ndarray or sparse CSC matrix of shape (n_samples, n_features)
        NaN is a missing value.
    weight : ndarray of shape (n_samples,)
        Positive sample weights.
    targets : ndarray of shape (n_samples, n_targets)
        Factors of the products; they need not be centered.

    Returns
    -------
    known : ndarray of shape (n_features, 1)
        Weight of the samples where a feature is not missing. All other sums are over
        these samples.
    squares : ndarray of shape (n_features, 1)
        Squares of a centered feature; exactly 0 for a constant one.
    products : ndarray of shape (n_features, n_targets)
        Products of a centered feature with the targets.
    totals, target_squares : ndarray of shape (n_features, n_targets)
        Sums of the targets, and of their squares.
    """
    weighted = weight[:, None] * targets
    per_row = np.column_stack([weight, weighted, weighted * targets])
    add = _add_sparse if issparse(X) else _add_dense
    lost, squares, products = add(X, weight, weighted, per_row)
    known = per_row.sum(axis=0) - lost
    totals, target_squares = np.split(known[:, 1:], 2, axis=1)
    return known[:, :1], squares[:, None], products, totals, target_squares


def _add_dense(X, weight, weighted, per_row):
    """Sum over blocks of rows; return the sums over missing values first."""
    n_rows = max(1, _BLOCK_CELLS // X.shape[1])
    blocks = [slice(first, first + n_rows) for first in range(0, len(X), n_rows)]
    has_missing = np.isnan(X.sum())
    # Shifted by one of its values, a constant column becomes exactly 0.
    shift = np.nan_to_num(np.fmax.reduce(X, axis=0))
    lost = np.zeros((X.shape[1], per_row.shape[1]))
    total = np.zeros(X.shape[1])
    for rows in blocks:
        block = X[rows] - shift
        if has_missing:
            missing = np.isnan(block)
            lost += missing.T @ per_row[rows]
            block[missing] = 0.0
        total += weight[rows] @ block
    shift += divide(total, weight.sum() - lost[:, 0])
    squares = np.zeros(X.shape[1])
    products = np.zeros((X.shape[1], weighted.shape[1]))
    for rows in blocks:
        block = X[rows] - shift
        if has_missing:
            block[np.isnan(block)] = 0.0
        products += block.T @ weighted[rows]
        block *= block
        squares += weight[rows] @ block
    return lost, squares, products


def _add_sparse(X, weight, weighted, per_row):
    """Sum over stored values; all others are 0, or minus the mean when centered."""
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    n_stored = np.diff(X.indptr)
    column = np.repeat(np.arange(X.shape[1]), n_stored)
    missing = np.isnan(X.data)

    def add(values, rows):
        stored = csc_matrix((values, X.indices, X.indptr), shape=X.shape)
        return stored.T @ rows

    shift, is_full = np.zeros(X.shape[1]), n_stored == X.shape[0]
    if is_full.any():  # only such a column can be constant but not 0
        greatest = np.fmax.reduceat(X.data, X.indptr[:-1][n_stored > 0])
        shift[n_stored > 0] = np.nan_to_num(greatest)
        shift[~is_full] = 0.0
    lost = add(missing.astype(np.float64), per_row)
    total = add(np.where(missing, 0.0, X.data - shift[column]), weight)
    mean = shift + divide(total, weight.sum() - lost[:, 0])
    centered = np.where(missing, 0.0, X.data - mean[column])
    absent = per_row.sum(axis=0) - add(np.ones(len(column)), per_row)
    absent[is_full] = 0.0
    squares = add(centered * centered, weight) + absent[:, 0] * mean * mean
    absent = absent[:, 1 : 1 + weighted.shape[1]] * mean[:, None]
    return lost, squares, add(centered, weighted) - absent


def divide(a, b):
    """Divide; return 0 where the divisor is not positive."""
    a, b = np.broadcast_arrays(a, b)
    return np.divide(a, b, out=np.zeros(b.shape), where=b > 0.0)
