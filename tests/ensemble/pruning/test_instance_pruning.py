"""Pruning for each row: items 5 and 6 of the list for multi-label ensembles."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import RandomForestClassifier as TheirForest
from sklearn.linear_model import LogisticRegression, Ridge

from manyminds.ensemble import InstancePruningClassifier, RandomForestClassifier
from manyminds.ensemble.pruning.instance_pruning import _break_ties


class Region(ClassifierMixin, BaseEstimator):
    """Right in one interval of the first column, a constant elsewhere."""

    def __init__(self, low=0.0, high=1.0):
        self.low = low
        self.high = high

    def fit(self, X, y):
        self.classes_ = np.array([0, 1, 2])
        return self

    def predict(self, X):
        inside = (X[:, 0] >= self.low) & (X[:, 0] < self.high)
        return np.where(inside, np.floor(X[:, 1] * 3).astype(int).clip(0, 2), 0)


class Oracle(ClassifierMixin, BaseEstimator):
    """A multi-label learner that knows which regions are right."""

    def fit(self, X, y):
        self.n_labels_ = y.shape[1]
        return self

    def predict(self, X):
        return (
            np.stack([one.predict(X) for one in self.members], axis=1)
            == (self.truth(X)[:, None])
        )

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags


def make_data(seed, n_rows=400):
    X = np.random.default_rng(seed).uniform(size=(n_rows, 2))
    return X, np.floor(X[:, 1] * 3).astype(int)


def make_members():
    regions = [Region(k / 4, (k + 1) / 4) for k in range(3)]  # the last has no expert
    return [one.fit(None, None) for one in regions]


def test_item_5_low_threshold_is_the_full_vote(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(200, 3))
    y = rng.integers(3, size=200)  # noise: many ties
    forest = RandomForestClassifier(6, random_state=seed).fit(X[:80], y[:80])
    model = InstancePruningClassifier(forest, threshold=-1.0, prefit=True)
    model.fit(X[80:140], y[80:140])
    labels = forest.predict_all(X)
    votes = np.stack([np.sum(labels == c, axis=0) for c in range(3)], axis=1)
    assert_array_equal(model.predict(X), votes.argmax(axis=1))
    assert_array_equal(model.predict_proba(X), votes / 6.0)


def test_item_5_oracle_reaches_the_oracle_rate():
    X, y = make_data(0)
    members = make_members()
    Oracle.members = members
    Oracle.truth = staticmethod(lambda X: np.floor(X[:, 1] * 3).astype(int))
    model = InstancePruningClassifier(
        members, Oracle(), threshold=0.5, standardize=False, prefit=True
    ).fit(X, y)
    model._reader.center[:] = 0.0  # the oracle reads the table itself
    some_right = np.any([one.predict(X) == y for one in members], axis=0)
    assert 0.7 < some_right.mean() < 1.0
    # Where no member is right all vote, and are wrong.
    assert model.score(X, y) == some_right.mean()


def test_item_6_members_of_regions():
    X, y = make_data(1, 900)
    members = make_members()
    model = InstancePruningClassifier(members, prefit=True, random_state=0)
    model.fit(X[:500], y[:500])
    labels = np.stack([one.predict(X[500:]) for one in members])
    votes = np.stack([np.sum(labels == c, axis=0) for c in range(3)], axis=1)
    unpruned = np.mean(votes.argmax(axis=1) == y[500:])
    single = max(one.score(X[500:], y[500:]) for one in members)
    assert model.score(X[500:], y[500:]) > max(unpruned, single) + 0.15


def test_other_learners_and_bad_ones():
    X, y = make_data(2)
    forest = TheirForest(10, random_state=0)
    model = InstancePruningClassifier(make_members(), forest, prefit=True)
    assert model.fit(X, y).score(X, y) > 0.7
    with pytest.raises(ValueError, match="learner must take several labels"):
        InstancePruningClassifier(learner=LogisticRegression()).fit(X, y)
    with pytest.raises((ValueError, AttributeError)):
        InstancePruningClassifier(learner=Ridge()).fit(X, y)


def test_ties_go_to_the_scores_then_to_the_frequent_class():
    votes = np.array([[0.5, 0.5], [0.5, 0.5], [0.4, 0.6]])
    approval = np.array([[0.2, 0.3], [0.3, 0.3], [0.9, 0.1]])
    broken = _break_ties(votes, approval, np.tile([0.3, 0.7], (3, 1)))
    assert_array_equal(broken.argmax(axis=1), [1, 1, 1])
    np.testing.assert_allclose(broken, votes, atol=1e-8)
