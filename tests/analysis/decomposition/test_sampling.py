"""Training and test rows of learners: sizes, rows left out, errors."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.model_selection import KFold

from manyminds.analysis.decomposition.sampling import draw_seed, list_samples

X, Y = np.zeros((12, 2)), np.zeros(12)


def draw(resampling, *, size=None, has_test=False, n_predictors=30, seed=0):
    rng = np.random.RandomState(seed)
    n_points = 5 if has_test else 12
    return list_samples(resampling, X, Y, n_predictors, size, has_test, n_points, rng)


@pytest.mark.parametrize("resampling", ["bootstrap", "subsample"])
def test_test_rows_are_those_that_were_not_drawn(resampling, seed):
    for train, test in draw(resampling, size=6, seed=seed):
        assert len(train) == 6
        assert_array_equal(np.union1d(train, test), np.arange(12))
        assert len(np.intersect1d(train, test)) == 0


def test_default_sizes_are_all_rows_or_half_of_them():
    assert {len(train) for train, _ in draw("bootstrap")} == {12}
    subsamples = [train for train, _ in draw("subsample")]
    assert {len(train) for train in subsamples} == {6}
    assert all(len(np.unique(train)) == 6 for train in subsamples)  # no repetitions


def test_given_test_points_are_all_predicted():
    samples = draw("auto", has_test=True, n_predictors=3)
    assert len(samples) == 3
    for train, test in samples:
        assert len(train) == 12  # "auto" draws bootstrap samples
        assert_array_equal(test, np.arange(5))


def test_auto_without_test_points_predicts_each_row_equally_often():
    samples = draw("auto", n_predictors=4)
    counts = np.bincount(np.concatenate([test for _, test in samples]))
    assert_array_equal(counts, np.full(12, 4))


def test_splitters_are_used_as_they_are():
    expected = list(KFold(3).split(X))
    for (train, test), (other_train, other_test) in zip(draw(KFold(3)), expected):
        assert_array_equal(train, other_train)
        assert_array_equal(test, other_test)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"resampling": "jackknife"}, "resampling must be one of"),
        ({"resampling": "sscv", "has_test": True}, "leave X_test out"),
        ({"resampling": "subsample", "size": 13}, "train_size must be at most the 12"),
        ({"resampling": "bootstrap", "size": 0}, "train_size"),
        (
            {"resampling": "subsample", "size": 11, "n_predictors": 2},
            "1[01] rows of X were never left out of training",
        ),
    ],
)
def test_samples_that_cannot_be_drawn_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        draw(**options)


def test_seeds_are_drawn_from_the_generator():
    rng = np.random.RandomState(3)
    seeds = [draw_seed(rng) for _ in range(5)]
    assert len(set(seeds)) == 5 and all(type(one) is int for one in seeds)
    assert draw_seed(np.random.RandomState(3)) == seeds[0]
