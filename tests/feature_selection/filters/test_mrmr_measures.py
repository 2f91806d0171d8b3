"""Measures of mRMR: how they are chosen, and which pairs of columns they compare."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.feature_selection import f_classif
from sklearn.metrics import mutual_info_score, normalized_mutual_info_score

from manyminds.feature_selection.filters.mrmr_measures import (
    choose_measures,
    make_pairs,
    prepare_columns,
)

NOTHING, SOME, ALL = np.zeros(2, bool), np.array([False, True]), np.ones(2, bool)
MI, SU = "mutual_information", "symmetrical_uncertainty"
CLASSES = np.array(["a", "b"])
IS_CATEGORICAL = np.array([False, True, False, True])


@pytest.mark.parametrize(
    ("is_categorical", "classes", "expected"),
    [
        (NOTHING, CLASSES, ("f", "pearson")),
        (NOTHING, None, ("pearson", "pearson")),
        (SOME, CLASSES, (SU, SU)),
        (ALL, None, (MI, MI)),
    ],
)
def test_auto_depends_on_the_columns(is_categorical, classes, expected):
    assert choose_measures("auto", "auto", is_categorical, classes) == expected


def test_one_measure_of_information_decides_on_the_other():
    assert choose_measures(SU, "auto", NOTHING, CLASSES) == (SU, SU)
    assert choose_measures("auto", MI, NOTHING, CLASSES) == (MI, MI)
    assert choose_measures("pearson", "auto", NOTHING, CLASSES) == (
        "pearson",
        "pearson",
    )
    assert choose_measures("auto", "pearson", NOTHING, CLASSES) == ("f", "pearson")
    assert choose_measures("by_dtype", "by_dtype", SOME, None) == ("by_dtype",) * 2


def test_correlations_are_refused_where_there_are_none():
    with pytest.raises(
        ValueError, match=r"redundancy='pearson' .* columns \[1\] are c"
    ):
        choose_measures(MI, "pearson", SOME, CLASSES)
    with pytest.raises(ValueError, match="relevance='f' takes numeric columns only"):
        choose_measures("f", "pearson", ALL, CLASSES)
    with pytest.raises(ValueError, match=r"relevance='pearson' .* y has 3 classes"):
        choose_measures("pearson", "pearson", NOTHING, np.arange(3))


def draw(seed):
    """Columns 1 and 3 are codes, the others numbers of four values each."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(60) % 2)
    X = rng.integers(0, 4, size=(60, 4)).astype(float)
    X[:, 2] += y
    X[:, 3] = np.where(rng.random(60) < 0.7, y, X[:, 3])
    return X, y


def prepare(X, y, measures):
    return prepare_columns(X, IS_CATEGORICAL, y, CLASSES, None, measures, None, 4, None)


def test_columns_are_prepared_as_the_measures_need_them(seed):
    X, y = draw(seed)
    numbers, codes = prepare(X, y, ("f", "pearson")), prepare(X, y, (MI, MI))
    assert numbers.table is None and codes.X is None
    assert_array_equal(numbers.X, X[:, [0, 2]])
    assert_array_equal(codes.target.codes, y[None, :])
    both = prepare(X, y, ("by_dtype", "by_dtype"))
    assert_array_equal(both.X, X[:, [0, 2]])
    assert both.table.n_features == 4 and both.n_classes == 2


@pytest.mark.parametrize(
    ("measure", "score"),
    [
        (MI, lambda x, z: mutual_info_score(x, z) / np.log(2.0)),
        (SU, normalized_mutual_info_score),  # by the arithmetic mean of entropies
    ],
)
def test_information_is_that_of_scikit_learn_in_each_split(seed, measure, score):
    X, y = draw(seed)
    fold = np.arange(60) % 3
    pairs = make_pairs(prepare(X, y, (measure, measure)), None, fold, (measure,) * 2)
    found = pairs.measure([1, 2])
    alone = pairs.measure_splits([2, 0], [1, 2])
    for split in range(3):
        rows = X[fold != split]
        target = [score(x, y[fold != split]) for x in rows.T]
        assert_allclose(pairs.relevance[split], target, atol=1e-9)
        expected = [[score(rows[:, i], x) for x in rows.T] for i in (1, 2)]
        assert_allclose(found[:, split], expected, atol=1e-9)
    assert_allclose(alone, [found[0, 2], found[1, 0]], atol=1e-12)


def test_each_pair_has_the_measure_of_its_columns(seed):
    # Numbers are 0 and 2: correlation between them, information with the others.
    X, y = draw(seed)
    measures = ("by_dtype", "by_dtype")
    pairs = make_pairs(prepare(X, y, measures), None, None, measures)
    bits = np.array([[mutual_info_score(x, z) / np.log(2.0) for z in X.T] for x in X.T])
    bits[np.ix_([0, 2], [0, 2])] = np.abs(np.corrcoef(X[:, [0, 2]], rowvar=False))
    assert_allclose(pairs.measure(range(4))[:, 0], bits, atol=1e-9)
    some = pairs.measure([3, 2], np.array([2, 0]))
    assert_allclose(some[:, 0], bits[np.ix_([3, 2], [2, 0])], atol=1e-9)
    relevance = [mutual_info_score(x, y) / np.log(2.0) for x in X.T]
    relevance[0], relevance[2] = f_classif(X[:, [0, 2]], y)[0]
    assert_allclose(pairs.relevance[0], relevance, rtol=1e-7, atol=1e-9)


def test_pairs_of_one_split_are_those_of_all_splits(seed):
    X, y = draw(seed)
    measures, fold = ("by_dtype", "by_dtype"), np.arange(60) % 3
    pairs = make_pairs(prepare(X, y, measures), None, fold, measures, lockstep=True)
    found = pairs.measure(range(4))
    for splits, features in (([0, 2], [2, 1]), ([1, 1, 0], [0, 3, 2])):
        some = pairs.measure_splits(splits, features)
        assert_allclose(some, found[features, splits], atol=1e-9)


def test_relevance_and_redundancy_may_be_of_two_families(seed):
    X, y = draw(seed)
    columns = prepare_columns(
        X, np.zeros(4, bool), y, CLASSES, None, (MI, "pearson"), None, 4, None
    )
    pairs = make_pairs(columns, None, None, (MI, "pearson"))
    expected = [mutual_info_score(x, y) / np.log(2.0) for x in X.T]
    assert_allclose(pairs.relevance[0], expected, atol=1e-9)
    correlations = np.abs(np.corrcoef(X, rowvar=False))
    assert_allclose(pairs.measure([1])[0, 0], correlations[1], atol=1e-9)
