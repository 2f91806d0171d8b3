"""Folds of a search: each row is tested once, and classes are spread."""

import numpy as np
import pytest
from sklearn.model_selection import KFold, ShuffleSplit

from manyminds.search.evaluation.folds import make_folds


def check_partition(folds, n):
    tests = np.concatenate([test for _, test in folds])
    assert sorted(tests) == list(range(n))
    for train, test in folds:
        assert sorted([*train, *test]) == list(range(n))


@pytest.mark.parametrize(
    ("n", "n_folds"), [(7, 7), (499, 10), (500, 5), (20_000, 5), (20_001, 3)]
)
def test_many_rows_have_fewer_folds(n, n_folds):
    folds = make_folds("auto", None, np.zeros(n), "regression", 0)
    assert len(folds) == n_folds
    check_partition(folds, n)


@pytest.mark.parametrize(
    ("counts", "with_all", "n_folds"),
    [
        ((20, 4), False, 10),
        ((20, 4), True, 4),
        ((20, 1), True, 2),
        ((6, 4), False, 6),
    ],
)
def test_classes_limit_the_folds(counts, with_all, n_folds):
    y = np.repeat(np.arange(len(counts)), counts)
    folds = make_folds("auto", None, y, "classification", 0, with_all_classes=with_all)
    assert len(folds) == n_folds


def test_classes_are_spread_over_the_folds(seed):
    y = np.repeat([0, 1], [40, 10])
    for _, test in make_folds(5, None, y, "classification", seed):
        assert np.bincount(y[test]).tolist() == [8, 2]


def test_the_seed_decides(seed):
    y = np.zeros(40)
    one, again, other = (
        [test.tolist() for _, test in make_folds(4, None, y, "regression", s)]
        for s in (seed, seed, seed + 1)
    )
    assert one == again != other


def test_a_splitter_of_ones_own_is_used():
    folds = make_folds(KFold(3), None, np.zeros(9), "regression", 0)
    assert [test.tolist() for _, test in folds] == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]


@pytest.mark.parametrize("cv", [1, 5, -1])
def test_a_wrong_number_of_folds_is_named(cv):
    with pytest.raises(ValueError, match=f"cv must be at least 2 .* 4; got {cv}"):
        make_folds(cv, None, np.zeros(4), "regression", 0)


def test_a_row_that_is_tested_twice_or_never_is_an_error():
    splitter = ShuffleSplit(3, test_size=0.5, random_state=0)
    with pytest.raises(ValueError, match="cv must put each row into exactly one"):
        make_folds(splitter, None, np.zeros(8), "regression", 0)
