"""Stumps along directions: project rows, search the best cut, add the stumps up."""

import numpy as np

from manyminds.kernels._jit import kernel

CHUNK = 128  # rows that are projected at a time: they and their sums stay in cache
TIE = 1e-10  # a later cut must be better by this share: rounding settles no ties


@kernel(nogil=True, error_model="numpy")
def _project_chunk(columns, direction, first, sums):
    """Project the rows from ``first`` on, as many as there is room for in ``sums``.

    The products are added in the order of the columns, whatever the machine does in
    one go: equal rows get equal sums, at every place and every time. Numba makes SIMD
    code of loops over views, not of loops over places of a table.
    """
    n_features, last = len(direction), first + len(sums)
    n_by_four = n_features - n_features % 4
    sums[:] = 0.0
    for j in range(0, n_by_four, 4):
        a, b, c, d = direction[j], direction[j + 1], direction[j + 2], direction[j + 3]
        if a != 0.0 or b != 0.0 or c != 0.0 or d != 0.0:
            x, y = columns[j, first:last], columns[j + 1, first:last]
            z, w = columns[j + 2, first:last], columns[j + 3, first:last]
            for i in range(len(sums)):
                sums[i] = sums[i] + a * x[i] + b * y[i] + c * z[i] + d * w[i]
    for j in range(n_by_four, n_features):
        a, x = direction[j], columns[j, first:last]
        if a != 0.0:
            for i in range(len(sums)):
                sums[i] += a * x[i]


@kernel(nogil=True, error_model="numpy")
def project(columns, directions, out):
    """Project rows on directions.

    columns     (n_features, n_rows)        float64, C order
    directions  (n_directions, n_features)  float64, C order
    out         (n_directions, n_rows)      float64, C order, to be filled
    """
    for first in range(0, columns.shape[1], CHUNK):
        for d in range(directions.shape[0]):
            sums = out[d, first : first + CHUNK]
            _project_chunk(columns, directions[d], first, sums)


@kernel(nogil=True, error_model="numpy")
def mark_cuts(values, order, may_cut):
    """Mark after which of the sorted rows of each column a cut may be made.

    values   (n_columns, n_rows)  float64, C order
    order    (n_columns, n_rows)  uint32, C order, rows by rising value
    may_cut  (n_columns, n_rows)  bool, C order, to be filled; never after the last
    """
    n_columns, n_rows = values.shape
    for c in range(n_columns):
        value = values[c, order[c, 0]]
        for i in range(n_rows - 1):
            following = values[c, order[c, i + 1]]
            may_cut[c, i] = following > value
            value = following
        may_cut[c, n_rows - 1] = False


@kernel(nogil=True, error_model="numpy")
def find_stump(order, may_cut, pull):
    """Find the cut whose two sides pull apart the most.

    order    (n_columns, n_rows)  uint32, C order, rows by rising value
    may_cut  (n_columns, n_rows)  bool, C order, whether a cut may follow here
    pull     (n_rows,)            float64, weighted residual of each row

    Returns the column, the number of rows below the cut, and ``s``, the pull of the
    rows above it less that of those below. A cut below all rows is one, too. Of equals
    it is the first column's lowest cut. Without any pull the column is -1.
    """
    n_columns, n_rows = order.shape
    total = 0.0
    for i in range(n_rows):
        total += pull[i]
    best_column, best_below, best_s = 0 if total != 0.0 else -1, 0, total
    bar = abs(total) * (1.0 + TIE)
    for c in range(n_columns):
        below = 0.0
        for i in range(n_rows):
            below += pull[order[c, i]]
            if may_cut[c, i]:
                s = total - 2.0 * below
                if abs(s) > bar:
                    best_column, best_below, best_s = c, i + 1, s
                    bar = abs(s) * (1.0 + TIE)
    return best_column, best_below, best_s


@kernel(nogil=True, error_model="numpy")
def add_stumps(columns, directions, thresholds, weights, total):
    """Add up what stumps say about rows.

    columns     (n_features, n_rows)     float64, C order
    directions  (n_stumps, n_features)   float64, C order
    thresholds  (n_stumps,)              float64
    weights     (n_stumps,)              float64, added above the threshold, taken off
                                         elsewhere
    total       (n_rows,)                float64, added to in place
    """
    room = np.empty(CHUNK)
    for first in range(0, columns.shape[1], CHUNK):
        said = total[first : first + CHUNK]
        sums = room[: len(said)]
        for m in range(len(weights)):
            _project_chunk(columns, directions[m], first, sums)
            for i in range(len(said)):
                said[i] += weights[m] if sums[i] > thresholds[m] else -weights[m]
