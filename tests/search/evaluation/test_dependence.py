"""Groups stay together, and only the past predicts."""

import datetime
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from manyminds.search.evaluation.dependence import (
    check_past,
    check_together,
    check_weights,
    encode_groups,
    encode_times,
    split_groups,
    split_times,
)


def column(n):
    return np.zeros((n, 1))


@pytest.mark.parametrize(
    "groups",
    [
        ["b", "a", "b", "c"],
        pd.Series(["b", "a", "b", "c"], dtype="category", index=[9, 8, 7, 6]),
        np.array([2.0, 1.0, 2.0, 3.0]),
        pd.to_datetime(["2024-02-01", "2024-01-01", "2024-02-01", "2024-03-01"]),
    ],
)
def test_groups_are_encoded_whatever_they_are(groups):
    assert encode_groups(groups, column(4)).tolist() == [1, 0, 1, 2]


@pytest.mark.parametrize(
    "times",
    [
        [10, 9, 10, 11],
        ["2024-02-01", "2023-12-01", "2024-02-01", "2024-02-01T10:30"],
        [datetime.date(2024, 1, day) for day in (5, 4, 5, 6)],
        pd.to_datetime(["2024-02-01", "2024-01-01", "2024-02-01", "2024-03-01"]),
        pd.Series([1.5, -2.0, 1.5, 1e9], index=[3, 3, 3, 3]),
    ],
)
def test_times_are_encoded_in_their_order(times):
    assert encode_times(times, column(4)).tolist() == [1, 0, 1, 2]


@pytest.mark.parametrize(
    ("encode", "values", "message"),
    [
        (encode_groups, ["a", None, "b"], "groups must have a value in each row; 1"),
        (encode_groups, ["a", "a", "a"], "groups must have at least two different"),
        (encode_groups, ["a", "b"], "inconsistent numbers of samples"),
        (encode_times, [1.0, np.nan, np.nan], "time must have a value in each row; 2"),
        (encode_times, [1, 1, 1], "time must have at least two different values"),
        (encode_times, ["x", "y", "z"], "time must be numbers, or dates of ISO 8601"),
        (encode_times, ["1.2.2024"] * 3, "time must be numbers, or dates of ISO 8601"),
    ],
)
def test_wrong_columns_are_named(encode, values, message):
    with pytest.raises(ValueError, match=message):
        encode(values, column(3))


def test_groups_stay_together_and_classes_are_spread(seed):
    rng = np.random.default_rng(seed)
    groups = rng.permutation(np.repeat(np.arange(30), 6))
    y = (np.arange(30) % 3 == 0).astype(int)[groups]
    folds = split_groups(5, groups, y, "classification", seed)
    check_together(folds, groups)
    assert sorted(np.concatenate([test for _, test in folds])) == list(range(180))
    # Thirty equal groups, ten of one class: two of them in each of five folds.
    assert [int(y[test].sum()) for _, test in folds] == [12] * 5


def test_groups_of_numbers_have_folds_of_about_the_same_size(seed):
    groups = np.repeat(np.arange(6), [50, 40, 30, 20, 10, 30])
    y = np.zeros(180)
    sizes = [len(test) for _, test in split_groups(3, groups, y, "regression", seed)]
    assert sizes == [60, 60, 60]


def test_a_part_of_whole_groups_is_held_out(seed):
    groups = np.repeat(np.arange(50), 4)
    [(train, test)] = split_groups(1, groups, np.zeros(200), "regression", seed)
    assert len(test) == 40 and len(train) == 160
    check_together([(train, test)], groups)
    two = np.repeat([0, 1], [190, 10])  # neither has a fifth of the rows
    [(train, test)] = split_groups(1, two, np.zeros(200), "regression", seed)
    assert {len(train), len(test)} == {190, 10}


def test_more_folds_than_groups_are_refused():
    with pytest.raises(ValueError, match="at most the number of groups, 2; got 3"):
        split_groups(3, np.array([0, 1, 1]), np.zeros(3), "regression", 0)


def test_classes_rarer_than_folds_do_not_matter(seed):
    groups, y = np.repeat(np.arange(6), 2), np.array([0, 1] * 2 + [2, 3] * 4)
    folds = split_groups(6, groups, y, "classification", seed)
    check_together(folds, groups)
    assert len(folds) == 6 and all(len(test) for _, test in folds)


def test_blocks_are_cut_between_times(seed):
    rng = np.random.default_rng(seed)
    time = np.sort(rng.integers(12, size=200))
    time = np.unique(time, return_inverse=True)[1]
    order = rng.permutation(200)
    folds = split_times(3, time[order])
    check_past(folds, time[order])
    assert len(folds) == 3
    for (train, test), (later, _) in pairwise(folds):
        assert sorted([*train, *test]) == sorted(later)
    assert len(folds[-1][0]) + len(folds[-1][1]) == 200
    # Blocks of about 50 rows; a time has 17 on average.
    assert all(15 <= len(test) <= 100 for _, test in folds)


def test_as_many_blocks_as_times_allow():
    time = np.repeat(np.arange(4), [1, 1, 1, 97])
    folds = split_times(3, time)
    assert [len(test) for _, test in folds] == [1, 1, 97]
    with pytest.raises(ValueError, match="less than the number of distinct times, 4"):
        split_times(4, time)


def test_the_last_part_is_held_out():
    [(train, test)] = split_times(1, np.arange(50))
    assert test.tolist() == list(range(40, 50)) and len(train) == 40


def test_the_unit_of_weights_does_not_matter():
    weights = np.array([0.0, 1.0, 3.0])
    for unit in (1e-6, 1.0, 500.0):
        np.testing.assert_allclose(
            check_weights(unit * weights, column(3)), [0.0, 0.5, 1.5]
        )
