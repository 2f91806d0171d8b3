"""The relevance trace: weights replayed, worked shares, and the thesis's tendencies."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier as TheirTree

from manyminds.datasets import make_friedman_classes
from manyminds.ensemble import DivBoostClassifier
from manyminds.ensemble.boosting.relevance_trace import relevance_trace
from manyminds.feature_selection.embedded.local_relevance import LocalRelevance


@pytest.mark.parametrize("weighting", ["w1", "w2"])
def test_replayed_weights_are_those_of_the_fit(seed, weighting):
    # A boost of one member fewer ends with the weights by which the next one drew.
    X, y = make_friedman_classes(100, random_state=seed)
    relevance = np.random.default_rng(seed).normal(size=X.shape)
    odds = np.random.default_rng(seed).uniform(0.5, 2.0, size=100)
    boost = DivBoostClassifier(n_estimators=8, weighting=weighting, random_state=seed)
    trace = relevance_trace(boost.fit(X, y, odds), X, y, relevance, sample_weight=odds)
    assert_allclose(trace.weights[0], odds / odds.sum())
    for n_members in (1, 3, 7):
        shorter = boost.set_params(n_estimators=n_members).fit(X, y, odds)
        assert_allclose(trace.weights[n_members], shorter.sample_weights_)
    assert_allclose(trace.expected, trace.weights @ relevance)


def test_shares_of_splits(seed):
    X, y = make_friedman_classes(150, random_state=seed)
    boost = DivBoostClassifier(TheirTree(max_depth=2), 4, random_state=seed).fit(X, y)
    trace = relevance_trace(boost, X, y, np.ones(X.shape))
    for member, used in zip(boost.estimators_, trace.used):
        inner = member.tree_.feature[member.tree_.children_left >= 0]
        assert_allclose(used, [np.mean(inner == f) for f in range(10)])
    assert_allclose(trace.expected, 1.0)
    assert_allclose(trace.odds, 0.1)


def test_odds_clip_what_is_negative():
    X, y = make_friedman_classes(50, random_state=0)
    boost = DivBoostClassifier(n_estimators=2, random_state=0).fit(X, y)
    relevance = np.tile(np.r_[3.0, 1.0, -5.0, np.zeros(7)], (50, 1))
    trace = relevance_trace(boost, X, y, relevance)
    assert_allclose(trace.odds[0], np.r_[0.75, 0.25, np.zeros(8)], atol=1e-12)
    trace = relevance_trace(boost, X, y, -abs(relevance) - 1.0)
    assert_allclose(trace.odds, 0.1)


def test_relevance_evens_out_as_boosting_goes_on(seed):
    # Friedman's problem as in the thesis: features 0, 1 and 3 lose, noise gains. Means
    # over the features and the last half of the members, on 300 rows.
    X, y = make_friedman_classes(300, random_state=seed)
    relevance = LocalRelevance(random_state=seed).fit(X, y).relevance_
    boost = DivBoostClassifier(n_estimators=60, random_state=seed).fit(X, y)
    trace = relevance_trace(boost, X, y, relevance)
    late = trace.expected[30:].mean(axis=0)
    assert late[[0, 1, 3]].mean() < 0.8 * trace.expected[0, [0, 1, 3]].mean()
    early_gap = trace.expected[0, [0, 1, 3]].mean() - trace.expected[0, 5:].mean()
    assert late[[0, 1, 3]].mean() - late[5:].mean() < 0.6 * early_gap
    used = trace.used[30:].mean(axis=0)
    assert used[[0, 1, 3]].mean() > used[5:].mean()


def test_wrong_arguments():
    X, y = make_friedman_classes(60, random_state=0)
    boost = DivBoostClassifier(n_estimators=2, random_state=0).fit(X, y)
    with pytest.raises(ValueError, match=r"shape \(60, 10\)"):
        relevance_trace(boost, X, y, np.ones((60, 9)))
    with pytest.raises(ValueError, match="boost must be"):
        relevance_trace(GaussianNB(), X, y, np.ones(X.shape))
    bayes = DivBoostClassifier(GaussianNB(), 2, random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="single trees"):
        relevance_trace(bayes, X, y, np.ones(X.shape))


def test_a_member_without_splits_uses_nothing():
    X, y = np.zeros((10, 2)), np.arange(10) % 2
    boost = DivBoostClassifier(n_estimators=2, random_state=0).fit(X, y)
    trace = relevance_trace(boost, X, y, np.ones(X.shape))
    assert_array_equal(trace.used, np.zeros((2, 2)))
