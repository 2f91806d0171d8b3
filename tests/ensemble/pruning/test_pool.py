"""Pools of members from ensembles of any kind."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import ensemble as theirs
from sklearn.datasets import load_iris
from sklearn.frozen import FrozenEstimator
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from manyminds import ensemble as ours
from manyminds.ensemble.pruning.pool import Committee, is_frozen, open_pool

X, NUMBER = load_iris(return_X_y=True)
NAMES = np.array(["c", "a", "b"])[NUMBER]
ENSEMBLES = [
    ours.RandomForestClassifier(4, random_state=0),
    ours.BaggingClassifier(GaussianNB(), 4, random_state=0),
    ours.RotationForestClassifier(4, random_state=0),
    ours.BaggingClassifier(ours.RandomOracleClassifier(), 4, random_state=0),
    theirs.RandomForestClassifier(4, random_state=0),
    theirs.BaggingClassifier(n_estimators=4, max_features=2, random_state=0),
    theirs.VotingClassifier([("a", GaussianNB()), ("b", DecisionTreeClassifier())]),
    theirs.AdaBoostClassifier(n_estimators=4, random_state=0),
]


@pytest.mark.parametrize("model", ENSEMBLES, ids=lambda one: type(one).__name__)
def test_members_of_any_ensemble(model):
    pool = open_pool(model.fit(X, NAMES))
    classes = np.unique(NAMES)
    labels = pool.labels(X, classes)
    assert labels.shape == (len(pool), 150) and labels.dtype == np.int32
    assert np.mean(classes[labels] == NAMES) > 0.6
    some = pool.select([1])
    assert_array_equal(some.labels(X, classes), labels[[1]])
    # A class that the members do not know.
    wider = np.array(["a", "ab", "b", "c"])
    assert_array_equal(wider[pool.labels(X, wider)], classes[labels])
    assert pool.values(X, wider)[:, :, 1].max() == 0.0
    votes = Committee(pool.select([0, 1]), np.array([1.0, 2.0]), True)
    expected = sum(w * np.eye(3)[labels[t]] for t, w in ((0, 1.0), (1, 2.0)))
    assert_allclose(votes.sum_values(X, classes), expected, atol=1e-12)
    again = pickle.loads(pickle.dumps(votes))
    assert_allclose(again.sum_values(X, wider)[:, [0, 2, 3]], expected, atol=1e-12)


def test_lists_of_estimators():
    parts = [GaussianNB().fit(X[:100], NAMES[:100]), GaussianNB().fit(X, NAMES)]
    pool = open_pool(parts)
    assert pool.classes.tolist() == ["a", "b", "c"]
    for t, one in enumerate(parts):
        labels = pool.labels(X, pool.classes)[t]
        assert_array_equal(pool.classes[labels], one.predict(X))
    assert is_frozen([FrozenEstimator(one) for one in parts]) and not is_frozen(parts)
    regressors = open_pool([DecisionTreeRegressor().fit(X, NUMBER)])
    assert regressors.classes is None and regressors.values(X).shape == (1, 150, 1)
    with pytest.raises(ValueError, match="one classifier or more"):
        open_pool([GaussianNB().fit(X, NAMES), DecisionTreeRegressor().fit(X, NUMBER)])


def test_what_is_no_pool_of_voters_is_refused():
    with pytest.raises(TypeError, match="must be an ensemble with estimators_"):
        open_pool(GaussianNB().fit(X, NAMES))
    boosted = theirs.GradientBoostingClassifier(n_estimators=2).fit(X, NAMES)
    with pytest.raises(TypeError, match="are no classifiers"):
        open_pool(boosted)
