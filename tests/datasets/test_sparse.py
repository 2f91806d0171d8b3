"""Sparse tables get short positions, and their infinite values are named."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from manyminds.datasets.sparse import refuse_sparse_infinities, shorten_indices


def test_positions_become_short_without_changing_the_input():
    X = csr_array(np.array([[0.0, 1.5], [2.5, 0.0]]))
    X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    short = shorten_indices(X)
    assert short.indices.dtype == short.indptr.dtype == np.int32
    assert X.indices.dtype == X.indptr.dtype == np.int64
    assert np.shares_memory(short.data, X.data)
    assert (short != X).nnz == 0
    assert shorten_indices(short) is short


def test_infinite_values_are_named_by_column():
    X = csr_array(np.array([[0.0, 1.0, 0.0], [0.0, 0.0, np.inf]]))
    with pytest.raises(ValueError, match=r"'x2' holds 1 infinite .*first in row 2"):
        refuse_sparse_infinities(X)
    refuse_sparse_infinities(X[:1])
