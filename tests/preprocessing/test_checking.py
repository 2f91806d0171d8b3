"""Tables for transformers that keep dataframes."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import csc_array, csr_array, issparse
from sklearn.base import BaseEstimator

from manyminds.preprocessing.checking import check_table


def check(estimator, X, reset=True):
    return check_table(estimator, X, reset=reset, accept_sparse="csr")


def make_frame():
    return pd.DataFrame(
        {
            "size": [1.0, np.nan],
            "hue": pd.Categorical(["red", None]),
            "born": pd.to_datetime(["2001-02-03", None]),
        }
    )


def test_frames_stay_as_they_are_with_any_dtype():
    estimator, frame = BaseEstimator(), make_frame()
    assert check(estimator, frame) is frame
    assert estimator.n_features_in_ == 3
    assert estimator.feature_names_in_.tolist() == ["size", "hue", "born"]


def test_columns_are_compared_with_those_of_fit():
    estimator, frame = BaseEstimator(), make_frame()
    check(estimator, frame)
    check(estimator, frame, reset=False)
    renamed = frame.rename(columns={"hue": "hues"})
    for other in (frame[["hue", "size", "born"]], renamed):
        with pytest.raises(ValueError, match="feature names"):
            check(estimator, other, reset=False)
    assert estimator.feature_names_in_.tolist() == ["size", "hue", "born"]


def test_arrays_may_have_missing_values_and_no_infinite_ones():
    found = check(BaseEstimator(), [[1, 2], [3, np.nan]])
    assert_array_equal(found, [[1.0, 2.0], [3.0, np.nan]])
    with pytest.raises(ValueError, match="infinity"):
        check(BaseEstimator(), [[1.0, np.inf]])
    with pytest.raises(ValueError, match="Expected 2D array"):
        check(BaseEstimator(), [1.0, 2.0])


def test_sparse_matrices_are_brought_into_the_accepted_format():
    found = check(BaseEstimator(), csc_array(np.eye(3)))
    assert issparse(found) and found.format == "csr"
    with pytest.raises(TypeError, match="Sparse data"):
        sparse = csr_array(np.eye(3))
        check_table(BaseEstimator(), sparse, reset=True, accept_sparse=False)


def test_polars_frames_become_pandas():
    polars = pytest.importorskip("polars")
    found = check(BaseEstimator(), polars.DataFrame({"a": [1, 2], "b": ["x", "y"]}))
    assert isinstance(found, pd.DataFrame)
    assert list(found) == ["a", "b"] and found["a"].tolist() == [1, 2]
