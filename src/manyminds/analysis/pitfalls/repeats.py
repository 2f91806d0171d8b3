"""Rows that occur more than once, target included."""

import numpy as np
import pandas as pd

from manyminds.analysis.pitfalls.pitfall import Pitfall

__all__ = ["find_repeats"]

MIN_SHARE = 0.01
MIN_REPEATS = 5
MIN_DISTINCT = 0.2  # of the rows: such a column is close to continuous
MAX_CELLS = 5_000_000  # that are hashed together
FACTOR = np.uint64(1_000_003)


def find_repeats(X, y):
    """Warn about repeated rows where equal rows are no coincidence.

    Equal rows are frequent in tables of few categories; they are judged only if a
    column of numbers has many distinct values. A repeated row in another fold is
    predicted from its copy, so that scores are too good.

    Parameters
    ----------
    X : DataFrame
    y : ndarray of shape (n_samples,) or DataFrame

    Returns
    -------
    pitfalls : list of Pitfall
    """
    hashes = _hash_rows(X)
    target = pd.DataFrame(np.asarray(y))
    hashes = np.sort(hashes * np.uint64(31) + _hash_rows(target))
    n_repeats = np.count_nonzero(hashes[1:] == hashes[:-1])
    if n_repeats < max(MIN_REPEATS, MIN_SHARE * len(X)) or not _is_continuous(X):
        return []
    share = n_repeats / len(X)
    evidence = (
        f"{n_repeats:,} of {len(X):,} rows ({share:.1%}) repeat an earlier one, target "
        "included"
    )
    advice = "copies in different folds make scores too good: remove true copies"
    return [Pitfall("repeats", "", evidence, advice, "", True)]


def _hash_rows(table):
    """Return a hash of each row; equal values of a column have equal hashes."""
    total = np.zeros(len(table), dtype=np.uint64)
    is_float = np.array([dtype == np.float64 for dtype in table.dtypes])
    floats = np.flatnonzero(is_float)
    n_taken = max(1, MAX_CELLS // max(1, len(table)))
    for first in range(0, len(floats), n_taken):
        cells = table.iloc[:, floats[first : first + n_taken]].to_numpy()
        hashes = pd.util.hash_array(cells.ravel()).reshape(cells.shape)
        # Odd multipliers, so that equal values of different columns differ.
        factors = 2 * np.arange(first, first + cells.shape[1], dtype=np.uint64) + 1
        total += (hashes * (factors * FACTOR)).sum(axis=1, dtype=np.uint64)
    for place in np.flatnonzero(~is_float):
        column = table.iloc[:, place]
        if isinstance(column.dtype, pd.CategoricalDtype):
            column = column.cat.codes
        elif not pd.api.types.is_numeric_dtype(column.dtype):
            column = pd.Series(pd.factorize(column)[0])
        total = total * FACTOR + pd.util.hash_array(column.to_numpy())
    return total


def _is_continuous(X):
    """Return whether a column of numbers has many distinct values."""
    for name in X:
        column = X[name]
        if column.dtype.kind == "f":
            values = column.dropna().to_numpy()
            n_distinct = len(np.unique(values))
            if n_distinct > MIN_DISTINCT * len(X) and not _is_whole(values):
                return True
    return False


def _is_whole(values):
    return bool((values == np.floor(values)).all())
