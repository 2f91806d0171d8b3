"""Rare levels of categorical columns share a code."""

import numpy as np

from manyminds.trees.stored_columns import StoredColumns


def merge_rare_levels(X, categorical, max_levels, min_samples=1):
    """Merge the rarest levels of a column into one code.

    These are levels of few rows, if there are several, and those beyond the number of
    codes.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        Numbers and category codes.
    categorical : ndarray of bool of shape (n_features,) or None
        Which columns hold category codes.
    max_levels : int
        Number of codes of a column, at most.
    min_samples : int, default=1
        Rows that a level of its own has, at least.

    Returns
    -------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        A copy if there was something to merge.
    codes : dict of int to ndarray
        For each column with merged levels, the new code of each old one.
    """
    codes = {}
    if categorical is None:
        return X, codes
    for j in np.flatnonzero(categorical):
        column = X[:, j]
        known = column[~np.isnan(column)].astype(np.intp)
        counts = np.bincount(known)
        n_rare = np.count_nonzero((counts > 0) & (counts < min_samples))
        if len(counts) <= max_levels and n_rare < 2:
            continue
        frequent = np.argsort(-counts, kind="stable")[: max_levels - 1]
        frequent = np.sort(frequent[counts[frequent] >= min_samples])
        new = np.full(len(counts), len(frequent))
        new[frequent] = np.arange(len(frequent))
        codes[int(j)] = new
    return rename_levels(X, codes), codes


def rename_levels(X, codes):
    """Return the table with new codes; see ``merge_rare_levels``."""
    if not codes:
        return X
    if isinstance(X, StoredColumns):
        return X.rename_levels(codes)
    X = X.copy()
    for j, new in codes.items():
        known = ~np.isnan(X[:, j])
        X[known, j] = new[X[known, j].astype(np.intp)]
    return X
