"""EM: the acceptance list's item 4, and missing values of tables."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.mixture import GaussianMixture

from manyminds.datasets import load_network
from manyminds.networks.bayesian.cpds import fit_cpds
from manyminds.networks.bayesian.em import FitOptions, fit_parameters, improve

EXACT = FitOptions(prior_count=0.0, var_smoothing=0.0, tol=0.0, max_iter=20, n_init=2)


def draw_mixture(seed, n_samples=200):
    rng = np.random.default_rng(seed)
    label = rng.integers(2, size=n_samples)
    X = rng.normal(size=(n_samples, 3)) + 2.5 * label[:, None]
    X[:, 2] += 0.8 * X[:, 1]
    return np.column_stack([X, label])


def fill(cpds):
    return [
        cpd.table if hasattr(cpd, "table") else
        np.concatenate([np.ravel(cpd.intercept), np.ravel(cpd.coefficients),
                        np.ravel(cpd.variance)])
        for cpd in cpds
    ]  # fmt: skip


N_STATES = np.array([0, 0, 0, 2])
PARENTS = [(3,), (3,), (1, 3), ()]


@pytest.mark.parametrize("missing", ["class", "numbers", "both"])
def test_item_4_log_likelihood_never_falls(missing, seed):
    X = draw_mixture(seed)
    rng = np.random.default_rng(seed)
    if missing != "numbers":
        X[:, 3] = np.nan
    if missing != "class":
        X[:, :3][rng.random((len(X), 3)) < 0.15] = np.nan
    fitted = fit_parameters(
        X, np.ones(len(X)), N_STATES, PARENTS, EXACT, np.random.RandomState(seed)
    )
    gains = np.diff(fitted.log_likelihoods)
    assert len(gains) > 3 and (gains >= -1e-6).all()


def test_item_4_log_likelihood_of_tables_never_falls(seed):
    network = load_network("cancer")
    X = network.sample(300, random_state=seed, as_frame=False).astype(float)
    X[np.random.default_rng(seed).random(X.shape) < 0.3] = np.nan
    for prior in (0.0, 1.0):
        options = FitOptions(prior_count=prior, tol=0.0, max_iter=15)
        fitted = fit_parameters(
            X, np.ones(300), network.n_states, network.parents, options,
            np.random.RandomState(seed),
        )  # fmt: skip
        assert (np.diff(fitted.log_likelihoods) >= -1e-8).all()


def test_item_4_an_observed_class_is_maximum_likelihood_after_one_step(seed):
    X = draw_mixture(seed)
    ones = np.ones(len(X))
    start = fit_cpds(
        X[:60], ones[:60], N_STATES, PARENTS, prior_count=1, var_smoothing=0
    )
    one_step = FitOptions(prior_count=0.0, var_smoothing=0.0, max_iter=1)
    fitted = improve(X, ones, N_STATES, PARENTS, start, one_step)
    best = fit_cpds(X, ones, N_STATES, PARENTS, prior_count=0, var_smoothing=0)
    for found, expected in zip(fill(fitted.cpds), fill(best)):
        assert_allclose(found, expected, rtol=1e-6, atol=1e-9)


def test_item_4_without_arcs_it_is_a_diagonal_gaussian_mixture(seed):
    X = draw_mixture(seed)
    start = X.copy()
    X[:, 3] = np.nan
    parents, ones = [(3,), (3,), (3,), ()], np.ones(len(X))
    cpds = fit_cpds(start, ones, N_STATES, parents, prior_count=0, var_smoothing=0)
    mixture = GaussianMixture(
        2, covariance_type="diag", tol=0.0, max_iter=20, reg_covar=0.0,
        weights_init=cpds[3].table,
        means_init=np.column_stack([cpd.intercept for cpd in cpds[:3]]),
        precisions_init=1.0 / np.column_stack([cpd.variance for cpd in cpds[:3]]),
    )  # fmt: skip
    with pytest.warns(match="did not converge"):
        mixture.fit(X[:, :3])
    options = FitOptions(prior_count=0.0, var_smoothing=0.0, tol=0.0, max_iter=20)
    fitted = improve(X, ones, N_STATES, parents, cpds, options)
    means = np.column_stack([cpd.intercept for cpd in fitted.cpds[:3]])
    variances = np.column_stack([cpd.variance for cpd in fitted.cpds[:3]])
    assert_allclose(means, mixture.means_, rtol=1e-5, atol=1e-6)
    assert_allclose(variances, mixture.covariances_, rtol=1e-5)
    assert_allclose(fitted.cpds[3].table, mixture.weights_, rtol=1e-6)


def test_restarts_find_no_worse_a_fit(seed):
    X = draw_mixture(seed)
    X[:, 3] = np.nan
    ends = []
    for n_init in (1, 5):
        options = FitOptions(n_init=n_init)
        fitted = fit_parameters(
            X, np.ones(len(X)), N_STATES, PARENTS, options, np.random.RandomState(seed)
        )
        ends.append(fitted.log_likelihoods[-1])
    assert ends[1] >= ends[0]


def test_a_numeric_column_without_values_has_no_influence(seed):
    X = draw_mixture(seed)
    known = fit_parameters(
        X[:, [0, 1, 3]], np.ones(len(X)), np.array([0, 0, 2]), [(2,), (0, 2), ()],
        EXACT, np.random.RandomState(0),
    )  # fmt: skip
    X[:, 2] = np.nan
    fitted = fit_parameters(
        X, np.ones(len(X)), N_STATES, [(3,), (0, 2, 3), (3,), ()], EXACT,
        np.random.RandomState(0),
    )  # fmt: skip
    assert_allclose(fitted.cpds[2].variance, 1.0)
    assert_allclose(fitted.cpds[2].intercept, 0.0, atol=1e-12)
    assert_allclose(fitted.cpds[1].coefficients[:, 1], 0.0, atol=1e-9)
    assert_allclose(
        fitted.cpds[1].coefficients[:, 0], known.cpds[1].coefficients[:, 0], rtol=1e-6
    )
