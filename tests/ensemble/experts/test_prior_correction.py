"""Correction of probabilities for the shares of classes."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import expit, logit
from sklearn.linear_model import LogisticRegression

from manyminds.ensemble.experts.prior_correction import correct_priors


def test_two_classes_shift_the_intercept():
    # beta_0 - ln[((1 - tau) / tau) (pi / (1 - pi))], King and Zeng.
    tau, pi, score = 0.1, 0.4, np.linspace(-3, 3, 7)
    p = np.column_stack([1 - expit(score), expit(score)])
    sides = np.array([1 - tau, tau]), np.array([1 - pi, pi])
    shift = np.log((1 - tau) / tau * pi / (1 - pi))
    corrected = correct_priors(p, *sides)
    assert_allclose(logit(corrected[:, 1]), score - shift)
    opposite = correct_priors(p, *sides, "paper-run")
    assert_allclose(logit(opposite[:, 1]), score + shift)
    assert correct_priors(p, *sides, "none") is p


def test_classes_that_the_sample_lacks_keep_zero():
    p = np.array([[0.5, 0.5, 0.0], [1.0, 0.0, 0.0]])
    population, sample = np.array([0.2, 0.3, 0.5]), np.array([0.5, 0.5, 0.0])
    assert_allclose(correct_priors(p, population, sample), [[0.4, 0.6, 0], [1, 0, 0]])
    constant = np.array([1.0, 0.0, 0.0])
    assert_array_equal(correct_priors(p, population, constant), p)


def test_item_7_case_control_sample_recovers_the_intercept(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(200_000, 1))
    y = rng.uniform(size=len(X)) < expit(-3.0 + X[:, 0])
    cases, controls = np.flatnonzero(y), np.flatnonzero(~y)
    n_cases = 4000
    rows = np.r_[rng.permutation(cases)[:n_cases], rng.permutation(controls)[:n_cases]]
    model = LogisticRegression(C=1e9).fit(X[rows], y[rows])
    p = correct_priors(
        model.predict_proba([[0.0]]),
        np.array([1 - y.mean(), y.mean()]),
        np.full(2, 0.5),
    )
    # Fisher information of intercept and slope, for the standard error.
    design = np.column_stack([np.ones(len(rows)), X[rows, 0]])
    q = model.predict_proba(X[rows])[:, 1]
    error = np.sqrt(np.linalg.inv((design.T * (q * (1 - q))) @ design)[0, 0])
    # Two standard errors, one more for the share of cases: fails once in 150 draws.
    assert abs(logit(p[0, 1]) + 3.0) < 3.0 * error
