"""Columns with more levels than bins: rare ones share a code."""

import numpy as np

from manyminds.trees.stored_columns import StoredColumns


def merge_rare_levels(X, categorical, max_levels):
    """Merge the rarest levels of columns that have too many into one code.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        Numbers and category codes.
    categorical : ndarray of bool of shape (n_features,) or None
        Which columns hold category codes.
    max_levels : int
        Number of codes of a column, at most.

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
        if len(counts) <= max_levels:
            continue
        frequent = np.sort(np.argsort(-counts, kind="stable")[: max_levels - 1])
        new = np.full(len(counts), max_levels - 1)
        new[frequent] = np.arange(max_levels - 1)
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
