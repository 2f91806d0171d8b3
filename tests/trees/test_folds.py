"""Folds inside ``fit``: as many as rows allow, over the rows that are left."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.model_selection import KFold

from manyminds.trees.folds import limit_folds, renumber_folds


@pytest.mark.parametrize(
    "cv, by_class, expected",
    [(10, False, 6), (10, True, 4), (3, False, 3), (3, True, 3), (1, True, 1)],
)
def test_no_more_folds_than_rows(cv, by_class, expected):
    y = np.array(["a", "b", "a", "a", "b", "a"])
    found = limit_folds(cv, y, by_class)
    assert found == expected and type(found) is int


def test_no_rows_allow_no_folds():
    assert limit_folds(5, np.array([]), by_class=True) == 0
    assert limit_folds(np.int64(5), np.array([]), by_class=False) == 0


def test_splitters_and_splits_are_the_users_own():
    splits = [([0], [1])]
    for cv in (KFold(7), splits):
        assert limit_folds(cv, np.zeros(2), by_class=False) is cv


def test_positions_are_those_among_the_rows_that_are_kept():
    # Of rows 0 to 4, row 1 and row 4 are left out: rows 2 and 3 become 1 and 2.
    kept = np.array([True, False, True, True, False])
    mask = np.array([True, True, False, True, False])
    (folds,) = renumber_folds([(mask, [4, 2])], kept)
    assert_array_equal(folds[0], [0, 2])
    assert_array_equal(folds[1], [1])


def test_splits_over_kept_rows_take_the_same_values(seed):
    rng = np.random.default_rng(seed)
    kept, x = rng.random(20) < 0.6, np.arange(20)
    splits = list(KFold(4, shuffle=True, random_state=0).split(x))
    for before, after in zip(splits, renumber_folds(iter(splits), kept)):
        for rows, positions in zip(before, after):
            assert_array_equal(x[kept][positions], rows[kept[rows]])


@pytest.mark.parametrize("cv", [5, KFold(5)])
def test_only_lists_of_splits_are_numbered_anew(cv):
    assert renumber_folds(cv, np.array([True, False])) is cv
    splits = [([0], [1])]
    assert renumber_folds(splits, None) is splits
