"""Losses are those of rows that had no part in the means."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.preprocessing.generation.held_out_gain import (
    SMOOTHING,
    HeldOutRows,
    bin_numbers,
    choose_gains,
    compute_gain,
    encode_target,
)


def test_worked_example():
    # Two halves of two rows; one bin. With s = 4, the mean of {1, 3} is 2, whatever s.
    rows = HeldOutRows(
        np.array([[1.0], [3.0], [5.0], [9.0]]), np.array([False, False, True, True])
    )
    codes = np.zeros(4, dtype=np.int64)
    assert_allclose(rows.predict(codes).ravel(), [7, 7, 2, 2])
    assert_allclose(rows.compute_losses(codes), [36, 16, 9, 49])
    # Bins of one row: (3 + 4 * 2) / 5 in the first half, (9 + 4 * 7) / 5 in the other.
    made = rows.predict(np.array([0, 1, 0, 1])).ravel()
    assert_allclose(made, [(5 + 28) / 5, (9 + 28) / 5, (1 + 8) / 5, (3 + 8) / 5])


def test_naive_twin(seed):
    rng = np.random.default_rng(seed)
    rows = HeldOutRows(rng.normal(size=(40, 2)), rng.random(40) < 0.5)
    codes = rng.integers(5, size=40)
    made = rows.predict(codes)
    for i in range(40):
        other = rows.is_second != rows.is_second[i]
        same = other & (codes == codes[i])
        prior = rows.target[other].mean(axis=0)
        total = rows.target[same].sum(axis=0) + SMOOTHING * prior
        assert_allclose(made[i], total / (same.sum() + SMOOTHING))


def test_no_row_predicts_itself(seed):
    rng = np.random.default_rng(seed)
    target, half = rng.normal(size=(30, 1)), rng.random(30) < 0.5
    codes = rng.integers(3, size=30)
    changed = target.copy()
    changed[7] += 100.0
    before = HeldOutRows(target, half).predict(codes)
    after = HeldOutRows(changed, half).predict(codes)
    assert_array_equal(before[half == half[7]], after[half == half[7]])
    assert (before != after).any()


def test_additive_losses_of_a_sum_are_lower_than_of_either_term():
    rng = np.random.default_rng(0)
    first, second = rng.integers(4, size=(2, 2000))
    y = (first + second).astype(float)
    rows = HeldOutRows.draw(y, False, np.random.RandomState(0))
    both = rows.compute_losses(first, second).mean()
    assert both < 0.2 * min(rows.compute_losses(c).mean() for c in (first, second))


def test_classes_are_outputs():
    assert_array_equal(encode_target(np.array([0, 1, 1]), True), [[0], [1], [1]])
    assert encode_target(np.array([0, 1, 2, 2]), True).shape == (4, 3)
    assert encode_target(np.arange(99), True).shape == (99, 20)
    assert_allclose(
        encode_target(np.array([5.0, -1.0, 1e9]), False)[:, 0] * 3, [2, 1, 3]
    )


@pytest.mark.parametrize("n_bins", [2, 5, 64])
def test_bins_keep_ties_together_and_missing_values_apart(n_bins):
    column = np.array([3.0, 1.0, np.nan, 1.0, 2.0, 3.0, np.nan])
    codes = bin_numbers(column, n_bins)
    assert (codes[np.isnan(column)] == n_bins).all()
    assert codes[0] == codes[5] and codes[1] == codes[3]
    assert codes[1] <= codes[4] <= codes[0] < n_bins
    assert (bin_numbers(np.array([np.nan]), n_bins) == n_bins).all()


def test_bins_are_of_about_equal_size():
    codes = bin_numbers(np.random.default_rng(0).normal(size=1000), 8)
    assert_array_equal(np.bincount(codes), [125] * 8)


def test_gain_in_standard_errors():
    # Decreases 1 and 3: mean 2, standard deviation 1, standard error 1 / sqrt(2).
    assert_allclose(compute_gain(np.array([2.0, 4.0]), np.ones(2)), 2 * np.sqrt(2))
    assert compute_gain(np.ones(3), np.ones(3)) == 0.0


def test_choice_is_corrected_for_the_number_of_tests():
    gains = [1.0, 3.5, 2.5]
    assert_array_equal(choose_gains(gains, 0.01, 5, n_tests=1), [1, 2])
    assert_array_equal(choose_gains(gains, 0.01, 5, n_tests=20), [1])
    assert_array_equal(choose_gains(gains, 0.01, 1, n_tests=1), [1])
    assert not len(choose_gains([], 0.01, 5, n_tests=0))
