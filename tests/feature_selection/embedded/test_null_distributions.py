"""P-values of importances: counted, or by laws that are those of SciPy."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from manyminds.feature_selection.embedded.null_distributions import (
    find_p_values,
    fit_distribution,
    ks_statistic,
)


def test_counted_p_values_of_a_worked_example():
    null = np.array([[1.0, 5.0], [2.0, 6.0], [3.0, 7.0]])
    p_values, laws = find_p_values(np.array([2.0, 8.0]), null, "empirical")
    assert_allclose(p_values, [3 / 4, 1 / 4])  # two of three are as large; none is
    assert set(laws) == {"empirical"}


@pytest.mark.parametrize("name", ["normal", "lognormal", "gamma"])
def test_laws_are_those_of_scipy(seed, name):
    rng = np.random.default_rng(seed)
    sample = rng.gamma([0.5, 3.0, 50.0], [2.0, 1.0, 1e-6], size=(80, 3)) + 1e-9
    law = fit_distribution(name, sample)
    distance = ks_statistic(sample, law)
    peer = {"normal": stats.norm, "lognormal": stats.lognorm, "gamma": stats.gamma}
    for j in range(3):
        fixed = {} if name == "normal" else {"floc": 0}
        one = peer[name](*peer[name].fit(sample[:, j], **fixed))
        points = np.quantile(sample[:, j], [0.1, 0.5, 0.9, 1.0])
        assert_allclose(one.sf(points), np.array([law.sf(x)[j] for x in points]), 1e-3)
        twin = fit_distribution(name, sample[:, [j]])
        assert_allclose(
            distance[j],
            stats.kstest(sample[:, j], lambda x, twin=twin: twin.cdf(x)).statistic,
        )


def test_law_is_chosen_by_its_fit(seed):
    rng = np.random.default_rng(seed)
    n = 2000
    null = np.column_stack(
        [
            rng.normal(-3, 1, n),  # never positive: only the normal law can be
            np.exp(rng.normal(0, 1.2, n)),
            rng.gamma(0.7, 1, n),
            rng.integers(0, 2, n),  # no law fits
            np.full(n, 2.0),  # no spread
        ]
    )
    observed = null.max(axis=0) + 0.1
    p_values, laws = find_p_values(observed, null, "auto")
    # A right law is wrongly turned down hardly ever: its parameters were fitted.
    assert laws.tolist() == ["normal", "lognormal", "gamma", "empirical", "empirical"]
    assert_allclose(p_values[3:], 1 / (n + 1))
    assert np.all((p_values[:3] > 0) & (p_values[:3] < 0.01))
    _, forced = find_p_values(observed, null, "gamma")
    assert forced.tolist() == ["empirical", "gamma", "gamma", "empirical", "empirical"]


def test_fitted_tail_is_about_the_true_one(seed):
    # A normal statistic, seen 100 times: where 1 of 1,000 would be larger, the fitted
    # laws say between 0.00098 and 0.0014 on average over 200 (limits of 1,000 runs).
    rng = np.random.default_rng(seed)
    null = rng.normal(size=(100, 200))
    p_values, _ = find_p_values(np.full(200, stats.norm.isf(0.001)), null, "normal")
    assert 0.0008 < np.mean(p_values) < 0.002
