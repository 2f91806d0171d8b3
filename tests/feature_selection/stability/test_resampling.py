"""Resamples have the sizes, the classes and the overlaps that they promise."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.feature_selection.stability.resampling import draw_resamples


def draw(resampling, n_resamples, strata, seed, sample_share=0.5):
    rng = np.random.default_rng(seed)
    return draw_resamples(resampling, n_resamples, strata, sample_share, rng)


def shares(rows, strata):
    return np.bincount(strata[rows], minlength=strata.max() + 1)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.77, 1.0])
def test_subsamples_keep_the_classes_shares(seed, share):
    strata = np.random.default_rng(seed).permutation(np.repeat([0, 1, 2], [60, 30, 11]))
    for rows in draw("subsample", 20, strata, seed, share):
        assert len(np.unique(rows)) == len(rows) == int(share * 101)
        exact = len(rows) / 101 * np.bincount(strata)
        assert np.all(np.abs(shares(rows, strata) - exact) < 1)


def test_every_row_is_as_likely(seed):
    # Each row is in 5/9 of 4,000 subsamples; six standard deviations are 190.
    strata = np.repeat([0, 1], [7, 2])
    drawn = np.concatenate(draw("subsample", 4000, strata, seed, 5 / 9))
    counts = np.bincount(drawn, minlength=9)
    assert np.all(np.abs(counts - 4000 * 5 / 9) < 190)


def test_pairs_are_disjoint_halves(seed):
    strata = np.repeat([0, 1], [20, 11])
    halves = draw("complementary_pairs", 10, strata, seed)
    assert len(halves) == 10
    for one, two in zip(halves[::2], halves[1::2]):
        assert len(one) == len(two) == 15
        assert len(np.intersect1d(one, two)) == 0
        assert np.all(np.abs(shares(one, strata) - shares(two, strata)) <= 2)
    assert not np.array_equal(halves[0], halves[2])


def test_folds_leave_each_row_out_once(seed):
    strata = np.random.default_rng(seed).permutation(np.repeat([0, 1], [30, 12]))
    folds = draw("cv", 6, strata, seed)
    left_out = [np.setdiff1d(np.arange(42), rows) for rows in folds]
    assert_array_equal(np.sort(np.concatenate(left_out)), np.arange(42))
    assert {tuple(shares(rows, strata)) for rows in left_out} == {(5, 2)}


def test_bootstraps_draw_within_classes(seed):
    strata = np.repeat([0, 1, 2], [50, 20, 1])
    for rows in draw("bootstrap", 20, strata, seed):
        assert_array_equal(shares(rows, strata), [50, 20, 1])
        assert len(np.unique(rows)) < 71
