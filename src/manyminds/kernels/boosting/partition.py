"""Moving the rows of a leaf to its two children, in stable order."""

import numpy as np

from manyminds.kernels._jit import helper
from manyminds.kernels.boosting.bundles import (
    A_SET,
    LEFTS,
    MISSING_GO_LEFT,
    RIGHTS,
    ROWS,
)
from manyminds.kernels.boosting.team import wait

_SIX, _LOW_SIX, _ONE = np.uint64(6), np.uint64(63), np.uint64(1)
_FEW_ROWS = 2000  # of a leaf that one thread moves alone


@helper(nogil=True, error_model="numpy")
def mark_sides(side, thread, n_bins, code, kind, sets, leaf):
    """Write which codes go left: those up to ``code``, or those of a set."""
    if kind >= A_SET:
        for c in range(np.uint64(n_bins + 1)):
            word = sets[thread, leaf, c >> _SIX] >> (c & _LOW_SIX)
            side[thread, c] = word & _ONE
    else:
        for c in range(n_bins):
            side[thread, c] = c <= code
        side[thread, n_bins] = kind == MISSING_GO_LEFT


@helper(nogil=True, error_model="numpy")
def _split_range(codes, column, rows, team, start, end, side, thread, lefts):
    """Move ``rows[start:end]`` to the ranges of lefts and rights; count the lefts."""
    first, step = column
    n_left, n_right = np.uint64(start), np.uint64(start)
    for i in range(np.uint64(start), np.uint64(end)):
        row = rows[team, ROWS, i]
        goes_left = np.uint64(side[thread, codes[first + step * np.uint64(row)]])
        rows[team, lefts, n_left] = row
        rows[team, RIGHTS, n_right] = row
        n_left += goes_left
        n_right += _ONE - goes_left
    return np.int64(n_left) - start


@helper(nogil=True, error_model="numpy")
def _copy(rows, team, source, start, n, to):
    """Copy rows back from where they were sorted."""
    for i in range(np.uint64(n)):
        value = rows[team, source, np.uint64(start) + i]
        rows[team, ROWS, np.uint64(to) + i] = value


@helper(nogil=True, error_model="numpy")
def split_rows(codes, column, memory, team, start, end, side, seat, counts, turn):
    """Bring the rows of a leaf that go left before those that go right.

    codes   (n_cells,)  uint8
    column  (uint64, uint64), where the column of the split begins, and the step from
            row to row
    side    (n_threads, 256)  uint8
    seat    (thread, rank within the team, number of threads of the team)
    counts  (n_threads, 2, 8)  int64, scratch: rows that each thread sends left
    turn    0 or 1, in turn: one thread may still read what another wrote last time

    Returns the number of rows on the left.
    """
    thread, rank, n_threads = seat
    rows, words = memory.rows, memory.words
    if n_threads == 1:
        n_left = _split_range(codes, column, rows, team, start, end, side, thread, ROWS)
        _copy(rows, team, RIGHTS, start, end - start - n_left, start + n_left)
        return n_left
    if end - start < _FEW_ROWS:
        if rank == 0:
            n_left = _split_range(
                codes, column, rows, team, start, end, side, thread, ROWS
            )
            _copy(rows, team, RIGHTS, start, end - start - n_left, start + n_left)
            counts[thread, turn, 7] = n_left
        wait(words, team, n_threads)
        return counts[thread - rank, turn, 7]
    begin = start + (end - start) * rank // n_threads
    stop = start + (end - start) * (rank + 1) // n_threads
    counts[thread, turn, 7] = _split_range(
        codes, column, rows, team, begin, stop, side, thread, LEFTS
    )
    wait(words, team, n_threads)
    n_left, before = np.int64(0), np.int64(0)
    for other in range(n_threads):
        if other == rank:
            before = n_left
        n_left += counts[thread - rank + other, turn, 7]
    mine = counts[thread, turn, 7]
    _copy(rows, team, LEFTS, begin, mine, start + before)
    rights = start + n_left + (begin - start - before)
    _copy(rows, team, RIGHTS, begin, stop - begin - mine, rights)
    wait(words, team, n_threads)
    return n_left
