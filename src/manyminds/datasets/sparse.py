"""Sparse tables: 32-bit positions and finite values."""

from typing import Any

import numpy as np
from scipy.sparse import csr_array

from manyminds.datasets.columns import refuse_infinities

__all__ = ["refuse_sparse_infinities", "shorten_indices"]


def shorten_indices(X: Any) -> Any:
    """Store the positions of a sparse matrix in 32 bits, if they fit.

    scikit-learn's support vector machines require it.

    Parameters
    ----------
    X : csr_matrix or csr_array

    Returns
    -------
    X : csr_matrix or csr_array
        Shares its values with the input, which is not changed.
    """
    is_short = X.indices.dtype == X.indptr.dtype == np.int32
    if is_short or max(*X.shape, X.nnz) > np.iinfo(np.int32).max:
        return X
    X = type(X)(X)  # another matrix that shares the values
    X.indices = X.indices.astype(np.int32)
    X.indptr = X.indptr.astype(np.int32)
    return X


def refuse_sparse_infinities(X: csr_array) -> None:
    """Raise if a sparse table holds infinite numbers; name the first column."""
    infinite = np.flatnonzero(np.isinf(X.data))
    if len(infinite):
        place = int(X.indices[infinite].min())
        refuse_infinities(X[:, [place]].toarray().ravel(), f"x{place}")
