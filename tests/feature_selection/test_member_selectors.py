"""Tables reach members as they are; weights reach those that take them."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import csr_matrix
from sklearn.feature_selection import (
    RFE,
    SelectFromModel,
    SelectKBest,
    VarianceThreshold,
)
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from manyminds.feature_selection.committees.selection_committee import (
    SelectionCommittee,
)
from manyminds.feature_selection.filters.correlation import CorrelationSelector
from manyminds.feature_selection.member_selectors import (
    fit_member,
    read_inputs,
)
from manyminds.utils.tables import take_columns


def test_columns_of_any_table():
    X = np.arange(12.0).reshape(3, 4)
    frame = pd.DataFrame(X, columns=list("abcd"))
    assert_array_equal(take_columns(X, [3, 1]), X[:, [3, 1]])
    assert_array_equal(take_columns(csr_matrix(X), [3, 1]).toarray(), X[:, [3, 1]])
    assert list(take_columns(frame, np.array([3, 1])).columns) == ["d", "b"]
    polars = pytest.importorskip("polars")
    assert take_columns(polars.from_pandas(frame), [3, 1]).columns == ["d", "b"]


def test_frames_stay_frames_and_arrays_become_floats():
    frame = pd.DataFrame({"a": [1, 2], "b": pd.Categorical(["x", "y"])})
    committee = SelectionCommittee()
    X, _, weight = read_inputs(committee, frame, [0, 1], [1, 2])
    assert X is frame and list(committee.feature_names_in_) == ["a", "b"]
    assert_array_equal(weight, [1.0, 2.0])
    X, _, weight = read_inputs(committee, [[1, 2]], [0], None)
    assert X.dtype == np.float64 and weight is None
    with pytest.raises(ValueError, match="requires y"):
        read_inputs(committee, frame, None, None)
    with pytest.raises(ValueError, match="inconsistent"):
        read_inputs(committee, frame, [0, 1, 1], None)


def test_weights_go_to_all_steps_that_take_them(seed):
    rng = np.random.default_rng(seed)
    X, y, weight = rng.normal(size=(40, 5)), np.tile([0, 1], 20), rng.random(40)
    single = CorrelationSelector(2).fit(X, y, weight).get_support()
    pipeline = make_pipeline(VarianceThreshold(), CorrelationSelector(2))
    for selector in (CorrelationSelector(2), pipeline):
        _, support, ranking = fit_member("it", selector, X, y, weight)
        assert_array_equal(support, single)
        assert sorted(ranking) == [1, 2, 3, 4, 5]
    model = LogisticRegression().fit(X, y, weight)
    chosen = SelectFromModel(LogisticRegression(), threshold="mean")
    fitted, _, _ = fit_member("it", chosen, X, y, weight)
    assert_array_equal(fitted.estimator_.coef_, model.coef_)
    with pytest.raises(ValueError, match="it takes none in fit"):
        fit_member("it", SelectKBest(), X, y, weight)


def test_the_selector_itself_is_not_fitted(seed):
    X, y = np.random.default_rng(seed).normal(size=(20, 3)), np.tile([0, 1], 10)
    recursive = RFE(LogisticRegression(), n_features_to_select=1)
    fitted, support, _ = fit_member("it", recursive, X, y)
    assert support.sum() == 1 and fitted is not recursive
    assert not hasattr(recursive, "support_")
