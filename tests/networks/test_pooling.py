"""Pools of probabilities."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from manyminds.networks import PooledClassifier, linear_pool, logarithmic_pool


def test_pools_of_one_or_of_equal_models_are_these(seed):
    p = np.random.default_rng(seed).dirichlet(np.ones(3), size=5)
    for pool in (linear_pool, logarithmic_pool):
        assert_allclose(pool([p]), p)
        assert_allclose(pool([p, p], [1.0, 5.0]), p)
        assert_allclose(pool([p, p[::-1]], [2.0, 0.0]), p)


def test_logarithmic_pool_commutes_with_evidence(seed):
    # Bayes' rule before or after pooling is the same: external Bayesianity.
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.ones(3), size=(2, 4))
    likelihood = rng.uniform(size=3)

    def update(p):
        return p * likelihood / (p * likelihood).sum(axis=-1, keepdims=True)

    weights = [0.3, 0.7]
    before = logarithmic_pool(update(p), weights)
    assert_allclose(before, update(logarithmic_pool(p, weights)))
    assert not np.allclose(linear_pool(update(p)), update(linear_pool(p)))


def test_certainty_overrules_and_contradiction_is_even():
    certain, doubt = [[1.0, 0.0]], [[0.2, 0.8]]
    assert_allclose(logarithmic_pool([certain, doubt]), [[1.0, 0.0]])
    assert_allclose(logarithmic_pool([certain, [[0.0, 1.0]]]), [[0.5, 0.5]])


def test_any_classifiers_are_pooled():
    X, y = load_iris(return_X_y=True)
    members = [("a", GaussianNB()), ("b", LogisticRegression(max_iter=500))]
    model = PooledClassifier(members, weights=[1, 3]).fit(X, y)
    expected = [one.fit(X, y).predict_proba(X) for _, one in members]
    assert_allclose(model.predict_proba(X), linear_pool(expected, [1, 3]))


@pytest.mark.parametrize("weights", [[1.0], [-1.0, 2.0], [0.0, 0.0]])
def test_wrong_weights_are_named(weights):
    p = np.full((2, 3, 2), 0.5)
    with pytest.raises(ValueError, match="weights must be 2 numbers"):
        linear_pool(p, weights)
    with pytest.raises(ValueError, match="n_models, n_samples, n_classes"):
        linear_pool(p[0])
