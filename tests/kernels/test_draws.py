"""Random draws equal those of a twin in whole numbers, and follow their odds."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.kernels import draws
from manyminds.kernels.bundles import FENWICK


class Generator:
    """Marsaglia's multiply-with-carry, in whole numbers of any length."""

    def __init__(self, seed):
        self.state = int(seed)

    def bits(self):
        carry, last = divmod(self.state, 2**32)
        self.state = 1791398085 * last + carry
        return self.state % 2**32


def make_state(seed):
    return np.array([1 + 7919 * (seed % 2**30)], np.int64)


def test_bits_are_those_of_the_twin(compiled, plain, seed):
    state, again, twin = (
        make_state(seed),
        make_state(seed),
        Generator(make_state(seed)[0]),
    )
    draw, draw_plainly = compiled(draws.draw), plain(draws.draw)
    for _ in range(50):
        bits = twin.bits()
        assert draw(state) == draw_plainly(again) == bits
    assert state[0] == again[0] == twin.state


def test_numbers_are_made_of_the_bits(plain, seed):
    state, twin = make_state(seed), Generator(make_state(seed)[0])
    below, fraction = plain(draws.draw_below), plain(draws.draw_fraction)
    for n in (1, 2, 10, 10**6):
        assert below(state, n) == twin.bits() * n // 2**32
    expected = (twin.bits() * 2**21 + twin.bits() // 2**11) / 2**53
    assert fraction(state) == expected < 1.0
    seeds = [plain(draws.draw_seed)(state) for _ in range(100)]
    assert all(0 < number < 2**62 and number % 2 == 1 for number in seeds)
    assert len(set(seeds)) == 100


@pytest.mark.no_jit
def test_rows_drawn_are_counted_for_each_seed():
    # One after the other or at once, a tree draws the same.
    seeds, counts = np.array([11, 5, 11]), np.zeros((3, 6), np.int32)
    draws.count_draws(seeds, 20, np.empty(0), counts)
    assert_array_equal(counts.sum(axis=1), 20)
    assert_array_equal(counts[0], counts[2])
    twin = Generator(5)
    rows = [twin.bits() * 6 // 2**32 for _ in range(20)]
    assert_array_equal(counts[1], np.bincount(rows, minlength=6))


def test_rows_are_drawn_by_their_odds(seed):
    odds = np.array([0.0, 1.0, 0.0, 3.0, 0.0])
    counts = np.zeros((1, 5), np.int32)
    draws.count_draws(make_state(seed), 4000, np.cumsum(odds), counts)
    assert not counts[0, odds == 0.0].any()
    # 3000 expected, with a standard deviation of 27.
    assert abs(counts[0, 3] - 3000) < 170


@pytest.mark.parametrize("n_features", [1, 2, 7, 8, 13])
def test_partial_sums_find_the_place_of_each_odd(plain, n_features, seed):
    # Feature by feature, without replacement: a twin counts up the odds that are left.
    rng = np.random.default_rng(seed)
    odds = rng.integers(0, 4, size=(2, n_features))
    odds[1, 0] = 1
    room, state = np.zeros((3, n_features + 1), np.int64), make_state(seed)
    plain(draws.fill_fenwick)(odds, 1, room)
    left, again = odds[1].copy(), state.copy()
    while left.any():
        feature = plain(draws.draw_from_fenwick)(state, odds, 1, left.sum(), room)
        goal = int(plain(draws.draw_fraction)(again) * left.sum())
        assert feature == np.searchsorted(np.cumsum(left), goal, side="right")
        left[feature] = 0
    assert not room[FENWICK].any()


def test_features_are_drawn_by_their_odds(plain):
    fill, draw = plain(draws.fill_fenwick), plain(draws.draw_from_fenwick)
    odds, n_first = np.array([[1, 0, 3]]), np.zeros(3)
    room, state = np.zeros((3, 4), np.int64), np.array([12345])
    for _ in range(2000):
        fill(odds, 0, room)
        n_first[draw(state, odds, 0, 4, room)] += 1
    # 1500 expected, with a standard deviation of 19.
    assert_allclose(n_first, [500, 0, 1500], atol=120)
