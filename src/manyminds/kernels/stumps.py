"""Stumps along directions: project rows, find the best cut, sum the stumps."""

import numpy as np

from manyminds.kernels._jit import kernel

CHUNK = 128  # rows projected at a time: they and their sums stay in cache
TIE = 1e-10  # relative margin of a later cut: rounding breaks no ties


@kernel(nogil=True, error_model="numpy")
def _project_chunk(columns, direction, first, sums):
    """Project the ``len(sums)`` rows from ``first`` on.

    The products are added in the order of the columns, however the loop is vectorized:
    equal rows always get equal sums. Numba vectorizes loops over views, not loops over
    places of a table.
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
    out         (n_directions, n_rows)      float64, C order, written
    """
    for first in range(0, columns.shape[1], CHUNK):
        for d in range(directions.shape[0]):
            sums = out[d, first : first + CHUNK]
            _project_chunk(columns, directions[d], first, sums)


@kernel(nogil=True, error_model="numpy")
def mark_cuts(values, order, may_cut):
    """Mark the sorted rows of each column after which a cut is possible.

    values   (n_columns, n_rows)  float64, C order
    order    (n_columns, n_rows)  uint32, C order, rows by increasing value
    may_cut  (n_columns, n_rows)  bool, C order, written; never after the last
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
    """Find the cut whose two sides have the most different pulls.

    order    (n_columns, n_rows)  uint32, C order, rows by increasing value
    may_cut  (n_columns, n_rows)  bool, C order, whether a cut may follow
    pull     (n_rows,)            float64, weighted residual of each row

    Returns the column, the number of rows below the cut, and ``s``, the pull of the
    rows above it minus that of those below. A cut may be below all rows. Of ties, the
    lowest cut of the first column is returned. Without any pull the column is -1.
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
    """Sum the outputs of stumps on rows.

    columns     (n_features, n_rows)     float64, C order
    directions  (n_stumps, n_features)   float64, C order
    thresholds  (n_stumps,)              float64
    weights     (n_stumps,)              float64, added above the threshold,
                                         subtracted elsewhere
    total       (n_rows,)                float64, added to in place
    """
    room = np.empty(CHUNK)
    for first in range(0, columns.shape[1], CHUNK):
        part = total[first : first + CHUNK]
        sums = room[: len(part)]
        for m in range(len(weights)):
            _project_chunk(columns, directions[m], first, sums)
            for i in range(len(part)):
                part[i] += weights[m] if sums[i] > thresholds[m] else -weights[m]
