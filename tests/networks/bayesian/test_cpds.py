"""Tables and linear Gaussians: counts by hand, least squares, empty cells."""

import numpy as np
from numpy.testing import assert_allclose
from sklearn.linear_model import LinearRegression

from manyminds.networks.bayesian.cpds import fit_cpds

NOTHING = {"prior_count": 0.0, "var_smoothing": 0.0}


def test_table_worked_by_hand():
    X = np.array([[0, 0], [0, 0], [0, 1], [1, 1]], dtype=float)
    n_states, parents = np.array([3, 2]), [(), (0,)]
    cpd = fit_cpds(X, np.ones(4), n_states, parents, **NOTHING)[1]
    # The third state of the parent has no rows: the node's states are even.
    assert_allclose(cpd.table, [[2 / 3, 1 / 3], [0, 1], [0.5, 0.5]])
    prior = {"prior_count": 1.0, "var_smoothing": 0.0}
    cpd = fit_cpds(X, np.ones(4), n_states, parents, **prior)[1]
    assert_allclose(cpd.table, [[3 / 5, 2 / 5], [1 / 3, 2 / 3], [0.5, 0.5]])
    assert cpd.n_parameters == 3
    assert_allclose(cpd.log_density(X), np.log([3 / 5, 3 / 5, 2 / 5, 2 / 3]))


def test_gaussian_is_least_squares_in_each_cell(seed):
    rng = np.random.default_rng(seed)
    state, x = rng.integers(2, size=100), 20.0 + rng.normal(size=100)
    y = 3.0 - state * x + rng.normal(size=100)
    weight = rng.uniform(0.5, 2.0, size=100)
    X = np.column_stack([state, x, y])
    cpd = fit_cpds(X, weight, np.array([2, 0, 0]), [(), (), (0, 1)], **NOTHING)[2]
    for s in (0, 1):
        rows = state == s
        line = LinearRegression().fit(x[rows, None], y[rows], weight[rows])
        rest = y[rows] - line.predict(x[rows, None])
        assert_allclose(cpd.coefficients[s], line.coef_, rtol=1e-5)
        assert_allclose(cpd.intercept[s], line.intercept_, rtol=1e-5)
        variance = np.average(rest**2, weights=weight[rows])
        assert_allclose(cpd.variance[s], variance, rtol=1e-6)
    assert cpd.n_parameters == 6


def test_cell_without_rows_has_the_distribution_of_all():
    X = np.array([[0, 1.0], [0, 3.0]])
    cpd = fit_cpds(X, np.ones(2), np.array([2, 0]), [(), (0,)], **NOTHING)[1]
    assert_allclose(cpd.intercept, [2.0, 2.0])
    assert_allclose(cpd.variance, [1.0, 1.0])


def test_draws_have_the_moments(seed):
    # 20,000 draws: the standard error of a mean is 0.007 and of a share 0.0035.
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.integers(2, size=500), rng.normal(size=500)])
    X[:, 1] += 3.0 * X[:, 0]
    table, line = fit_cpds(X, np.ones(500), np.array([2, 0]), [(), (0,)], **NOTHING)
    rows = np.ones((20_000, 2))
    assert abs(line.draw(rows, rng).mean() - line.intercept[1]) < 0.04
    assert abs(table.draw(rows, rng).mean() - table.table[1]) < 0.02


def test_spread_of_what_was_filled_in_adds_to_the_variance():
    X = np.array([[1.0], [3.0]])
    spreads = [(X[0], 1.0, np.array([[4.0]]))]
    (cpd,) = fit_cpds(X, np.ones(2), np.array([0]), [()], spreads=spreads, **NOTHING)
    assert_allclose(cpd.variance, 1.0 + 4.0 / 2)
