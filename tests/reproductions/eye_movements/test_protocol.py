"""The protocol on eye movements: examples, ensembles, measures."""

import numpy as np
import pytest
from sklearn.base import clone

from manyminds.ensemble import RandomForestClassifier
from manyminds.experiments.measures import Fold
from manyminds.experiments.splits import Split
from manyminds.feature_selection import TopicWordSelector
from manyminds.reproductions.eye_movements.protocol import (
    ADABOOST,
    BAGGING,
    DIVBOOST_W2,
    READER,
    ReaderMeasures,
    RelevanceMeasures,
    TrialMeasures,
    draw_study,
    load_examples,
    make_ensembles,
    make_relevance,
    measure_trial,
)
from manyminds.reproductions.protocols.rogers_2007 import ThesisForest


def make_fold(data):
    rows = np.arange(data.n_samples)
    test = np.random.RandomState(0).permutation(rows)[: len(rows) // 10]
    return Fold(data, Split(0, 0, np.setdiff1d(rows, test), test), 0)


def test_examples_have_about_the_published_size_and_share():
    # Published: 3744 words with 22 features, of which 1594 are positive.
    data = load_examples("study", 0)
    assert 3000 < data.n_samples < 4500 and data.X.shape[1] == 22
    assert 0.36 < np.mean(data.y) < 0.49
    assert READER in load_examples("study", 0, with_reader=True).X


def test_item_4_words_outside_the_lists_are_no_examples():
    study = draw_study("study", 0)
    marked = study.sessions["marked"].to_numpy()[study.session]
    assert marked[study.labels == 1].all() and not marked[study.labels == 0].any()
    lists = TopicWordSelector().fit(study.counts, study.document_topics).topic_words_
    topic = study.sessions["search_topic"].to_numpy()[study.session]
    is_listed = (lists[topic] == study.terms[:, None]).any(axis=1)
    assert is_listed[study.labels == 1].all()
    assert np.isin(study.terms[study.labels == 0], lists).all()


@pytest.mark.slow
def test_item_5_divboost_errs_less_than_adaboost_and_bagging_has_a_high_q():
    # Two trials of the first study. Over the six studies of the evidence page the
    # difference of errors is 0.003 (-0.005 to 0.011), which cannot be told; on unseen
    # readers it is 0.006 (0.001 to 0.010), which holds.
    data, models = load_examples("study", 0), make_ensembles()
    X, y = data.X.to_numpy(), np.asarray(data.y)
    errors = {ADABOOST: [], DIVBOOST_W2: []}
    for trial in range(2):
        order = np.random.RandomState(trial).permutation(len(y))
        test, train = order[: len(y) // 10], order[len(y) // 10 :]
        for name, found in errors.items():
            model = clone(models[name]).set_params(random_state=trial)
            measured = measure_trial(model, X[train], y[train], X[test], y[test])
            found.append(measured["error"])
    assert np.mean(errors[DIVBOOST_W2]) < np.mean(errors[ADABOOST])
    model = models[BAGGING].set_params(n_estimators=20, random_state=0)
    assert measure_trial(model, X[train], y[train], X[test], y[test])["q"] > 0.8


def test_measures_of_a_trial():
    fold = make_fold(load_examples("study", 0))
    values = TrialMeasures()(ThesisForest(12, random_state=0), fold)
    majority = np.bincount(np.asarray(fold.y_train)).argmax()
    assert values["majority_error"] == np.mean(np.asarray(fold.y_test) != majority)
    assert 0.0 < values["error"] < values["base_error"] < 0.5
    assert -1.0 <= values["q_early"] <= 1.0


def test_readers_are_not_seen():
    class Spy(RandomForestClassifier):
        def fit(self, X, y):
            assert X.shape[1] == 22
            sizes.append(len(X))
            return super().fit(X, y)

    sizes = []
    data = load_examples("study", 0, with_reader=True)
    rows = np.arange(data.n_samples)
    fold = Fold(data, Split(0, 0, rows, rows[:0]), 0)
    values = ReaderMeasures()(Spy(2, max_depth=3, random_state=0), fold)
    counts = data.X[READER].value_counts()
    assert len(sizes) == 3 and sum(sizes) == 2 * len(rows)
    assert all(len(rows) - size >= counts.min() for size in sizes)
    assert 0.2 < values["error"] < 0.6


def test_relevance_is_shared_out():
    data = load_examples("study", 0)
    model = make_relevance()["Local relevance"]
    model.set_params(estimator=ThesisForest(10), random_state=0)
    shares = RelevanceMeasures()(model, make_fold(data))
    assert list(shares) == list(data.X.columns)
    assert sum(shares.values()) == pytest.approx(1.0)
