"""Gates that are fitted by maximum likelihood."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import logsumexp, softmax
from sklearn.linear_model import LogisticRegression

from manyminds.ensemble.experts.gates import descend, fit_gate, fit_top_gate, log_fits


def test_top_gate_finds_the_better_module(seed):
    # The first module is right on the left, the second on the right.
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(200, 2))
    log_fit = np.where(X[:, [0]] * [1.0, -1.0] < 0.0, 0.0, -1.0)
    top = fit_top_gate(X, log_fit, np.ones(200))
    gate = softmax(np.column_stack([X, np.ones(200)]) @ top.T, axis=1)
    assert np.mean((gate[:, 0] > 0.5) == (X[:, 0] < 0.0)) > 0.97
    fitted = logsumexp(np.log(gate) + log_fit, axis=1).sum()
    assert fitted > logsumexp(np.log(0.5) + log_fit, axis=1).sum()


def test_gate_of_hard_posteriors_is_a_logistic_regression(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(150, 2))
    y = (X[:, 0] + rng.logistic(size=150) > 0.0).astype(int)
    X1 = np.column_stack([X, np.ones(150)])
    gate = fit_gate(X1, np.eye(2)[y], np.ones(150), np.zeros((2, 3)), 200)
    theirs = LogisticRegression(C=1e9, tol=1e-8).fit(X, y)
    found = gate[1] - gate[0]
    assert_allclose(found, [*theirs.coef_[0], *theirs.intercept_], atol=2e-2)


def test_descent_never_returns_a_worse_point():
    start = np.array([0.0])
    worse = descend(lambda x: (float(x[0] ** 2), np.array([-1.0])), start, 1)
    assert_array_equal(worse, start)
    better = descend(lambda x: (float((x[0] - 1) ** 2), 2 * (x - 1)), start, 5)
    assert_allclose(better, [1.0], atol=1e-6)


def test_log_fits():
    outputs = np.array([[[1.0, 0.0]], [[0.0, 1.0]]])
    assert_allclose(log_fits(outputs, np.array([0])), [[0.0, -1.0]])
