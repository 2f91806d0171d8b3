"""Recognize columns of free text: mostly different texts of several words."""

from typing import Any

import pandas as pd
from pandas.api import types

__all__ = ["holds_sentences", "is_free_text", "list_texts"]

MIN_TEXTS = 20  # different ones
MIN_SHARE = 0.5  # of different texts among the cells
MIN_WORDS = 3.0  # of a text, on average


def is_free_text(column: pd.Series) -> bool:
    """Return whether a column holds free text rather than categories.

    Free text has at least 20 different texts, at least half as many different texts as
    cells, and at least three words in a text, on average. Missing cells do not count.

    Parameters
    ----------
    column : Series
        Any dtype; numbers and dates are no text.

    Returns
    -------
    is_text : bool

    Examples
    --------
    >>> import pandas as pd
    >>> from manyminds.datasets.texts import is_free_text
    >>> is_free_text(pd.Series([f"remark {place} of many" for place in range(30)]))
    True
    >>> is_free_text(pd.Series(["very good", "quite bad"] * 15))
    False
    """
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        counts = column.value_counts()
        texts = counts.index[counts.to_numpy() > 0]
    elif types.is_object_dtype(dtype) or types.is_string_dtype(dtype):
        texts = list(dict.fromkeys(map(str, column.dropna())))
    else:
        return False
    return holds_sentences(list(texts), int(column.notna().sum()))


def holds_sentences(texts: list[Any], n_cells: int) -> bool:
    """Return whether different texts, in a number of cells, are free text."""
    if len(texts) < MIN_TEXTS or len(texts) < MIN_SHARE * n_cells:
        return False
    if not all(isinstance(text, str) for text in texts):
        return False
    n_words = sum(len(text.split()) for text in texts)
    return n_words >= MIN_WORDS * len(texts)


def list_texts(X: Any) -> list[Any]:
    """Return the names of the columns of free text of a table."""
    if not isinstance(X, pd.DataFrame):
        return []
    dtypes = X.dtypes.to_numpy()
    places = [k for k, dtype in enumerate(dtypes) if not types.is_numeric_dtype(dtype)]
    return [X.columns[k] for k in places if is_free_text(X.iloc[:, k])]
