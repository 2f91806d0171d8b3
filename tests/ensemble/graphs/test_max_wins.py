"""Max wins: votes counted one by one, and scikit-learn's."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.multiclass import OneVsOneClassifier
from sklearn.svm import LinearSVC

from manyminds.ensemble import DecisionDAGClassifier, MaxWinsClassifier


@pytest.fixture
def data(seed):
    rng = np.random.default_rng(seed)
    y = np.arange(150) % 5
    return rng.normal(size=(5, 4))[y] + rng.normal(size=(150, 4)), y


def test_votes_are_wins(data):
    X, y = data
    model = MaxWinsClassifier(LinearSVC()).fit(X, y)
    votes = np.zeros((len(X), 5), int)
    for member in model.estimators_:
        for row, label in enumerate(member.predict(X)):
            votes[row, label] += 1
    assert_array_equal(model.count_votes(X), votes)
    assert_array_equal(model.predict(X), votes.argmax(axis=1))


def test_scikit_learn_agrees_where_votes_are_not_tied(data):
    X, y = data
    ours = MaxWinsClassifier(LinearSVC(random_state=0, tol=1e-8, max_iter=100_000))
    theirs = OneVsOneClassifier(LinearSVC(random_state=0, tol=1e-8, max_iter=100_000))
    votes = np.sort(ours.fit(X, y).count_votes(X), axis=1)
    clear = votes[:, -1] > votes[:, -2]
    assert clear.sum() > 100
    assert_array_equal(ours.predict(X)[clear], theirs.fit(X, y).predict(X)[clear])


def test_a_class_with_all_votes_is_that_of_the_graph(data):
    X, y = data
    voting, graph = MaxWinsClassifier().fit(X, y), DecisionDAGClassifier().fit(X, y)
    wins_all = voting.count_votes(X).max(axis=1) == 4
    assert wins_all.sum() > 50
    assert_array_equal(voting.predict(X)[wins_all], graph.predict(X)[wins_all])
