"""Altmann's test is exact, and keeps its level."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats
from sklearn.ensemble import RandomForestClassifier as TheirForest
from sklearn.feature_selection import f_regression, mutual_info_classif

from manyminds.feature_selection.embedded.permutation_test import (
    PermutationTestSelector,
)


def correlations(X, y):
    return np.abs((X - X.mean(axis=0)).T @ (y - y.mean()))


def draw(seed, n_samples=60, n_features=6):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples, n_features))
    return X, X[:, 0] + 0.5 * rng.normal(size=n_samples)


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
