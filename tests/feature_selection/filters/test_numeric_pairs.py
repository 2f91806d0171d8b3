"""Correlations in several training sets against those of NumPy and scikit-learn."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csc_array
from sklearn.feature_selection import f_classif, f_regression

from manyminds.feature_selection.filters import numeric_pairs
from manyminds.feature_selection.filters.numeric_pairs import NumericPairs

FOLD = np.arange(48) % 3


def draw(seed, n_classes=3):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(48) % n_classes)
    X = rng.normal(size=(48, 5)) + 0.7 * y[:, None]
    X[:, 4] += X[:, 0]
    return np.where(rng.random(X.shape) < 0.3, 0.0, X), y


def make(X, y, n_classes=None, measure="pearson", fold=FOLD, weight=None, **options):
    weight = np.ones(len(y)) if weight is None else weight
    return NumericPairs(X, weight, fold, y, n_classes, measure, **options)


def correlate(X):
    return np.abs(np.corrcoef(X, rowvar=False))


def test_worked_example():
    # Columns 0 and 1 are opposite; column 2 has nothing in common with them.
    X = np.array([[1.0, -2, 1], [1, -2, -1], [-1, 2, 1], [-1, 2, -1]])
    pairs = make(X, np.array([3.0, 3, 1, 1]), fold=None)
    assert_allclose(pairs.relevance, [[1.0, 1.0, 0.0]], atol=1e-12)
    expected = [[[1.0, 1.0, 0.0]], [[0.0, 0.0, 1.0]]]
    assert_allclose(pairs.measure([0, 2]), expected, atol=1e-12)


@pytest.mark.parametrize("form", [np.asarray, csc_array])
@pytest.mark.parametrize("lockstep", [False, True])
def test_splits_are_all_samples_but_those_of_a_fold(seed, form, lockstep):
    X, y = draw(seed)
    pairs = make(form(X), y.astype(float), lockstep=lockstep)
    found = pairs.measure([3, 0])
    some = pairs.measure([3], np.array([4, 1]))
    for split in range(3):
        rows = FOLD != split
        expected = correlate(X[rows])
        assert_allclose(found[:, split], expected[[3, 0]], atol=1e-9)
        assert_allclose(some[0, split], expected[3, [4, 1]], atol=1e-9)
        target = [abs(np.corrcoef(x, y[rows])[0, 1]) for x in X[rows].T]
        assert_allclose(pairs.relevance[split], target, atol=1e-9)


@pytest.mark.parametrize("max_bytes", [1, 2**28])
def test_a_feature_of_one_split_is_that_of_all(seed, max_bytes, monkeypatch):
    # With a cache of one product, and with room for all of them.
    monkeypatch.setattr(numeric_pairs, "MAX_CACHE_BYTES", max_bytes)
    X, y = draw(seed)
    pairs = make(X, y.astype(float), lockstep=True)
    for splits, features in (([0, 1, 2], [4, 4, 1]), ([2, 0], [1, 3])):
        found = pairs.measure_splits(np.array(splits), np.array(features))
        for one, split, feature in zip(found, splits, features):
            expected = correlate(X[FOLD != split])[feature]
            assert_allclose(one, expected, atol=1e-9)


def test_f_is_that_of_scikit_learn(seed):
    X, y = draw(seed)
    of_classes = make(X, y, 3, "f").relevance
    of_numbers = make(X, X[:, 0] + y, None, "f").relevance
    for split in range(3):
        rows = FOLD != split
        assert_allclose(of_classes[split], f_classif(X[rows], y[rows])[0], rtol=1e-6)
        expected = f_regression(X[rows], (X[:, 0] + y)[rows])[0]
        assert_allclose(of_numbers[split], expected, rtol=1e-6)


@pytest.mark.parametrize("lockstep", [False, True])
def test_weights_are_repetitions(seed, lockstep):
    X, y = draw(seed)
    weight = np.random.default_rng(seed).integers(1, 4, 48)
    found = make(X, y, 3, "f", weight=weight.astype(float), lockstep=lockstep)
    long = make(
        np.repeat(X, weight, axis=0), np.repeat(y, weight), 3, "f",
        np.repeat(FOLD, weight),
    )  # fmt: skip
    assert_allclose(found.relevance, long.relevance, rtol=1e-7)
    assert_allclose(found.measure([2]), long.measure([2]), atol=1e-9)


def test_a_column_that_is_constant_in_a_split_has_no_correlation_there(seed):
    X, y = draw(seed)
    X[:, 1] = 7.0
    X[:, 2] = np.where(FOLD == 0, X[:, 2], 3.0)  # varies in fold 0 alone
    pairs = make(X, y.astype(float))
    expected = np.zeros((3, 5), dtype=bool)
    expected[:, 1] = expected[0, 2] = True
    assert_array_equal(pairs.constant, expected)
    assert_array_equal(pairs.relevance[expected], 0.0)
    assert_array_equal(pairs.measure([1]), np.zeros((1, 3, 5)))


def test_units_do_not_matter(seed):
    X, y = draw(seed)
    one, other = make(X, y, 3, "f"), make(1e6 * X + 1e7, y, 3, "f")
    assert_allclose(other.relevance, one.relevance, rtol=1e-6)
    assert_allclose(other.measure([0]), one.measure([0]), atol=1e-7)
