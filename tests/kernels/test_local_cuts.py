"""The draw of a node's feature, and the best cut of that feature, against all cuts."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.kernels import local_cuts
from manyminds.kernels.draws import draw_fraction
from manyminds.kernels.local_cuts import TRIED, Room


def make_room(label, counts, n_codes):
    """Lay out all rows as one node."""
    n_samples, m = len(label), label.max() + 1
    drawn = np.bincount(label, counts, m).astype(np.int64)
    return Room(
        rows=np.tile(np.arange(n_samples), (2, 1)),
        counts=np.asarray(counts),
        sums=np.zeros((1, 1)),
        odds=np.zeros(1),
        hist=np.zeros(n_codes * m, np.int64),
        weight=np.zeros(n_codes, np.int64),
        order=np.zeros(n_codes, np.int64),
        keys=np.zeros((1, n_codes)),
        classes=np.array([drawn, np.zeros_like(drawn)]),
        state=np.array([1]),
    )


def search(plain, codes, label, *, n_bins, counts=None, categorical=False):
    """Return the bins around the best cut, the side of missing values, and a set."""
    codes, label = np.array(codes, np.uint8), np.array(label)
    counts = np.ones(len(codes), np.int64) if counts is None else np.array(counts)
    room, m = make_room(label, counts, n_bins + 1), label.max() + 1
    n_touched = plain(local_cuts.fill_bins)(
        codes, 0, n_bins + 1, 0, len(codes), label, m, room
    )
    whole = np.arange(counts.sum() + 1.0)
    logs, sets = whole * np.log2(np.maximum(whole, 1.0)), np.zeros((1, 1), np.uint64)
    columns = np.array([[n_bins, 0, 1, categorical]])
    cut = plain(local_cuts.search_feature)(
        columns, 0, n_touched, m, room, logs, sets, 0
    )
    assert not room.hist.any() and not room.weight.any()  # clean for the next feature
    return cut, int(sets[0, 0])


def entropy(label, counts):
    share = np.bincount(label, counts) / max(counts.sum(), 1)
    return -counts.sum() * sum(p * np.log2(p) for p in share if p > 0)


def test_sums_below_zero_are_no_odds(plain):
    odds, sums = np.empty(3), np.array([[0.0, 0.0, 0.0], [4.0, -2.0, 1.0]])
    assert plain(local_cuts.fill_odds)(sums, 1, odds) == 5.0
    assert_array_equal(odds, [4.0, 0.0, 1.0])


def test_features_not_yet_tried_get_equal_odds(plain):
    odds = np.array([0.0, TRIED, 0.0])
    assert plain(local_cuts.level_odds)(odds) == 2.0
    assert_array_equal(odds, [1.0, TRIED, 1.0])


def test_features_are_drawn_by_their_odds(plain):
    odds, state, again = (
        np.array([2.0, 0.0, TRIED, 3.0]),
        np.array([99]),
        np.array([99]),
    )
    drawn = []
    for _ in range(30):
        goal = np.floor(plain(draw_fraction)(again) * 5.0)
        drawn.append(plain(local_cuts.draw_feature)(state, odds, 5.0))
        assert drawn[-1] == (0 if goal < 2 else 3)
    assert set(drawn) == {0, 3}


@pytest.mark.parametrize("n_codes", [6, 1000])  # all bins are looked at, or only some
def test_bins_of_a_node_are_listed_in_order(plain, n_codes):
    codes, label = np.array([4, 1, 4, 0, 1], np.uint16), np.array([0, 1, 1, 0, 1])
    counts = np.array([2, 1, 3, 1, 1])
    room = make_room(label, counts, n_codes)
    n_touched = plain(local_cuts.fill_bins)(codes, 0, n_codes, 0, 5, label, 2, room)
    assert_array_equal(room.order[:n_touched], [0, 1, 4])
    assert_array_equal(room.weight[[0, 1, 4]], [1, 2, 5])
    assert_array_equal(room.hist.reshape(-1, 2)[[0, 1, 4]], [[1, 0], [0, 2], [2, 3]])


def test_worked_examples_of_cuts(plain):
    assert search(plain, [0, 2, 5, 5], [0, 0, 1, 1], n_bins=6)[0] == (2, 5, -1)
    # Bin 6 is for missing values: with the left, with the right, or on their own.
    assert search(plain, [0, 5, 6, 6], [0, 1, 0, 0], n_bins=6)[0] == (0, 5, 1)
    assert search(plain, [0, 5, 6, 6], [0, 1, 1, 1], n_bins=6)[0] == (0, 5, 0)
    assert search(plain, [0, 5, 6, 6], [0, 0, 1, 1], n_bins=6)[0] == (5, -1, 0)
    assert search(plain, [3, 3, 3, 3], [0, 0, 1, 1], n_bins=6)[0] == (-1, -1, -1)


def test_cuts_are_as_good_as_the_best_of_all(plain, seed):
    rng = np.random.default_rng(seed)
    for _ in range(20):
        codes, label = rng.integers(0, 8, size=12), rng.integers(0, 3, size=12)
        label[0] = 2
        counts = rng.integers(1, 4, size=12)

        def remaining(left, label=label, counts=counts):
            sides = [(label[side], counts[side]) for side in (left, ~left)]
            return sum(entropy(*side) for side in sides)

        (below, above, missing_left), _ = search(
            plain, codes, label, n_bins=7, counts=counts
        )
        is_missing = codes == 7
        trials = [
            np.where(is_missing, left, codes <= b) for b in range(7) for left in (0, 1)
        ]
        trials = [t.astype(bool) for t in trials if 0 < t.sum() < len(t)]
        found = np.where(is_missing, missing_left == 1, codes <= below).astype(bool)
        assert above == -1 or below < above
        best = min(remaining(trial) for trial in trials)
        assert remaining(found) == pytest.approx(best, abs=1e-9)


def test_categories_that_go_left_are_a_set(plain):
    # Class 1 in categories 1 and 3 alone; the share of class 1 orders the categories.
    codes, label = [0, 1, 2, 3, 0, 3], [0, 1, 0, 1, 0, 1]
    _, left = search(plain, codes, label, n_bins=4, categorical=True)
    assert left in (0b0101, 0b1010)
    # Of three classes, each is tried as the one to order by.
    label = [0, 1, 0, 1, 0, 2, 0, 2]
    _, left = search(plain, [0, 0, 1, 1, 2, 2, 3, 3], label, n_bins=4, categorical=True)
    assert left in (0b0011, 0b1100)
    _, left = search(plain, [0, 0, 2, 2, 1, 1, 3, 3], label, n_bins=4, categorical=True)
    assert left in (0b0101, 0b1010)
