"""Rounds of a filter are its ranking, cut into pieces, or its substitutes."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.datasets import make_classification
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.feature_selection import (
    RFE,
    SelectFromModel,
    SelectKBest,
    VarianceThreshold,
)
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from manyminds.feature_selection.committees.sequential_filter import (
    SequentialFilterSelector,
)
from manyminds.feature_selection.filters.correlation import CorrelationSelector
from manyminds.feature_selection.filters.high_variance import HighVarianceSelector
from manyminds.feature_selection.filters.ssv import SSVSelector

RANKERS = [CorrelationSelector(), SSVSelector(3), SelectKBest()]


def table(seed):
    return make_classification(80, 12, n_informative=4, random_state=seed % 2**31)


@pytest.mark.parametrize("ranker", RANKERS)
def test_one_round_is_the_filters_top(seed, ranker):  # acceptance 5
    X, y = table(seed)
    for k in (1, 4, 20):
        name = "k" if isinstance(ranker, SelectKBest) else "n_features_to_select"
        top = ranker.set_params(**{name: min(k, 12)}).fit(X, y).get_support()
        rounds = SequentialFilterSelector(ranker, n_rounds=1, n_per_round=k).fit(X, y)
        assert_array_equal(rounds.get_support(), top)


@pytest.mark.parametrize("ranker", RANKERS)
def test_rounds_of_a_ranking_are_the_ranking(seed, ranker):  # acceptance 5
    X, y = table(seed)
    rounds = SequentialFilterSelector(ranker, n_rounds=3, n_per_round=2).fit(X, y)
    once = SequentialFilterSelector(ranker, n_rounds=1, n_per_round=6).fit(X, y)
    assert_array_equal(rounds.get_support(), once.get_support())
    assert_array_equal(rounds.ranking_, once.ranking_)
    assert_array_equal(rounds.rounds_[rounds.support_].max(), 3)


@pytest.mark.slow
def test_equals_naive_twin(seed):
    X, y = table(seed)
    tree = SSVSelector(2, method="tree", random_state=0)
    left, taken = list(range(12)), []
    for _ in range(4):
        ranking = tree.fit(X[:, left], y).ranking_
        best = [left[j] for j in np.argsort(ranking)[:2] if tree.scores_[j] > 0]
        taken += best
        left = [j for j in left if j not in best]
    rounds = SequentialFilterSelector(tree, n_rounds=4, n_per_round=2).fit(X, y)
    assert_array_equal(np.argsort(rounds.ranking_)[: len(taken)], taken)
    assert_array_equal(rounds.ranking_[left], len(taken) + 1)


def test_a_tree_brings_up_substitutes(seed):
    # Three copies of the one feature that matters: a tree uses one of them, and the
    # next round the next.
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat([0, 1], 20))
    X = np.column_stack([y, y, y, np.ones(40)]).astype(float)
    tree = SSVSelector(None, method="tree", random_state=0)
    assert tree.fit(X, y).get_support().sum() == 1
    rounds = SequentialFilterSelector(tree, n_rounds=9).fit(X, y)
    assert_array_equal(np.sort(rounds.rounds_), [0, 1, 2, 3])
    assert len(rounds.filters_) == 4  # the last one found nothing


def test_all_that_the_filter_selects_as_it_is(seed):
    X, y = table(seed)
    rounds = SequentialFilterSelector(SelectKBest(k=3), n_per_round=None).fit(X, y)
    assert_array_equal(np.bincount(rounds.rounds_), [6, 3, 3])


def test_any_selector_will_do(seed):
    X, y = table(seed)
    forest = ExtraTreesClassifier(5, random_state=0)
    for one in (
        RFE(LogisticRegression(), n_features_to_select=1),
        SelectFromModel(forest, threshold="mean"),
        make_pipeline(StandardScaler(), SelectKBest(k=1)),
        make_pipeline(VarianceThreshold(), CorrelationSelector()),
    ):
        rounds = SequentialFilterSelector(one, n_per_round=2).fit(X, y)
        assert_array_equal(np.bincount(rounds.rounds_), [8, 2, 2])


def test_unsupervised_filters_need_no_target(seed):
    X, _ = table(seed)
    rounds = SequentialFilterSelector(HighVarianceSelector(), n_per_round=3).fit(X)
    assert rounds.get_support().sum() == 6
    with pytest.raises(ValueError, match="requires y"):
        SequentialFilterSelector(CorrelationSelector()).fit(X)


def test_frames_stay_frames(seed):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat([0, 1], 20))
    frame = pd.DataFrame(
        {"noise": rng.normal(size=40), "c": pd.Categorical(np.where(y, "p", "q"))}
    )
    rounds = SequentialFilterSelector(CorrelationSelector(), n_per_round=1, n_rounds=1)
    assert list(rounds.fit(frame, y).get_feature_names_out()) == ["c"]


def test_weights_reach_the_filter(seed):
    X, y = table(seed)
    weight = np.random.default_rng(seed).random(80)
    rounds = SequentialFilterSelector(CorrelationSelector(), n_rounds=1, n_per_round=12)
    ranking = CorrelationSelector().fit(X, y, weight).ranking_
    assert_array_equal(rounds.fit(X, y, weight).ranking_, ranking)
    with pytest.raises(ValueError, match="filter takes none"):
        SequentialFilterSelector(SelectKBest()).fit(X, y, weight)
