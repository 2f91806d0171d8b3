"""Boost-by-majority: a plain twin, an early end, two classes only."""

from math import comb

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.datasets.generators import make_friedman_classes
from manyminds.ensemble.boosting.boost_by_majority import BoostByMajorityClassifier
from manyminds.trees.mdl_tree import MDLTreeClassifier


def test_plain_twin(seed):
    # The printed formula, round by round.
    X, y = make_friedman_classes(120, random_state=seed)
    T, edge, n = 11, 0.15, len(y)
    rng, right, trees = np.random.RandomState(seed), np.zeros(n, int), []
    for t in range(T):
        k, left = T // 2 - right, T - t - 1
        weights = np.array(
            [
                comb(left, j) * (0.5 + edge) ** j * (0.5 - edge) ** (left - j)
                if 0 <= j <= left
                else 0.0
                for j in k
            ]
        )
        if not weights.any():  # every row is won or lost
            break
        weights /= weights.sum()
        last = weights
        rows = rng.choice(n, size=n, p=weights)
        rng.randint(2**31 - 1)
        trees.append(MDLTreeClassifier().fit(X[rows], y[rows]))
        right += trees[-1].predict(X) == y
    boost = BoostByMajorityClassifier(None, T, edge=edge, random_state=seed).fit(X, y)
    assert_array_equal(boost.n_right_, right)
    assert_allclose(boost.sample_weights_, last)
    votes = np.mean([tree.predict(X) for tree in trees], axis=0)
    assert_array_equal(boost.predict(X), votes > 0.5)


def test_it_ends_when_every_row_is_decided():
    # All rows are right every time: after 6 of 11 votes all of them are won.
    X = np.r_[np.arange(20.0), np.arange(50.0, 70.0)].reshape(-1, 1)
    y = (X[:, 0] > 40).astype(int)
    boost = BoostByMajorityClassifier(None, 11, random_state=0).fit(X, y)
    assert len(boost.estimators_) == 6
    assert boost.score(X, y) == 1.0


def test_two_classes_only():
    with pytest.raises(ValueError, match=r"Only binary classification .* 3 classes"):
        BoostByMajorityClassifier().fit([[0.0], [1.0], [2.0]], [0, 1, 2])
