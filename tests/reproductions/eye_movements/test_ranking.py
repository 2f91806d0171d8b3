"""Ranking documents: an oracle, equal words, models of other readers."""

import numpy as np
import pytest
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.utils import Bunch

from manyminds.experiments.measures import Fold
from manyminds.experiments.splits import Split
from manyminds.reproductions.eye_movements.protocol import draw_study, load_examples
from manyminds.reproductions.eye_movements.ranking import (
    EQUAL,
    RankingScores,
    make_rankers,
    rank_after_searches,
    score_words,
)


class Oracle(DummyRegressor):
    """Knows the weights of words in the topics' queries, in the order of words."""

    weights = None

    def predict(self, X):
        return self.weights[X[:, 0].astype(int)]


def test_an_oracle_of_queries_ranks_better_than_equal_words():
    study = Bunch(**draw_study("study", 1))
    equal = np.mean(rank_after_searches(make_rankers()[EQUAL], study))
    topic = study.sessions["search_topic"].to_numpy()[study.session]
    Oracle.weights = study.queries[topic, study.terms]
    numbered = study.features.iloc[:, :1].copy()
    numbered.iloc[:, 0] = np.arange(len(numbered), dtype=float)
    study.features = numbered
    areas = rank_after_searches(Oracle(), study)
    assert len(areas) == len(study.sessions.groupby(["reader", "search_topic"]).groups)
    assert np.mean(areas) > 0.95 > equal > 0.6


def test_scores_are_votes_or_weights():
    study = draw_study("study", 1)
    rows = np.arange(len(study.terms))
    train, test = rows[::2], rows[1::2]
    votes = score_words(GaussianNB(), study, train, test)
    assert ((votes >= 0.0) & (votes <= 1.0)).all() and votes.std() > 0.05
    weights = score_words(Ridge(), study, train, test)
    # Weights of common words are near 0, so that predictions are small.
    assert np.abs(weights).mean() < np.abs(study.queries).max()


def test_measure_is_the_mean_area():
    data = load_examples("study", 1)
    rows = np.arange(data.n_samples)
    fold = Fold(data, Split(0, 0, rows, rows[:0]), 0)
    expected = np.mean(
        rank_after_searches(make_rankers()[EQUAL], draw_study("study", 1))
    )
    assert RankingScores()(make_rankers()[EQUAL], fold) == {
        "auc": pytest.approx(expected)
    }
