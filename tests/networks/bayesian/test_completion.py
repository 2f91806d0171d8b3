"""Sums over missing values: against the joint normal and brute force."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import multivariate_normal

from manyminds.networks.bayesian.completion import complete_rows, join_gaussians
from manyminds.networks.bayesian.cpds import fit_cpds

N_STATES = np.array([2, 0, 0, 0])
PARENTS = [(), (0,), (0, 1), (1, 2)]


def make_cpds(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(200, 4)) @ rng.normal(size=(4, 4))
    X[:, 0] = rng.integers(2, size=200)
    X[:, 2] += X[:, 0]
    ones = np.ones(200)
    return X, fit_cpds(X, ones, N_STATES, PARENTS, prior_count=1, var_smoothing=0)


def test_joint_normal_is_that_of_the_regressions(seed):
    X, cpds = make_cpds(seed)
    for state in (0.0, 1.0):
        row = np.array([state, 0, 0, 0])
        mean, covariance = join_gaussians(row, N_STATES, cpds)
        joint = multivariate_normal(mean[1:], covariance[1:, 1:])
        rows = X[:10].copy()
        rows[:, 0] = state
        expected = sum(cpd.log_density(rows) for cpd in cpds[1:])
        assert_allclose(joint.logpdf(rows[:, 1:]), expected)


def test_missing_numbers_are_conditioned_on_the_known(seed):
    X, cpds = make_cpds(seed)
    rows = X[:3].copy()
    rows[:, 2] = np.nan
    (one,) = next(complete_rows(rows, N_STATES, cpds))
    for i in range(3):
        mean, covariance = join_gaussians(rows[i], N_STATES, cpds)
        inner, outer = covariance[[1, 3]][:, [1, 3]], covariance[2, [1, 3]]
        expected = mean[2] + outer @ np.linalg.solve(
            inner, rows[i, [1, 3]] - mean[[1, 3]]
        )
        assert_allclose(one.X[i, 2], expected)
        density = multivariate_normal(mean[[1, 3]], inner).logpdf(rows[i, [1, 3]])
        density += np.log(cpds[0].table[int(rows[i, 0])])
        assert_allclose(one.log_joint[i], density)
    spread = covariance[2, 2] - outer @ np.linalg.solve(inner, outer)
    found = next(s for places, s in one.groups if 2 in places)
    assert_allclose(found[2, 2], spread)


def test_missing_categories_are_enumerated(seed):
    X, cpds = make_cpds(seed)
    rows = X[:4].copy()
    rows[:, 0] = np.nan
    low, high = next(complete_rows(rows, N_STATES, cpds))
    assert (low.X[:, 0] == 0).all() and (high.X[:, 0] == 1).all()
    assert_allclose(high.log_joint, sum(cpd.log_density(high.X) for cpd in cpds))


def test_too_many_configurations_are_an_error():
    n_states = np.array([10, 10, 10, 10, 0])
    X = np.full((1, 5), np.nan)
    with pytest.raises(ValueError, match="4 missing categories"):
        next(complete_rows(X, n_states, []))
