"""The scans find the best split of a histogram, as brute force does."""

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.kernels.boosting.bundles import Packing
from manyminds.kernels.boosting.splits import (
    center_cut,
    clip_value,
    decode,
    draw_cut,
    draw_number,
    mix,
    scan_categories,
    scan_ordered,
    scan_plain,
    score_value,
    write_set,
)

PACKING = Packing(30, 12, (1 << 18) - 1, (1 << 12) - 1, False, 1.0, 1.0)
N_BINS = 7
ALL_CUTS = (False, 0, 0)


def pack(g, h, n):
    return (np.int64(g) << 30) + (np.int64(h) << 12) + np.int64(n)


def make_histogram(seed, n_codes=N_BINS + 1, empty=()):
    """Return (n_codes, 3) gradients, hessians and counts, and the packed words."""
    rng = np.random.default_rng(seed)
    parts = np.column_stack(
        [
            rng.integers(-400, 400, size=n_codes),
            rng.integers(1, 60, size=n_codes),
            rng.integers(1, 9, size=n_codes),
        ]
    )
    parts[list(empty)] = 0
    return parts, np.array([[pack(*part) for part in parts]])


def brute_force(parts, sides, limits, sign=0):
    """Return the best of (left side, its score) over lists of codes on the left."""
    min_count, min_hessian, l2, lower, upper, _bounded = limits
    best = (-np.inf, None)
    for left in sides:
        left = np.isin(np.arange(len(parts)), left)
        total = 0.0
        values = []
        for side in (left, ~left):
            g, h, n = parts[side].sum(axis=0)
            if n < min_count or h < min_hessian:
                break
            value = np.clip(-g / (h + l2), lower, upper)
            values.append(value)
            total += -2.0 * g * value - (h + l2) * value**2
        else:
            if sign * (values[1] - values[0]) >= 0 and total > best[0]:
                best = total, left
    return best


LIMITS = [
    (1, 0.5, 0.0, -np.inf, np.inf, False),
    (6, 0.5, 0.0, -np.inf, np.inf, False),
    (1, 60.0, 0.0, -np.inf, np.inf, False),
    (1, 0.5, 25.0, -np.inf, np.inf, False),
    (1, 0.5, 1.0, -3.0, 2.0, True),
    (100, 0.5, 0.0, -np.inf, np.inf, False),  # no cut
]


@pytest.mark.parametrize("limits", LIMITS)
def test_both_scans_find_the_best_cut(limits, plain, seed):
    scans = plain(scan_ordered), plain(scan_plain)
    for draw in range(12):
        parts, words = make_histogram((seed, draw), empty=(2, 4) if draw % 2 else ())
        total = words.sum()
        for missing_left in (False, True):
            begin = words[0, -1] if missing_left else np.int64(0)
            end = N_BINS - 1 if missing_left else N_BINS
            extra = [N_BINS] if missing_left else []
            sides = [[*range(b + 1), *extra] for b in range(end)]
            gain, left = brute_force(parts, sides, limits)
            found = scans[0](words, 0, 0, end, begin, total, PACKING, limits, 0, -1)
            check_cut(found, gain, left, words, begin)
            if not limits[-1]:
                scratch = np.empty((1, 8), np.int64), np.empty((1, 8)), 0
                found = scans[1](
                    words, 0, 0, end, begin, total, PACKING, limits, *scratch
                )
                check_cut(found, gain, left, words, begin)


def check_cut(found, gain, left, words, begin):
    assert_allclose(found[0], gain, rtol=1e-10)
    if left is None:
        assert found[1] == -1
    else:
        assert found[2] == words[0, left].sum()
        assert found[2] == begin + words[0, : found[1] + 1].sum()


@pytest.mark.parametrize("sign", [-1, 1])
def test_monotonic_cuts_have_children_in_order(sign, plain, seed):
    limits = (1, 0.5, 1.0, -4.0, 4.0, True)
    for draw in range(12):
        parts, words = make_histogram((seed, draw))
        sides = [range(b + 1) for b in range(N_BINS)]
        gain, left = brute_force(parts, sides, limits, sign)
        found = plain(scan_ordered)(
            words, 0, 0, N_BINS, np.int64(0), words.sum(), PACKING, limits, sign, -1
        )
        check_cut(found, gain, left, words, 0)


