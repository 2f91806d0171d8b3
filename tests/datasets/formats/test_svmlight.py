"""Sparse tables come back as they were written."""

import gzip

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn.datasets import dump_svmlight_file

from manyminds.datasets.formats.svmlight import read_svmlight


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


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("x 1:2", "line 2: the target must be a number; got 'x'"),
        ("1 a:2", "line 2: cells must be pairs column:value; got 'a:2'"),
        ("1 2:x", "line 2: cells must be pairs column:value; got '2:x'"),
        ("1 -1:2", "line 2: cells must be pairs"),
        (
            "1 3:1 2:1",
            "line 2: columns must be in ascending order, each once; got 2 aft",
        ),
        ("1 3000000000:2", "line 2: columns go up to 2,147,483,647; got '3000000000"),
        ("1 99999999999999999999:2", "line 2: columns go up to 2,147,483,647"),
    ],
)
def test_mistakes_are_told_with_their_line(tmp_path, line, message):
    path = tmp_path / "t.svm"
    path.write_text(f"1 1:0.5\n{line}\n")
    with pytest.raises(ValueError, match=f"t.svm: {message}"):
        read_svmlight(path)


def test_positions_have_32_bits(tmp_path):
    path = tmp_path / "t.svm"
    path.write_text("1 1:0.5 2147483647:2\n-1 2:1\n")
    X, _ = read_svmlight(path)
    assert X.indices.dtype == X.indptr.dtype == np.int32
    assert X.shape == (2, 2147483647)
