"""Sparse tables come back as they were written."""

import gzip

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn.datasets import dump_svmlight_file

from manyminds.datasets.svmlight import read_svmlight


@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize("zero_based", [False, True])
def test_round_trip(tmp_path, seed, zipped, zero_based):
    rng = np.random.default_rng(seed)
    dense = rng.integers(0, 2, (15, 6)) * rng.normal(size=(15, 6))
    dense[0, 0] = 1.0  # so that column 0 occurs
    y, path = rng.normal(size=15), tmp_path / "t.svm"
    dump_svmlight_file(dense, y, str(path), zero_based=zero_based)
    if zipped:
        path = tmp_path / "t.svm.gz"
        path.write_bytes(gzip.compress((tmp_path / "t.svm").read_bytes()))
    X, target = read_svmlight(path, n_features=6)
    assert isinstance(X, csr_array)
    assert_allclose(X.toarray(), dense)
    assert_allclose(target, y)


def test_number_of_columns(tmp_path):
    path = tmp_path / "t.svm"
    path.write_text("0 2:1\n1 1:3\n")
    assert read_svmlight(path)[0].shape == (2, 2)
    assert_array_equal(
        read_svmlight(path, 4)[0].toarray(), [[0, 1, 0, 0], [3, 0, 0, 0]]
    )
    with pytest.raises(ValueError, match="n_features"):
        read_svmlight(path, 1)
