"""Coding of columns: numbers are cut as the filters cut them, others keep states."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris

from manyminds.feature_selection.filters.discretization import make_code_table
from manyminds.networks import NaiveBayesClassifier


@pytest.mark.parametrize("method", ["mdl", "quantile", "uniform"])
def test_numbers_are_cut_as_filters_cut_them(method):
    X, y = load_iris(return_X_y=True)
    table = make_code_table(X, None, y, method, 5)
    model = NaiveBayesClassifier(discretize=method, n_bins=5).fit(X, y)
    assert_array_equal(model._code(X), table.codes)
    assert_array_equal(model.n_states_, table.n_levels)


def test_codes_are_those_of_categories(seed):
    X, y = load_iris(return_X_y=True)
    codes = make_code_table(X, None, y).codes.T.astype(float)
    by_numbers = NaiveBayesClassifier().fit(X, y)
    by_codes = NaiveBayesClassifier(categorical_features=[0, 1, 2, 3]).fit(codes, y)
    assert_allclose(by_numbers.predict_proba(X), by_codes.predict_proba(codes))
    frame = pd.DataFrame(codes.astype(int).astype(str)).astype("category")
    frame.columns = list("abcd")
    by_frame = NaiveBayesClassifier().fit(frame, y)
    assert_allclose(by_frame.predict_proba(frame), by_codes.predict_proba(codes))
    log = by_frame.predict_log_proba(frame)
    assert_allclose(np.exp(log), by_frame.predict_proba(frame))