def test_only_one_cut_is_tried_when_it_is_given(plain, seed):
    parts, words = make_histogram(seed)
    for only in range(N_BINS):
        gain, left = brute_force(parts, [range(only + 1)], LIMITS[0])
        found = plain(scan_ordered)(
            words, 0, 0, N_BINS, np.int64(0), words.sum(), PACKING, LIMITS[0], 0, only
        )
        check_cut(found, gain, left, words, 0)
        assert found[1] == only


@pytest.mark.parametrize("limits", LIMITS[:1] + LIMITS[3:4])
def test_one_cut_of_ordered_categories_is_the_best_of_all_subsets(limits, plain, seed):
    # Squared error: the hessian of a category is its count.
    n_codes = 7
    memory = np.empty((1, 8)), np.empty((1, 8), np.int64), 0
    for draw in range(10):
        parts, words = make_histogram((seed, draw), n_codes, (3,) if draw % 2 else ())
        parts[:, 1] = parts[:, 2]
        words = np.array([[pack(*part) for part in parts]])
        seen = np.flatnonzero(parts[:, 2])
        sides = [
            side for k in range(1, len(seen)) for side in combinations(seen, k)
        ]  # each split twice, once from either side
        l2 = limits[2] if draw == 0 else 0.0  # with l2, order is not the best for sure
        limits = (*limits[:2], l2, *limits[3:])
        gain, _ = brute_force(parts, sides, limits)
        found = plain(scan_categories)(
            words, 0, 0, n_codes, words.sum(), PACKING, limits, 0.0, memory, ALL_CUTS
        )
        if l2 == 0.0:
            assert_allclose(found[0], gain, rtol=1e-10)
        else:
            assert found[0] <= gain * (1 + 1e-10)


def test_categories_are_ordered_by_shrunken_means(plain):
    # Means -10, -1, 0; with a smoothing of 9: -1, -0.5, 0, and category 2 is 4 / 13.
    parts = np.array([[-10, 1, 1], [-9, 9, 9], [4, 4, 4], [0, 5, 5]])
    words = np.array([[pack(*part) for part in parts]])
    memory = np.empty((1, 8)), np.empty((1, 8), np.int64), 0
    for smoothing, order in ((0.0, [0, 1, 3, 2]), (90.0, [0, 1, 3, 2])):
        plain(scan_categories)(
            words, 0, 0, 4, words.sum(), PACKING, LIMITS[0], smoothing, memory, ALL_CUTS
        )
        assert memory[1][0, :4].tolist() == order
    parts[1, 0] = -30  # mean -3.3; shrunken by 9: -30 / 18 is below -10 / 10
    words = np.array([[pack(*part) for part in parts]])
    for smoothing, first in ((0.0, 0), (9.0, 1)):
        plain(scan_categories)(
            words, 0, 0, 4, words.sum(), PACKING, LIMITS[0], smoothing, memory, ALL_CUTS
        )
        assert memory[1][0, 0] == first


def test_one_cut_of_the_order_is_drawn(plain):
    # Means -10, -1, 0 and 2: three cuts, each of which some seed draws.
    parts = np.array([[-10, 1, 1], [0, 5, 5], [-9, 9, 9], [8, 4, 4]])
    words = np.array([[pack(*part) for part in parts]])
    memory = np.empty((1, 8)), np.empty((1, 8), np.int64), 0
    limits = LIMITS[0]
    found = {}
    for seed in range(60):
        gain, n_left, left = plain(scan_categories)(
            words, 0, 0, 4, words.sum(), PACKING, limits, 0.0, memory, (True, seed, 3)
        )
        sides = [[0], [0, 2], [0, 2, 1]][n_left - 1]
        assert left == words[0, sides].sum()
        expected, _ = brute_force(parts, [sides], limits)
        assert_allclose(gain, expected, rtol=1e-10)
        found[n_left] = found.get(n_left, 0) + 1
    # Each about 20 times; these seeds do not change.
    assert sorted(found) == [1, 2, 3] and min(found.values()) >= 8


