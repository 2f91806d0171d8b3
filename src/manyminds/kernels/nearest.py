"""Nearest points: those that rough bounds cannot exclude, measured exactly.

A product of blocks in single precision bounds all distances, and is quickly compared
with a limit. Only the few pairs that may be nearer than those found before are
measured, in double precision: the result is that of comparing all pairs.
"""

import numpy as np

from manyminds.kernels._jit import helper, kernel

GROUP = 32  # points of which only the least bound is looked at first


@helper(nogil=True, error_model="numpy")
def _take_least(bound, least):
    """Write the least bound of each group; a group has every n-th of n * GROUP points.

    Without branches, many groups at once.
    """
    n_groups = np.uint64(len(least))
    for u in range(n_groups):
        least[u] = bound[u]
    for r in range(np.uint64(1), np.uint64(GROUP)):
        for u in range(n_groups):
            b = bound[r * n_groups + u]
            least[u] = b if b < least[u] else least[u]


@helper(nogil=True, error_model="numpy")
def _find_rank(values, held):
    """Return the value with the rank of the length of ``held``; infinity if too few."""
    held[:] = np.inf
    last = len(held) - 1
    for u in range(len(values)):
        value = values[u]
        if value < held[last]:
            at = last
            while at > 0 and held[at - 1] > value:
                held[at] = held[at - 1]
                at -= 1
            held[at] = value
    return held[last]


@helper(nogil=True, error_model="numpy")
def _measure(known, j, row, squares, near):
    """Measure a point, and insert it into the nearest ones of a row if it is one."""
    square, last = 0.0, len(squares) - 1
    for k in range(len(row)):
        difference = row[k] - known[j, k]
        square += difference * difference
    if square > squares[last] or (square == squares[last] and j > near[last]):
        return
    at = last
    while at > 0 and (
        squares[at - 1] > square or (squares[at - 1] == square and near[at - 1] > j)
    ):
        squares[at] = squares[at - 1]
        near[at] = near[at - 1]
        at -= 1
    squares[at] = square
    near[at] = j


@kernel(nogil=True, error_model="numpy")
def add_nearest(known, rows, lengths, own, bounds, first, squares, near):
    """Update the nearest points of some rows by a block of known points.

    The points with the least bounds are measured first: they set a limit by which
    nearly all others are excluded. Of points at the same distance, the first ones stay.

    known    (n_known, n_features)  float64, C order
    rows     (n_rows, n_features)   float64, C order
    lengths  (n_rows,)              float64: squared distance of each row from the
                                    center, to which the bounds refer
    own      (n_rows,)              int64: a known point that does not count, or -1
    bounds   (n_rows, n_block)      float32, C order: not above half of the squared
                                    distance of each point less that of the center; a
                                    multiple of GROUP wide, the rest is infinite
    first    int                    first known point of the block
    squares  (n_rows, n_near)       float64, C order: squared distances of the nearest
                                    so far, ascending, at first infinite; changed
    near     (n_rows, n_near)       int64, C order: these points, at first n_known;
                                    changed
    """
    n_groups = bounds.shape[1] // GROUP
    least = np.empty(n_groups, dtype=np.float32)
    held = np.empty(near.shape[1], dtype=np.float32)
    for i in range(len(rows)):
        row, bound, mine = rows[i], bounds[i], squares[i]
        _take_least(bound, least)
        length = lengths[i]
        done = np.float32(np.nan)  # points up to this bound are measured
        limit = min(
            _find_rank(least, held), np.float32((mine[len(mine) - 1] - length) / 2.0)
        )
        for _ in range(2):
            for u in range(n_groups):
                if least[u] > limit:
                    continue
                for r in range(GROUP):
                    b = r * n_groups + u
                    j = first + b
                    is_out = bound[b] > limit or bound[b] <= done
                    if not is_out and j != own[i] and j < len(known):
                        _measure(known, j, row, mine, near[i])
            done = limit
            limit = np.float32((mine[len(mine) - 1] - length) / 2.0)
            if limit <= done:
                break
