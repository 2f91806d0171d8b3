"""Sub-sampled cross-validation: counts, sizes, overlaps."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.analysis.decomposition import SubsampledCV


@pytest.mark.parametrize(
    ("n_rows", "options"),
    [
        (101, {}),
        (100, {}),
        (100, {"train_size": 15}),
        (97, {"train_size": 20, "variability": 0.3}),
        (50, {"train_size": 4, "variability": 0.9}),
        (7, {"variability": 0.8}),
    ],
)
def test_every_row_is_predicted_equally_often(seed, n_rows, options):
    # Item 7, first half.
    splitter = SubsampledCV(6, random_state=seed, **options)
    times = np.zeros(n_rows, dtype=int)
    n_splits = 0
    for train, test in splitter.split(np.zeros((n_rows, 2))):
        times[test] += 1
        n_splits += 1
        assert len(np.intersect1d(train, test)) == 0
        assert (
            len(np.unique(train)) == len(train) == options.get("train_size", len(train))
        )
    assert_array_equal(times, 6)
    assert n_splits == splitter.get_n_splits(np.zeros((n_rows, 2)))


@pytest.mark.parametrize("variability", [0.5, 0.3, 0.75])
def test_training_sets_of_a_row_overlap_as_wanted(seed, variability):
    # Item 7, second half: m / (tps - 1) of the rows, which is 1 - variability.
    splitter = SubsampledCV(
        40, train_size=12, variability=variability, random_state=seed
    )
    trained, tested = [], []
    for train, test in splitter.split(range(60)):
        trained.append(np.isin(np.arange(60), train))
        tested.append(np.isin(np.arange(60), test))
    trained, tested = np.array(trained), np.array(tested)
    shares = []
    for row in range(60):
        mine = trained[tested[:, row]].astype(float)
        overlap = mine @ mine.T / 12
        shares.append(overlap[np.triu_indices(len(mine), k=1)].mean())
    size, segment, _ = splitter._plan(60)
    expected = size / (segment - 1)
    assert expected == pytest.approx(1.0 - variability, abs=0.04)
    # Over 12 seeds the mean was off by 0.005 at most.
    assert np.mean(shares) == pytest.approx(expected, abs=0.02)


def test_sizes_of_the_plan():
    # Half of the rows differ: segments of 2 m + 1 rows, two folds.
    assert SubsampledCV(train_size=10)._plan(100) == (10, 21, 2)
    assert SubsampledCV()._plan(101) == (50, 101, 2)
    # Half of 100 rows would need a segment of 101.
    assert SubsampledCV()._plan(100) == (49, 99, 2)
    # Three tenths differ: 7 / 0.7 + 1 is 11, whatever rounding says.
    assert SubsampledCV(train_size=7, variability=0.3)._plan(50) == (7, 11, 3)


def test_seed_repeats_the_splits():
    one, other = (list(SubsampledCV(3, random_state=5).split(range(20))) for _ in "ab")
    for (train, test), (train_2, test_2) in zip(one, other):
        assert_array_equal(train, train_2)
        assert_array_equal(test, test_2)
    assert repr(SubsampledCV(3)).startswith("SubsampledCV(n_predictions=3")


def test_bad_sizes_are_refused():
    with pytest.raises(ValueError, match="train_size must be at most 49"):
        list(SubsampledCV(train_size=50).split(range(100)))
    with pytest.raises(ValueError, match="variability must be a number between"):
        list(SubsampledCV(variability=1.0).split(range(100)))
    with pytest.raises(ValueError, match="n_predictions must be an integer"):
        list(SubsampledCV(0).split(range(100)))
