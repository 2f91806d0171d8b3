"""Nearest points: those that rough bounds cannot exclude, measured exactly.

A product of blocks in single precision bounds all distances, and is quickly compared
with a limit. Only the few pairs that may be nearer than those found before are
measured, in double precision: the result is that of comparing all pairs.
"""

import numpy as np

from manyminds.kernels._jit import helper, kernel

STRIP = 32  # bounds compared at once, without a branch


@helper(nogil=True, error_model="numpy")
def _insert(squares, near, square, j):
    """Insert a point into the nearest ones of a row, in ascending order."""
    at = len(squares) - 1
    while at > 0 and squares[at - 1] > square:
        squares[at] = squares[at - 1]
        near[at] = near[at - 1]
        at -= 1
    squares[at] = square
    near[at] = j


@kernel(nogil=True, error_model="numpy")
def add_nearest(known, rows, own, bounds, first, squares, near):
    """Update the nearest points of some rows by a block of known points.

    Of points at the same distance, the first ones stay.

    known    (n_known, n_features)  float64, C order
    rows     (n_rows, n_features)   float64, C order
    own      (n_rows,)              int64: a known point that does not count, or -1
    bounds   (n_rows, n_block)      float32, C order: not above half of the squared
                                    distance of each point less that of the origin; a
                                    multiple of STRIP wide, the rest is infinite
    first    int                    first known point of the block
    squares  (n_rows, n_near)       float64, C order: squared distances of the nearest
                                    so far, ascending; changed
    near     (n_rows, n_near)       int64, C order: these points; changed
    """
    n_features = known.shape[1]
    for i in range(len(rows)):
        row, bound, mine = rows[i], bounds[i], squares[i]
        length = 0.0
        for k in range(n_features):
            length += row[k] * row[k]
        limit = np.float32((mine[-1] - length) / 2.0)
        for start in range(0, len(bound), STRIP):
            n_close = np.int32(0)
            for u in range(STRIP):
                n_close += np.int32(not (bound[np.uint64(start + u)] > limit))
            if n_close == 0:
                continue
            for b in range(start, start + STRIP):
                j = first + b
                if bound[b] > limit or j == own[i] or j >= len(known):
                    continue
                point, square = known[j], 0.0
                for k in range(n_features):
                    difference = row[k] - point[k]
                    square += difference * difference
                if square < mine[-1]:
                    _insert(mine, near[i], square, j)
                    limit = np.float32((mine[-1] - length) / 2.0)