@pytest.mark.parametrize("most_left", [False, True])
def test_set_has_the_first_categories_and_unseen_ones_on_the_larger_side(
    most_left, plain
):
    words, order = np.ones((1, 130), np.int64), np.arange(130)[np.newaxis]
    order[0, :3] = [0, 64, 128]
    words[0, [1, 63, 129]] = 0
    sets = np.full((1, 1, 4), 77, np.uint64)
    memory = np.empty((1, 130)), order, 0
    plain(write_set)(words, 0, 0, 130, most_left, 3, memory, sets, 0)
    found = {c for c in range(256) if int(sets[0, 0, c // 64]) >> (c % 64) & 1}
    assert found == {0, 64, 128} | ({1, 63, 129} if most_left else set())


def test_cut_moves_to_the_middle_of_empty_bins(plain):
    words = np.array([[3, 0, 0, 0, 5, 0, 0]])
    assert plain(center_cut)(words, 0, 0, 7, 0) == 1
    assert plain(center_cut)(words, 0, 0, 7, 3) == 3
    assert plain(center_cut)(words, 0, 0, 7, 4) == 4  # nothing follows


def test_values_are_clipped_and_scored(plain):
    assert plain(clip_value)(-6.0, 3.0, -1.0, 5.0) == 2.0
    assert plain(clip_value)(-6.0, 3.0, -1.0, 1.5) == 1.5
    # The loss g v + h v^2 / 2 falls by g^2 / 2h = 6 with v = 2.
    assert plain(score_value)(-6.0, 3.0, 2.0) == 2 * 6.0


def test_decoding_a_sum_of_words_is_the_sum_of_the_parts(plain, seed):
    rng = np.random.default_rng(seed)
    parts = np.column_stack(
        [
            rng.integers(-(2**20), 2**20, size=1000),
            rng.integers(0, 2**7, size=1000),
            rng.integers(0, 4, size=1000),
        ]
    )
    words = np.array([pack(*part) for part in parts])
    assert plain(decode)(PACKING, words.sum()) == tuple(parts.sum(axis=0))
    assert (
        plain(decode)(PACKING, -words.sum() + words.sum() * 2)[0] == parts[:, 0].sum()
    )


# ---------------------------------------------------------------- random numbers


def test_random_bits_are_the_same_uncompiled(plain, compiled, seed):
    compiled_mix = compiled(mix)
    for number in (0, 1, 12345, -7, 2**31):
        for s in (0, seed, 2**61 + 12345):
            bits = plain(mix)(s, number)
            assert bits == compiled_mix(s, number)
            assert 0 <= bits < 2**62


def test_drawn_numbers_are_uniform_and_independent(compiled, seed):
    # Chi-squared with 99 degrees of freedom is above 180 once in 10^6 times. Pairs of
    # successive numbers, and of successive seeds, fill a 10 x 10 table evenly.
    draw = compiled(draw_number)
    start = seed * 1_000_003
    one = np.array([draw(start, i, 10) for i in range(20_001)])
    other = np.array([draw(start + i, 5, 10) for i in range(20_001)])
    for numbers in (one, other):
        counts = np.bincount(10 * numbers[:-1] + numbers[1:], minlength=100)
        assert ((counts - 200.0) ** 2 / 200.0).sum() < 180


def test_random_cuts_lie_between_the_values_of_a_node(plain, seed):
    words = np.array([[0, 0, 4, 0, 1, 2, 0, 9]])  # the last counts missing values
    cuts = {plain(draw_cut)(seed + s, 0, words, 0, 0, 7) for s in range(60)}
    assert cuts == {2, 3, 4}  # each misses once in 3 * (2 / 3)^60 < 10^-10 times
    words[0, [4, 5]] = 0
    assert plain(draw_cut)(seed, 0, words, 0, 0, 7) == -1
