"""A committee counts votes: from union to intersection."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.decomposition import PCA
from sklearn.feature_selection import SelectKBest, VarianceThreshold
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from manyminds.feature_selection.committees.selection_committee import (
    SelectionCommittee,
)
from manyminds.feature_selection.filters.correlation import CorrelationSelector
from manyminds.feature_selection.filters.high_variance import HighVarianceSelector
from manyminds.feature_selection.filters.ssv import SSVSelector


def table(seed):
    return make_classification(80, 15, n_informative=5, random_state=seed % 2**31)


def make_members():
    return [
        ("ssv", SSVSelector(5)),
        ("variance", HighVarianceSelector(n_features_to_select=5)),
        ("best", make_pipeline(StandardScaler(), SelectKBest(k=5))),
        ("thin", make_pipeline(VarianceThreshold(0.9), CorrelationSelector(3))),
    ]


def supports(X, y):
    """Ask each member by itself; the last chooses among what its first step left."""
    found = [member.fit(X, y) for _, member in make_members()]
    few = np.flatnonzero(found[3][0].get_support())[found[3][1].get_support()]
    last = np.isin(np.arange(X.shape[1]), few)
    masks = found[0].get_support(), found[1].get_support(), found[2][-1].get_support()
    return np.array([*masks, last])


def test_worked_example():
    # Ten rows; feature 0 separates the classes, feature 1 varies the most.
    y = np.repeat([0, 1], 5)
    X = np.column_stack([y, 100.0 * np.tile([0, 1], 5), np.zeros(10)])
    members = [
        ("correlation", CorrelationSelector(1)),
        ("variance", HighVarianceSelector(n_features_to_select=2)),
    ]
    committee = SelectionCommittee(members).fit(X, y)
    assert_array_equal(committee.votes_, [2, 1, 0])
    assert_array_equal(committee.ranking_, [1, 2, 3])
    assert_array_equal(committee.get_support(), [True, True, False])
    committee = SelectionCommittee(members, threshold=2).fit(X, y)
    assert_array_equal(committee.get_support(), [True, False, False])


def test_from_union_to_intersection(seed):  # acceptance 5
    X, y = table(seed)
    masks = supports(X, y)
    for threshold in range(1, 5):
        committee = SelectionCommittee(make_members(), threshold=threshold).fit(X, y)
        assert_array_equal(committee.votes_, masks.sum(axis=0))
        twin = [sum(mask[j] for mask in masks) >= threshold for j in range(15)]
        assert_array_equal(committee.get_support(), twin)
        share = SelectionCommittee(make_members(), threshold=threshold / 4).fit(X, y)
        assert_array_equal(share.get_support(), twin)
    union = SelectionCommittee(make_members(), threshold=1).fit(X, y)
    assert_array_equal(union.get_support(), masks.any(axis=0))
    all_of_them = SelectionCommittee(make_members(), threshold=4).fit(X, y)
    assert_array_equal(all_of_them.get_support(), masks.all(axis=0))


def test_weights_are_votes(seed):
    X, y = table(seed)
    masks, weights = supports(X, y), np.array([0.1, 0.2, 0.3, 0.4])
    committee = SelectionCommittee(make_members(), weights=weights, threshold=0.6)
    committee.fit(X, y)
    assert_allclose(committee.votes_, weights @ masks)
    # What 0.1 + 0.2 + 0.3 comes to must not be a matter of rounding.
    expected = np.rint(10 * (weights @ masks)) >= 6
    assert_array_equal(committee.get_support(), expected)
    whole = SelectionCommittee(make_members(), weights=[2, 0, 1, 0], threshold=2)
    assert_array_equal(whole.fit(X, y).get_support(), masks[0])


def test_equal_votes_are_ranked_by_the_members(seed):
    X, y = table(seed)
    members = [("a", CorrelationSelector(15)), ("b", CorrelationSelector(15))]
    committee = SelectionCommittee(members).fit(X, y)
    assert_array_equal(committee.ranking_, CorrelationSelector().fit(X, y).ranking_)


def test_paper_committee_by_default(seed):
    X, y = table(seed)
    committee = SelectionCommittee().fit(X, y)
    ranking = SSVSelector(10).fit(X, y).get_support()
    tree = SSVSelector(10, method="tree", random_state=0).fit(X, y).get_support()
    linear = CorrelationSelector(10).fit(X, y).get_support()
    assert_array_equal(committee.votes_, 1.0 * ranking + tree + linear)
    assert_array_equal(committee.get_support(), ranking | tree | linear)


def test_n_jobs_does_not_matter(seed):
    X, y = table(seed)
    one = SelectionCommittee(make_members()).fit(X, y)
    two = SelectionCommittee(make_members(), n_jobs=2).fit(X, y)
    assert_array_equal(one.votes_, two.votes_)


def test_parameters_of_members_by_name(seed):
    X, y = table(seed)
    committee = SelectionCommittee(make_members())
    committee.set_params(ssv__n_features_to_select=2, best__selectkbest__k=1)
    assert committee.selectors[0][1].n_features_to_select == 2
    committee.set_params(ssv=CorrelationSelector(4), threshold=2)
    assert isinstance(committee.selectors[0][1], CorrelationSelector)
    assert not hasattr(committee, "ssv") and committee.threshold == 2
    copy = clone(committee)
    assert copy.get_params()["ssv__n_features_to_select"] == 4
    pipeline = make_pipeline(SelectionCommittee(make_members()), GaussianNB())
    grid = {"selectioncommittee__ssv__n_features_to_select": [1, 5]}
    search = GridSearchCV(pipeline, grid, cv=2).fit(X, y)
    assert len(search.cv_results_["params"]) == 2


def test_members_without_target_need_none(seed):
    X, _ = table(seed)
    members = [("variance", HighVarianceSelector()), ("other", VarianceThreshold())]
    assert SelectionCommittee(members, threshold=2).fit(X).get_support().all()


def test_weights_of_rows_reach_the_members(seed):
    X, y = table(seed)
    weight = np.random.default_rng(seed).integers(0, 3, size=80)
    members = [("a", CorrelationSelector(3)), ("b", SSVSelector(3))]
    committee = SelectionCommittee(members).fit(X, y, weight)
    masks = [one.fit(X, y, weight).get_support() for _, one in members]
    assert_array_equal(committee.votes_, np.sum(masks, axis=0))
    with pytest.raises(ValueError, match="the member 'k' takes none"):
        SelectionCommittee([("k", SelectKBest(k=2))]).fit(X, y, weight)


def test_says_what_is_wrong(seed):
    X, y = table(seed)
    one = CorrelationSelector(2)
    with pytest.raises(ValueError, match="list of pairs"):
        SelectionCommittee([one]).fit(X, y)
    with pytest.raises(ValueError, match="list of pairs"):
        SelectionCommittee([]).fit(X, y)
    for names in (("a", "a"), ("threshold", "b"), ("a__b", "c")):
        with pytest.raises(ValueError, match="names must differ"):
            SelectionCommittee([(name, one) for name in names]).fit(X, y)
    with pytest.raises(ValueError, match="more than all votes"):
        SelectionCommittee([("a", one), ("b", one)], threshold=3).fit(X, y)
    with pytest.raises(ValueError, match="weights must be 1 numbers"):
        SelectionCommittee([("a", one)], weights=[1, 2]).fit(X, y)
    with pytest.raises(ValueError, match="creates, drops or reorders columns"):
        SelectionCommittee([("p", make_pipeline(PCA(3), one))]).fit(X, y)


def test_features_with_the_most_votes_are_kept_in_any_case():
    # The members select different columns: none has both votes.
    X = np.column_stack([np.arange(40) % 2, 100.0 * (np.arange(40) // 20)])
    members = [("a", CorrelationSelector(1)), ("b", HighVarianceSelector(1))]
    y = np.arange(40) % 2
    assert not SelectionCommittee(members, threshold=2).fit(X, y).get_support().any()
    kept = SelectionCommittee(members, threshold=1.0, weights=[3, 1])
    kept.set_params(min_features_to_select=1).fit(X, y)
    assert kept.get_support(indices=True).tolist() == [0]
