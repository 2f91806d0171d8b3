"""Coupling: minima of both criteria, by another solver and by libsvm."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize
from sklearn.datasets import load_wine
from sklearn.preprocessing import scale
from sklearn.svm import SVC

from manyminds.ensemble.graphs.coupling import (
    couple_by_divergence,
    couple_by_least_squares,
)


def draw(seed, n_samples=5, n_classes=4):
    rng = np.random.default_rng(seed)
    r = np.triu(rng.uniform(0.02, 0.98, size=(n_samples, n_classes, n_classes)), 1)
    size = rng.integers(5, 50, size=n_classes)
    return r + np.tril(1.0 - r.transpose(0, 2, 1), -1), np.add.outer(size, size)


def minimum(loss, n_classes):
    """Minimize over probabilities by another route: a softmax and BFGS."""

    def of_logits(x):
        p = np.exp(x - x.max())
        return loss(p / p.sum())

    found = minimize(of_logits, np.zeros(n_classes), options={"gtol": 1e-10})
    p = np.exp(found.x - found.x.max())
    return p / p.sum()


def test_least_squares(seed):
    pairs, _ = draw(seed)
    for r, p in zip(pairs, couple_by_least_squares(pairs)):

        def loss(q, r=r):
            return sum(
                (r[j, i] * q[i] - r[i, j] * q[j]) ** 2
                for i in range(4)
                for j in range(4)
                if j != i
            )

        assert_allclose(p, minimum(loss, 4), atol=1e-4)
        assert loss(p) <= loss(minimum(loss, 4)) + 1e-12


def test_divergence(seed):
    pairs, size = draw(seed)
    for r, p in zip(pairs, couple_by_divergence(pairs, size)):

        def loss(q, r=r):
            total = 0.0
            for i in range(4):
                for j in range(i + 1, 4):
                    mu = q[i] / (q[i] + q[j])
                    kl = r[i, j] * np.log(r[i, j] / mu)
                    kl += r[j, i] * np.log(r[j, i] / (1 - mu))
                    total += size[i, j] * kl
            return total

        assert_allclose(p, minimum(loss, 4), atol=1e-4)
        assert loss(p) <= loss(minimum(loss, 4)) + 1e-9


@pytest.mark.parametrize("couple", ["least_squares", "divergence"])
def test_consistent_pairs_are_reproduced(seed, couple):
    p = np.random.default_rng(seed).dirichlet(np.ones(6), size=20)
    pairs = p[:, :, None] / (p[:, :, None] + p[:, None, :])
    if couple == "least_squares":
        found = couple_by_least_squares(pairs)
    else:
        found = couple_by_divergence(pairs, np.ones((6, 6)))
    assert_allclose(found, p, atol=1e-4)


def test_two_classes_are_their_pair():
    pairs = np.array([[[0.0, 0.3], [0.7, 0.0]]])
    assert_allclose(couple_by_least_squares(pairs), [[0.3, 0.7]])
    assert_allclose(couple_by_divergence(pairs, np.ones((2, 2))), [[0.3, 0.7]])


def test_certain_pairs():
    # Class 1 wins both of its pairs for certain, and classes 0 and 2 theirs.
    pairs = np.array([[[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, 0.0, 0.0]]])
    for p in (
        couple_by_least_squares(pairs)[0],
        couple_by_divergence(pairs, np.ones((3, 3)))[0],
    ):
        assert p[1] > 0.99 and np.isfinite(p).all() and (p >= 0.0).all()


@pytest.mark.filterwarnings("ignore")  # scikit-learn deprecates these probabilities
def test_libsvm_couples_alike():
    # libsvm stops at 0.005 / n_classes.
    X, y = load_wine(return_X_y=True)
    X = scale(X)[:, :4]
    machine = SVC(
        probability=True, decision_function_shape="ovo", random_state=0, C=0.1
    ).fit(X, y)
    values = machine.decision_function(X)
    share = 1.0 / (1.0 + np.exp(machine.probA_ * values + machine.probB_))
    pairs = np.zeros((len(X), 3, 3))
    for k, (i, j) in enumerate([(0, 1), (0, 2), (1, 2)]):
        pairs[:, i, j], pairs[:, j, i] = share[:, k], 1.0 - share[:, k]
    expected = machine.predict_proba(X)
    assert_allclose(couple_by_least_squares(pairs), expected, atol=0.005)
    assert np.abs(couple_by_divergence(pairs, np.ones((3, 3))) - expected).max() > 0.005
