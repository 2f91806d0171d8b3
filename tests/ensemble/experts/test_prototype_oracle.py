"""Random prototype oracle: one model for each cell."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.datasets import make_classification
from sklearn.ensemble import BaggingClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from manyminds.ensemble import RandomPrototypeOracleClassifier


def make_data(seed):
    return make_classification(150, 4, n_redundant=0, random_state=seed)


def test_naive_twin(seed):
    X, y = make_data(seed)
    oracle = RandomPrototypeOracleClassifier(
        GaussianNB(), 3, scale=None, random_state=seed
    ).fit(X, y)
    distances = np.linalg.norm(X[:, None] - oracle.prototypes_, axis=2)
    nearest = distances.argmin(axis=1)
    for cell in range(3):
        rows = nearest == cell
        if len(np.unique(y[rows])) > 1:
            expected = GaussianNB().fit(X[rows], y[rows]).predict(X[rows])
        else:
            expected = y[rows]
        assert_array_equal(oracle.predict(X)[rows], expected)
    assert all((X == p).all(axis=1).any() for p in oracle.prototypes_)


def test_given_prototypes_and_another_metric():
    X, y = make_data(0)
    oracle = RandomPrototypeOracleClassifier(
        prototypes=X[:2], metric="manhattan", scale=None
    ).fit(X, y)
    far = np.abs(X[:, None] - X[:2]).sum(axis=2)
    assert_array_equal(oracle.route(X), far.argmin(axis=1))
    with pytest.raises(ValueError, match=r"prototypes must be .*\(n_prototypes, 4\)"):
        RandomPrototypeOracleClassifier(prototypes=X[:2, :3]).fit(X, y)


def test_oracles_make_bagged_members_diverse(seed):
    X, y = make_data(seed)

    def disagree(member):
        ensemble = BaggingClassifier(member, 20, random_state=0).fit(X[::2], y[::2])
        votes = np.array([one.predict(X[1::2]) for one in ensemble.estimators_])
        return np.mean(votes[:10] != votes[10:])

    bayes = GaussianNB()
    assert disagree(RandomPrototypeOracleClassifier(bayes)) > disagree(bayes)
    oracle = RandomPrototypeOracleClassifier(DecisionTreeClassifier(), 2)
    assert BaggingClassifier(oracle, random_state=0).fit(X, y).score(X, y) > 0.9
