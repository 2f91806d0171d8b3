"""Altmann's test is exact, and agrees with SciPy where laws are fitted."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats
from sklearn.ensemble import RandomForestClassifier as TheirForest
from sklearn.feature_selection import f_regression, mutual_info_classif

from manyminds.feature_selection.embedded.null_distributions import (
    find_p_values,
    fit_distribution,
    ks_statistic,
)
from manyminds.feature_selection.embedded.permutation_test import (
    PermutationTestSelector,
)


def correlations(X, y):
    return np.abs((X - X.mean(axis=0)).T @ (y - y.mean()))


def draw(seed, n_samples=60, n_features=6):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples, n_features))
    return X, X[:, 0] + 0.5 * rng.normal(size=n_samples)


def test_counted_p_values_of_a_worked_example():
    null = np.array([[1.0, 5.0], [2.0, 6.0], [3.0, 7.0]])
    p_values, laws = find_p_values(np.array([2.0, 8.0]), null, "empirical")
    assert_allclose(p_values, [3 / 4, 1 / 4])  # two of three are as large; none is
    assert set(laws) == {"empirical"}


def test_plain_twin(seed):
    X, y = draw(seed)
    found = PermutationTestSelector(correlations, n_permutations=30, random_state=seed)
    found.fit(X, y)
    rng = np.random.default_rng(np.random.RandomState(seed).randint(2**31 - 1))
    null = np.array([correlations(X, rng.permutation(y)) for _ in range(30)])
    assert_allclose(found.null_importances_, null)
    assert_allclose(found.importances_, correlations(X, y))
    for j in range(6):
        n_as_large = sum(value >= found.importances_[j] for value in null[:, j])
        assert_allclose(found.p_values_[j], (1 + n_as_large) / 31)
    assert_array_equal(found.support_, found.p_values_ <= 0.05)
    assert found.ranking_[0] == 1
    assert_array_equal(np.sort(found.ranking_), np.arange(1, 7))


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


def test_level_is_kept(seed):
    # The counted test is exact: 5 % of features of no meaning are kept at most. Of 500
    # independent ones, more than 50 are kept less than once in 100,000 runs.
    rng = np.random.default_rng(seed)
    n_kept = 0
    for _ in range(10):
        X, y = rng.normal(size=(30, 50)), rng.normal(size=30)
        found = PermutationTestSelector(
            correlations, n_permutations=39, random_state=rng.integers(1000)
        )
        n_kept += found.fit(X, y).support_.sum()
    assert n_kept <= 50


def test_corrections(seed):
    X, y = draw(seed)
    options = {"n_permutations": 199, "random_state": 0}
    plain = PermutationTestSelector(correlations, **options).fit(X, y)
    assert_allclose(plain.adjusted_p_values_, plain.p_values_)
    whole = PermutationTestSelector(correlations, correction="bonferroni", **options)
    whole.fit(X, y)
    assert_allclose(whole.adjusted_p_values_, np.minimum(6 * plain.p_values_, 1))
    some = PermutationTestSelector(correlations, correction="bh", **options).fit(X, y)
    expected = stats.false_discovery_control(plain.p_values_)
    assert_allclose(some.adjusted_p_values_, expected)
    assert whole.support_[0] and some.support_[0]


def test_too_few_permutations_are_told(seed):
    X, y = draw(seed)
    few = PermutationTestSelector(
        correlations, n_permutations=100, correction="bonferroni"
    )
    with pytest.warns(UserWarning, match="n_permutations=100 is too small for"):
        few.fit(X, y)
    assert not few.support_.any()
    few.set_params(distribution="normal").fit(X, y)
    assert few.support_[0]


@pytest.mark.parametrize("importance", ["gain", "permutation"])
def test_forests(seed, importance):
    X, y = draw(seed)
    for target in (y, y > 0):
        found = PermutationTestSelector(
            importance=importance, n_permutations=20, random_state=0
        ).fit(X, target)
        assert found.support_[0] and found.ranking_[0] == 1
        assert found.null_importances_.shape == (20, 6)


def test_functions_and_other_models(seed):
    X, y = draw(seed, n_samples=100)
    options = {"n_permutations": 20, "random_state": 0}
    for judge, target in (
        (f_regression, y),
        (mutual_info_classif, y > 0),
        (TheirForest(10), y > 0),
    ):
        found = PermutationTestSelector(judge, **options).fit(X, target)
        assert found.support_[0]
    with pytest.raises(ValueError, match="one score for each of the 6"):
        PermutationTestSelector(lambda X, y: [1.0], **options).fit(X, y)
    with pytest.raises(ValueError, match="takes none"):
        PermutationTestSelector(f_regression, **options).fit(X, y, np.arange(100) + 1)


def test_result_does_not_depend_on_n_jobs(seed):
    X, y = draw(seed)
    one, two = (
        PermutationTestSelector(n_permutations=20, random_state=0, n_jobs=n).fit(X, y)
        for n in (1, 2)
    )
    assert_array_equal(one.null_importances_, two.null_importances_)
