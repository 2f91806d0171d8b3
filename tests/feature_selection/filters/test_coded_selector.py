"""Filters on codes: what they discretize, and the order of their scores."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from manyminds.feature_selection.filters.coded_selector import (
    CodedSelector,
    order_by_score,
)


class Codes(CodedSelector):
    """Keep the codes of the columns and of the target."""

    def __init__(
        self,
        discretize="auto",
        n_bins=2,
        task="auto",
        categorical_features="from_dtype",
    ):
        self.discretize = discretize
        self.n_bins = n_bins
        self.task = task
        self.categorical_features = categorical_features
        self.n_jobs = None

    def fit(self, X, y, sample_weight=None):
        self._validate_params()
        rows = self._read_rows(X, y, sample_weight)
        self.table_, (self.target_, self.n_levels_) = self._code(*rows)
        self.weight_ = rows[-1]
        return self


X = np.array([[1.0, 5.0], [2.0, 5.0], [8.0, 5.0], [9.0, 5.0]] * 4)
Y = np.array(["low", "low", "up", "up"] * 4)


def test_classes_are_cut_by_description_length_and_numbers_by_counts():
    # Two classes are told apart by one cut; the constant has one level.
    found = Codes(n_bins=4).fit(X, Y)
    assert_array_equal(found.table_.codes[0], [0, 0, 1, 1] * 4)
    assert_array_equal(found.table_.n_levels, [2, 1])
    # The quantiles of a numeric target, and of four values of a column.
    found = Codes(n_bins=4).fit(X, X[:, 0] + 0.5)
    assert_array_equal(found.table_.codes[0], [0, 1, 2, 3] * 4)
    assert_array_equal(found.target_, [0, 1, 2, 3] * 4)
    assert found.n_levels_ == 4


def test_the_method_that_is_named_is_used():
    # Levels of equal width: 1 and 2 are together, whatever the classes say.
    found = Codes("uniform").fit(X, np.array(["a", "b", "a", "b"] * 4))
    assert_array_equal(found.table_.codes[0], [0, 0, 1, 1] * 4)


def test_categories_keep_their_codes():
    frame = pd.DataFrame({"hue": pd.Categorical(["c", "a", "b", "a"] * 4)})
    found = Codes().fit(frame, Y)
    assert_array_equal(found.table_.codes[0], [2, 0, 1, 0] * 4)
    assert_array_equal(found.target_, [0, 0, 1, 1] * 4)


def test_weights_are_checked_and_none_stays_none():
    assert Codes().fit(X, Y).weight_ is None
    assert_array_equal(Codes().fit(X, Y, np.arange(16)).weight_, np.arange(16.0))
    with pytest.raises(ValueError, match="sample_weight"):
        Codes().fit(X, Y, np.ones(3))


@pytest.mark.parametrize(
    "options", [{"n_bins": 1}, {"discretize": "median"}, {"task": "ranking"}]
)
def test_wrong_parameters_are_named(options):
    (name,) = options
    with pytest.raises(ValueError, match=f"The '{name}' parameter of Codes"):
        Codes(**options).fit(X, Y)


def test_scores_are_ordered_from_the_best_and_ties_by_position():
    scores = np.array([0.1, 0.3, 0.2, 0.3 + 1e-13, 0.2])
    assert_array_equal(order_by_score(scores), [1, 3, 2, 4, 0])


def test_a_threshold_must_be_exceeded_by_more_than_rounding():
    scores = np.array([0.5, 0.2 + 1e-13, 0.2, 0.2 + 1e-6, 0.1])
    assert_array_equal(order_by_score(scores, 0.2), [0, 3])
    assert_array_equal(order_by_score(np.zeros(3), 0.0), [])
