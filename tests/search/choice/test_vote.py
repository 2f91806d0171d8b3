"""Votes of pipelines: scikit-learn's as a twin, temperature and weights of classes."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris
from sklearn.ensemble import VotingClassifier, VotingRegressor
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.validation import check_is_fitted

from manyminds.search.choice.vote import VoteClassifier, VoteRegressor
from manyminds.search.evaluation.temperature import scale_temperature

MEMBERS = [make_pipeline(StandardScaler(), GaussianNB()), KNeighborsClassifier(9)]


@pytest.fixture
def iris():
    X, y = load_iris(return_X_y=True)
    return X, np.array(["a", "b", "c"])[y]


def test_classes_are_those_of_scikit_learn(iris):
    X, y = iris
    theirs = VotingClassifier(
        list(zip("ab", MEMBERS)), voting="soft", weights=[0.75, 0.25]
    ).fit(X, y)
    vote = VoteClassifier(MEMBERS, [0.75, 0.25]).fit(X, y)
    assert_allclose(vote.predict_proba(X), theirs.predict_proba(X))
    assert_array_equal(vote.predict(X), theirs.predict(X))
    assert_array_equal(vote.classes_, ["a", "b", "c"])
    assert vote.n_features_in_ == 4


def test_numbers_are_those_of_scikit_learn():
    X, y = load_diabetes(return_X_y=True)
    members = [LinearRegression(), Ridge(0.1)]
    theirs = VotingRegressor(list(zip("ab", members)), weights=[0.2, 0.8]).fit(X, y)
    vote = VoteRegressor(members, [0.2, 0.8]).fit(X, y)
    assert_allclose(vote.predict(X), theirs.predict(X))


def test_members_that_are_fitted_are_taken_as_they_are(iris):
    X, y = iris
    fitted = [clone(one).fit(X, y) for one in MEMBERS]
    vote = VoteClassifier.of_fitted(fitted, y, [0.5, 0.5])
    check_is_fitted(vote)
    assert vote.estimators_[0] is fitted[0]
    again = clone(vote)
    assert not hasattr(again, "estimators_")
    assert_allclose(again.fit(X, y).predict_proba(X), vote.predict_proba(X))


def test_a_member_that_lacks_a_class_has_no_probability_of_it(iris):
    X, y = iris
    fitted = [GaussianNB().fit(X, y), GaussianNB().fit(X[:100], y[:100])]
    vote = VoteClassifier.of_fitted(fitted, y, [0.5, 0.5])
    found = vote.predict_proba(X)
    assert_allclose(found[:, 2], fitted[0].predict_proba(X)[:, 2] / 2)
    assert_allclose(found.sum(axis=1), 1.0)


def test_temperature_changes_probabilities_and_weights_change_decisions(iris):
    X, y = iris
    fitted = [GaussianNB().fit(X, y)]
    plain = VoteClassifier.of_fitted(fitted, y, [1.0])
    mild = VoteClassifier.of_fitted(fitted, y, [1.0], 2.0)
    P = plain.predict_proba(X)
    assert_allclose(mild.predict_proba(X), scale_temperature(P, 2.0))
    assert_array_equal(mild.predict(X), plain.predict(X))
    weights = np.array([1.0, 1.0, 50.0])
    keen = VoteClassifier.of_fitted(fitted, y, [1.0], 1.0, weights)
    assert_allclose(keen.predict_proba(X), P)
    assert_array_equal(keen.predict(X), keen.classes_[(P * weights).argmax(axis=1)])
    assert (keen.predict(X) == "c").sum() > (plain.predict(X) == "c").sum()


def test_weights_of_rows_are_passed_to_learners_that_take_them(iris):
    X, y = iris
    weight = (np.arange(150) % 2).astype(float)
    members = [make_pipeline(StandardScaler(), DecisionTreeClassifier(random_state=0)),
               KNeighborsClassifier(3)]  # fmt: skip
    vote = VoteClassifier(members, [0.5, 0.5]).fit(X, y, sample_weight=weight)
    tree = vote.estimators_[0].steps[-1][1].tree_
    assert tree.weighted_n_node_samples[0] == 75.0
