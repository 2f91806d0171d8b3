"""Models of clones: which estimators they take, how these are fitted, bags."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import csr_array
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.utils import get_tags

from manyminds.ensemble.bagging.bagging import BaggingClassifier, BaggingRegressor
from manyminds.ensemble.bagging.base import draw_bags, take_apart
from manyminds.ensemble.bagging.estimator_fitting import EstimatorFitter
from manyminds.ensemble.bagging.random_oracle import RandomOracleRegressor
from manyminds.ensemble.bagging.tree_fitting import TreeFitter
from manyminds.ensemble.base import EstimatorMembers, TreeMembers
from manyminds.trees.rep_tree import REPTreeRegressor

X, Y = np.arange(12.0).reshape(6, 2), np.array([0.0, 1.0, 0.0, 1.0, 1.0, 0.0])


def test_bags_follow_the_weights(seed):
    weights = np.array([0.0, 1.0, 3.0, 0.0])
    bags = draw_bags(np.random.RandomState(seed % 2**32), 40, 200, weights)
    assert_array_equal(bags.sum(axis=1), 200)
    assert not bags[:, [0, 3]].any()
    # 8,000 draws: the mean is 150 with a standard deviation of 0.97.
    assert abs(bags[:, 2].mean() - 150) < 6


@pytest.mark.parametrize("fraction", [0.0, np.nextafter(1.0, 0.0)])
def test_draws_at_the_ends_of_the_bounds_are_of_rows_with_weight(fraction):
    class State:
        def uniform(self, size):
            return np.full(size, fraction)

    counts = draw_bags(State(), 1, 3, np.array([0.0, 2.0, 0.0]))
    assert_array_equal(counts, [[0, 3, 0]])


def test_estimator_must_be_of_the_kind_of_the_model():
    with pytest.raises(ValueError, match="estimator must be a classifier; got the reg"):
        BaggingClassifier(LinearRegression()).fit(X, Y)
    with pytest.raises(ValueError, match="estimator must be a regressor; got the clas"):
        BaggingRegressor(LogisticRegression()).fit(X, Y)


def test_sparse_tables_are_refused():
    assert not get_tags(BaggingRegressor()).input_tags.sparse
    with pytest.raises(TypeError, match=r"BaggingRegressor takes no sparse X: .*toarr"):
        BaggingRegressor().fit(csr_array(X), Y)
    model = BaggingRegressor(LinearRegression(), 2, random_state=0).fit(X, Y)
    with pytest.raises(TypeError, match="takes no sparse X"):
        model.predict(csr_array(X))


@pytest.mark.parametrize(
    "estimator, Fitter, Members",
    [
        (REPTreeRegressor(), TreeFitter, TreeMembers),
        (RandomOracleRegressor(REPTreeRegressor()), TreeFitter, TreeMembers),
        (LinearRegression(), EstimatorFitter, EstimatorMembers),
    ],
)
def test_our_trees_grow_together_and_others_do_not(estimator, Fitter, Members):
    model = BaggingRegressor(estimator, 2, random_state=0).fit(X, Y)
    assert isinstance(model._members, Members)
    assert isinstance(model._make_fitter(X, X), Fitter)
    assert [type(each) for each in model.estimators_] == [type(estimator)] * 2


def test_missing_values_are_accepted_if_the_tree_inside_accepts_them():
    oracle = RandomOracleRegressor(REPTreeRegressor())
    assert get_tags(BaggingRegressor(oracle)).input_tags.allow_nan
    assert not get_tags(BaggingRegressor(LinearRegression())).input_tags.allow_nan


def test_other_estimators_see_the_dataframe_without_rows_of_weight_zero():
    frame = pd.DataFrame(X, columns=["a", "b"])
    model = BaggingRegressor(LinearRegression(), 2, bootstrap=False)
    model.fit(frame, Y, sample_weight=[0, 1, 1, 1, 1, 1])
    for member in model.estimators_:
        assert member.feature_names_in_.tolist() == ["a", "b"]
    seen = model._take_weighted(frame, X[1:])
    assert_array_equal(seen["a"], X[1:, 0])
    assert_array_equal(model._take_weighted(X, X[1:]), X[1:])


def test_oracles_are_taken_apart():
    tree = REPTreeRegressor()
    assert take_apart(tree) == (tree, None)
    inside, options = take_apart(RandomOracleRegressor(tree))
    assert inside is tree and options is not None
