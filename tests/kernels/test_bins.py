"""Bins of a column: marks in a mask, sets of categories, order by key, thresholds."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.kernels import bins


def set_bit(words, number):
    words[number // 64] |= np.uint64(1) << np.uint64(number % 64)


def test_marked_bins_are_listed_in_order(compiled, seed):
    list_marked, n_codes = compiled(bins.list_marked), 9000
    rng = np.random.default_rng(seed)
    codes = rng.choice(n_codes, size=300, replace=False)
    codes = np.union1d(codes, [0, 63, 64, 4095, 4096, n_codes - 1])
    for deep in (False, True):
        mask = np.zeros((2, n_codes // 64 + 1), np.uint64)
        for code in codes:
            set_bit(mask[0], code)
            if deep:
                set_bit(mask[1], code // 64)
        order = np.empty(n_codes + 1, np.uint32)
        n_listed = list_marked(n_codes, deep, mask, order)
        assert_array_equal(order[:n_listed], codes)
        assert not mask.any()  # clean for the next feature
        assert list_marked(n_codes, deep, mask, order) == 0


@pytest.mark.parametrize("n", [0, 1, 2, 3, 20])
def test_order_by_key(plain, n, seed):
    rng = np.random.default_rng(seed)
    for _ in range(10):
        keys = rng.integers(0, 30, size=(3, 40)) / 4  # with ties
        order = rng.permutation(40).astype(np.uint32)
        before = order.copy()
        plain(bins.sort_by_key)(order, keys, 1, n)
        assert_array_equal(np.sort(order[:n]), np.sort(before[:n]))
        assert_array_equal(order[n:], before[n:])
        assert (np.diff(keys[1, order[:n]]) >= 0.0).all()


def test_categories_of_a_set(plain):
    sets = np.zeros((2, 2), np.uint64)
    for code in (0, 63, 70):
        set_bit(sets[1], code)
    has_category = plain(bins.has_category)
    assert [c for c in range(128) if has_category(sets, 1, c)] == [0, 63, 70]
    assert not any(has_category(sets, 0, c) for c in range(128))


def test_threshold_is_the_middle_but_never_in_the_upper_bin(plain):
    # Bins hold the values 0 to 1, 4 to 5, the next number after 5, and infinity.
    after = np.nextafter(5.0, 6.0)
    low, high = np.array([0.0, 4.0, after, 1e308]), np.array([1.0, 5.0, after, 1e308])
    threshold_between = plain(bins.threshold_between)
    edges = np.array([low, high])
    assert threshold_between(edges, 0, 1) == 2.5
    assert 5.0 <= threshold_between(edges, 1, 2) < after
    assert threshold_between(edges, 0, 3) == 5e307
    wide = np.array([[-1e308, 1e308], [-1e308, 1e308]])
    with np.errstate(over="ignore"):
        assert threshold_between(wide, 0, 1) == -1e308  # their distance overflows
