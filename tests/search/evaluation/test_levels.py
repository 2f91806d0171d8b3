import numpy as np
import pytest

from manyminds.search.evaluation.levels import MIN_CLASS_ROWS, Levels, choose_shares


def make_folds(n, n_folds=3):
    order = np.random.default_rng(0).permutation(n)
    tests = np.array_split(order, n_folds)
    return [(np.setdiff1d(order, test), np.sort(test)) for test in tests]


@pytest.mark.parametrize(
    ("n", "n_levels"),
    [(2, 1), (5_999, 1), (6_000, 2), (13_000, 3), (320_000, 3), (320_001, 4)],
)
def test_larger_tables_have_more_levels(n, n_levels):
    shares = choose_shares(n)
    assert len(shares) == n_levels
    assert shares[-1] == 1.0
    assert shares[0] == 4.0 ** (1 - n_levels)


def test_samples_are_nested_and_folds_stay_apart(seed):
    y = np.random.default_rng(seed).integers(3, size=900)
    levels = Levels(make_folds(900), y, "classification", seed, (1 / 16, 1 / 4, 1.0))
    for lower, upper in zip(levels.folds, levels.folds[1:]):
        for small, large in zip(lower, upper):
            assert set(small[0]) < set(large[0])
            assert set(small[1]) < set(large[1])
            assert not set(small[0]) & set(small[1])
    assert levels.n_rows[-1] == 900
    assert levels.top == 2


def test_classes_keep_their_shares_and_rare_ones_some_rows(seed):
    y = np.repeat([0, 1, 2], [1600, 400, 10])
    levels = Levels(make_folds(len(y)), y, "classification", seed, (0.25, 1.0))
    drawn = levels.sample(np.arange(len(y)), 0.25)
    counts = np.bincount(y[drawn])
    assert counts.tolist() == [400, 100, MIN_CLASS_ROWS]


def test_numbers_are_sampled_whatever_their_value(seed):
    y = np.random.default_rng(seed).normal(size=1000)
    levels = Levels(make_folds(1000), y, "regression", seed, (0.25, 1.0))
    assert levels.n_rows == [250, 1000]
    everything = np.arange(1000)
    assert levels.sample(everything, 1.0) is everything


def test_small_test_folds_keep_rows_in_every_sample(seed):
    # As of a column of folds: one of three rows had none in a sample of a sixteenth.
    rows = np.random.default_rng(seed).permutation(6_500)
    tests = np.split(np.sort(rows), [3_250, 6_497])
    folds = [(np.setdiff1d(rows, test), test) for test in tests]
    levels = Levels(folds, np.zeros(6_500), "regression", seed, (1 / 16, 1.0))
    assert [len(test) for _, test in levels.folds[0]][2] == 3
    assert 400 < levels.n_rows[0] < 415
