"""Posteriors with missing values: sums over all completions."""

import numpy as np
from numpy.testing import assert_allclose

from manyminds.datasets import load_network
from manyminds.networks.bayesian.cpds import fit_cpds
from manyminds.networks.bayesian.posteriors import find_posterior, log_densities

N_STATES = np.array([2, 3, 0, 0])
PARENTS = [(), (0,), (0, 1), (2,)]


def make_rows(seed):
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.integers(2, size=300), rng.integers(3, size=300),
                         rng.normal(size=(300, 2))])  # fmt: skip
    X[:, 2] += X[:, 0] - X[:, 1]
    X[:, 3] += X[:, 2]
    cpds = fit_cpds(X, np.ones(300), N_STATES, PARENTS, prior_count=1, var_smoothing=0)
    return X, cpds


def test_missing_leaf_is_no_evidence(seed):
    # Node 3 is a leaf: rows without it have the posterior of the others.
    X, cpds = make_rows(seed)
    rows = X[:20].copy()
    full = find_posterior(rows, N_STATES, cpds, 0)
    other = rows.copy()
    other[:, 3] = 99.0
    assert_allclose(find_posterior(other, N_STATES, cpds, 0), full)
    rows[:, 3] = np.nan
    assert_allclose(find_posterior(rows, N_STATES, cpds, 0), full)


def test_density_sums_over_missing_categories(seed):
    X, cpds = make_rows(seed)
    rows = X[:5].copy()
    rows[:, 1] = np.nan
    total = 0.0
    for state in range(3):
        filled = rows.copy()
        filled[:, 1] = state
        total = total + np.exp(log_densities(filled, N_STATES, cpds))
    assert_allclose(log_densities(rows, N_STATES, cpds), np.log(total))


def test_density_integrates_over_missing_numbers(seed):
    X, cpds = make_rows(seed)
    row = X[:1].copy()
    grid = np.linspace(-40, 40, 40_001)
    filled = np.repeat(row, len(grid), axis=0)
    filled[:, 2] = grid
    total = np.exp(log_densities(filled, N_STATES, cpds)).sum() * (grid[1] - grid[0])
    row[:, 2] = np.nan
    assert_allclose(log_densities(row, N_STATES, cpds), np.log(total), rtol=1e-5)


def test_tables_by_tree_or_blanket_agree(seed):
    network = load_network("asia")
    X = network.sample(30, random_state=seed, as_frame=False).astype(float)
    cpds = fit_cpds(X, np.ones(30), network.n_states, network.parents, prior_count=1,
                    var_smoothing=0)  # fmt: skip
    full = find_posterior(X, network.n_states, cpds, 3)
    marginal = 0.0
    for state in (0, 1):
        filled = X.copy()
        filled[:, 0] = state
        weight = np.exp(
            [log_densities(_with(filled, 3, s), network.n_states, cpds) for s in (0, 1)]
        )
        marginal = marginal + weight.T
    X[:, 0] = np.nan
    found = find_posterior(X, network.n_states, cpds, 3)
    assert_allclose(found, marginal / marginal.sum(axis=1, keepdims=True))
    assert_allclose(full.sum(axis=1), 1.0)


def _with(X, column, value):
    X = X.copy()
    X[:, column] = value
    return X
