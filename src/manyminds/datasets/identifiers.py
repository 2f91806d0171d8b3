"""Detect identifier columns: row counters and unique texts."""

from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import issparse

__all__ = ["find_identifiers", "list_candidates"]

MIN_ROWS = 20  # in fewer, the values of any column may all be different
HEAD_ROWS = 100  # that are looked at first
YEARS = (1800, 2100)  # integers in this range may be years, which are informative


def find_identifiers(X: Any) -> dict[str, str]:
    """Return the columns that look like identifiers of rows, with the reason.

    A column of text is an identifier if its values are unique. A column of numbers is
    one if it counts the rows: integers, unique and equally spaced, in any order, unless
    all of them may be years. Missing values are ignored; columns with fewer than 20
    other values are never identifiers.

    Parameters
    ----------
    X : DataFrame or sparse matrix of shape (n_samples, n_features)
        Columns of numbers, text or categories; a sparse matrix has no identifiers.

    Returns
    -------
    identifiers : dict of str to str
        Names of the columns in their order; "a different text in each row" or "a
        counter of the rows" for each.

    Examples
    --------
    >>> import pandas as pd
    >>> from manyminds.datasets import find_identifiers
    >>> X = pd.DataFrame({"row": range(1, 31), "size": [0.5, 1.0, 2.5] * 10})
    >>> find_identifiers(X.assign(key=[f"k{place}" for place in range(30)]))
    {'row': 'a counter of the rows', 'key': 'a different text in each row'}
    """
    if issparse(X):
        return {}
    found = {}
    for place in list_candidates(X):
        name, column = X.columns[place], X.iloc[:, place].dropna()
        if len(column) < MIN_ROWS:
            continue
        dtype = column.dtype
        if isinstance(dtype, np.dtype) and dtype.kind in "iuf":
            if counts_rows(column.to_numpy(dtype=np.float64)):
                found[str(name)] = "a counter of the rows"
        elif _is_text(dtype) and column.is_unique:
            found[str(name)] = "a different text in each row"
    return found


def list_candidates(X: pd.DataFrame) -> np.ndarray:
    """Return the positions of the columns that may identify rows, by their first rows.

    Of a wide table most columns are measurements, with fractions or equal values.
    """
    head, dtypes = X.iloc[:HEAD_ROWS], X.dtypes.to_numpy()
    may_identify = np.ones(X.shape[1], dtype=bool)
    for dtype in {one for one in dtypes if isinstance(one, np.dtype)}:
        if dtype.kind in "iuf":
            places = np.flatnonzero([one == dtype for one in dtypes])
            cells = np.sort(head.iloc[:, places].to_numpy(), axis=0)
            has_equal = (cells[1:] == cells[:-1]).any(axis=0)
            has_fraction = ((cells != np.floor(cells)) & ~np.isnan(cells)).any(axis=0)
            may_identify[places] = ~(has_equal | has_fraction)
    return np.flatnonzero(may_identify)


def counts_rows(numbers: np.ndarray) -> bool:
    """Return whether numbers are unique, equally spaced integers, as row numbers."""
    low, high = numbers.min(), numbers.max()
    if not np.isfinite(low) or not np.isfinite(high) or low == high:
        return False
    if low >= YEARS[0] and high <= YEARS[1]:
        return False
    step = (high - low) / (len(numbers) - 1)
    if step != np.floor(step) or low != np.floor(low):
        return False
    return bool(np.array_equal(np.sort(numbers), low + step * np.arange(len(numbers))))


def _is_text(dtype: Any) -> bool:
    if isinstance(dtype, pd.CategoricalDtype):
        return True
    return bool(pd.api.types.is_string_dtype(dtype))
