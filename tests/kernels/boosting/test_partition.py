"""Rows of a leaf move to its children in their order, whatever the threads."""

import threading

import numba
import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.kernels.boosting.bundles import (
    A_SET,
    MISSING_GO_LEFT,
    MISSING_GO_RIGHT,
    NO_MISSING,
    Team,
)
from manyminds.kernels.boosting.partition import mark_sides, split_rows
from manyminds.kernels.boosting.team import N_WORDS
from manyminds.trees.boosting import run_team


@pytest.mark.parametrize(
    ("kind", "left"),
    [
        (MISSING_GO_RIGHT, {0, 1, 2}),
        (MISSING_GO_LEFT, {0, 1, 2, 70}),
        (NO_MISSING, {0, 1, 2}),
        (A_SET, {1, 63, 64, 70}),
    ],
)
def test_sides_follow_from_cut_or_set(kind, left, plain):
    side, sets = np.full((2, 256), 9, np.uint8), np.zeros((2, 3, 4), np.uint64)
    for c in (1, 63, 64, 70):
        sets[1, 2, c // 64] |= np.uint64(1) << np.uint64(c % 64)
    plain(mark_sides)(side, 1, 70, 2, kind, sets, 2)
    assert set(np.flatnonzero(side[1, :71])) == left
    assert (side[0] == 9).all()


@numba.njit(nogil=True)
def split(codes, first, step, memory, start, end, side, counts, found, place):
    thread, n_threads = place
    column = first, step
    found[thread] = split_rows(
        codes, column, memory, 0, start, end, side, (thread, thread, n_threads),
        counts, 1,
    )  # fmt: skip


@pytest.mark.parametrize("by_row", [False, True])
@pytest.mark.parametrize("n_threads", [1, 2, 3])
@pytest.mark.parametrize("size", [1, 1500, 7001])  # few rows: one thread moves them
def test_partition_is_stable(size, n_threads, by_row, seed):
    if n_threads > 1 and numba.config.DISABLE_JIT:
        pytest.skip("there are no threads without compiled code")
    rng = np.random.default_rng(seed)
    n, start = size + 40, 17
    codes = rng.integers(0, 10, size=3 * n).astype(np.uint8)
    rows = np.zeros((1, 3, n), np.uint32)
    rows[0, 0] = before = rng.permutation(n)
    side = np.zeros((n_threads, 256), np.uint8)
    side[:, [0, 3, 4, 9]] = 1
    memory = Team(
        np.zeros(N_WORDS * n_threads, np.int64), rows, np.empty((1, n), np.int64),
        np.empty((1, 2, n), np.float32), np.empty((1, 2, 0)),
        np.empty((1, 2, 1)), np.empty((1, 1), np.int64),
    )  # fmt: skip
    counts = np.zeros((n_threads, 4, 8), np.int64)
    found = np.zeros(n_threads, np.int64)
    first, step = (1, 3) if by_row else (n, 1)  # the second of three columns
    place = np.uint64(first), np.uint64(step)
    arguments = codes, *place, memory, start, start + size, side, counts, found
    run_team(split, arguments, n_threads)
    moved = before[start : start + size]
    left = side[0, codes[first + step * moved]] == 1
    assert (found == left.sum()).all()
    expected = before.copy()
    expected[start : start + size] = np.concatenate([moved[left], moved[~left]])
    assert_array_equal(rows[0, 0], expected)
    assert threading.active_count() < 50
