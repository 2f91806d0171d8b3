"""Data of the challenge of 2003."""

import numpy as np
from scipy.sparse import csr_array
from sklearn.svm import SVC

from manyminds.datasets import Dataset
from manyminds.reproductions.protocols.challenge_2003 import (
    load_short,
)


def test_sparse_tables_get_indices_that_machines_take():
    X = csr_array(np.eye(6))
    X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    y = np.array(["a", "b"] * 3)
    data = Dataset("dexter", X, y, "classification")
    loaded = load_short(lambda name: data, "dexter")
    assert loaded.X.indices.dtype == np.int32
    assert SVC(kernel="linear").fit(loaded.X, y).score(loaded.X, y) == 1.0
