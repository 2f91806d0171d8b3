"""Contingency tables of pairs of coded columns, and the sums their entropies need.

Columns of few levels are stored as planes of bits as well, one plane for each level but
the last: a cell of a table is then counted 64 rows at a time. Rows may be divided into
folds. A part is all rows except those of one fold; without folds there is one part,
which has all rows.
"""

from typing import Any, NamedTuple

import numpy as np

from manyminds.kernels._jit import helper, kernel

LANES = 4  # tables filled in turn, so that a count need not wait for the previous one
FEW_CELLS = 256  # beyond which clearing the lanes costs more than they save
ROOMY = 16  # cells per row beyond which a table is mostly empty: rows are sorted


class Columns(NamedTuple):
    """Columns of codes, prepared for counting.

    n_levels     (n_features,)              int64
    first_plane  (n_features,)              int64, row of planes; -1: it has none
    planes       (n_planes, n_words)        uint64, C order; folds begin with a word
    first_level  (n_features,)              int64, row of margins
    margins      (sum of n_levels, n_parts) float64, C order, weight of each level
    """

    n_levels: Any
    first_plane: Any
    planes: Any
    first_level: Any
    margins: Any


class Rows(NamedTuple):
    """Weights and folds of the rows.

    weight  (n_samples,) or (0,)      float64; empty: every row has weight 1
    logs    (n_samples + 1,) or (0,)  float64, ``n log2 n`` of whole numbers
    starts  (n_folds + 1,)            int64, first row of each fold; one fold: none
    words   (n_folds + 1,)            int64, first word of each fold
    """

    weight: Any
    logs: Any
    starts: Any
    words: Any


@kernel(nogil=True, error_model="numpy")
def add_margins(codes, columns, rows):
    """Fill ``columns.margins``, which are zero, with each level's weight in each part.

    codes    (n_features, n_samples)  uint8 or uint16, C order, rows by fold
    columns  Columns
    rows     Rows
    """
    n_folds = len(rows.starts) - 1
    for f in range(len(columns.n_levels)):
        first, n_levels = columns.first_level[f], columns.n_levels[f]
        levels = columns.margins[first : first + n_levels]
        if columns.first_plane[f] >= 0:
            planes = columns.planes[columns.first_plane[f] :]
            levels[n_levels - 1] = rows.starts[1:] - rows.starts[:-1]
            for c in range(n_levels - 1):
                for fold in range(n_folds):
                    for w in range(rows.words[fold], rows.words[fold + 1]):
                        levels[c, fold] += _count_ones(planes[c, w])
                    levels[n_levels - 1, fold] -= levels[c, fold]
        else:
            for fold in range(n_folds):
                for i in range(rows.starts[fold], rows.starts[fold + 1]):
                    one = rows.weight[i] if len(rows.weight) > 0 else 1.0
                    levels[codes[f, i], fold] += one
        if n_folds > 1:
            for c in range(n_levels):
                levels[c] = levels[c].sum() - levels[c]


@kernel(nogil=True, error_model="numpy")
def sum_margin_logs(columns, rows, out):
    """Sum ``n log2 n`` over the levels of each feature in each part.

    out  (n_parts, n_features)  float64, written
    """
    for f in range(len(columns.n_levels)):
        for part in range(out.shape[0]):
            total = 0.0
            for c in range(columns.n_levels[f]):
                count = columns.margins[columns.first_level[f] + c, part]
                total += _n_log_n(count, rows.logs)
            out[part, f] = total


@kernel(nogil=True, error_model="numpy")
def sum_joint_logs(x, left, lefts, y, right, rights, rows, part, out):
    """Sum ``n log2 n`` over the cells of the tables of pairs, in one part or in all.

    x, y           (n_features, n_samples)  uint8 or uint16, C order, rows by fold
    left, right    Columns, of x and of y
    lefts, rights  (n_lefts,), (n_rights,)  int64, features of x and of y
    rows           Rows
    part           int, the part; -1: all of them
    out            (n_lefts, n_parts or 1, n_rights)  float64, written
    """
    most, n_parts = ROOMY * max(x.shape[1], 64), len(rows.starts) - 1
    room = _find_room(left.n_levels, lefts, right.n_levels, rights, most)
    counts = np.empty((room, n_parts), dtype=np.int64)
    rests, sums = np.empty(room, dtype=np.int64), np.empty(n_parts)
    cells = np.empty((n_parts, max(room, LANES * FEW_CELLS)))
    for m in range(len(lefts)):
        f = lefts[m]
        planes = _take_planes(left, f, rows.words, part)
        for k in range(len(rights)):
            g = rights[k]
            if left.first_plane[f] >= 0 and right.first_plane[g] >= 0:
                if part >= 0:
                    sums[part] = _sum_part(planes, left, f, right, g, rows, part, rests)
                else:
                    _sum_parts(planes, left, f, right, g, rows, counts, sums)
            elif left.n_levels[f] * right.n_levels[g] <= most:
                sizes = left.n_levels[f], right.n_levels[g]
                _sum_counts(x[f], y[g], sizes, rows, cells, sums)
            else:
                for one in range(n_parts):
                    if part < 0 or part == one:
                        sums[one] = _sort_rows(x[f], y[g], right.n_levels[g], rows, one)
            if part >= 0:
                out[m, 0, k] = sums[part]
            else:
                for one in range(n_parts):
                    out[m, one, k] = sums[one]


@kernel(nogil=True, error_model="numpy")
def _take_planes(columns, f, words, part):
    """Copy the planes of a feature; clear the fold that the part leaves out."""
    first = columns.first_plane[f]
    if first < 0:
        return np.empty((0, 0), dtype=np.uint64)
    planes = columns.planes[first : first + columns.n_levels[f] - 1].copy()
    if part >= 0 and len(words) > 2:
        planes[:, words[part] : words[part + 1]] = np.uint64(0)
    return planes


@kernel(nogil=True, error_model="numpy")
def _find_room(n_left, lefts, n_right, rights, most):
    """Return the number of cells of the largest table that is counted, not sorted."""
    room = 0
    for f in lefts:
        for g in rights:
            n_cells = n_left[f] * n_right[g]
            if room < n_cells <= most:
                room = n_cells
    return room


@helper(error_model="numpy")
def _sum_part(planes, left, f, right, g, rows, part, rests):
    """Sum over cells counted from planes; those of last levels follow from margins.

    The rests are the counts of a right level that remain for the last left level.
    """
    n_left, n_right, plane = left.n_levels[f], right.n_levels[g], right.first_plane[g]
    for b in range(n_right):
        rests[b] = int(right.margins[right.first_level[g] + b, part])
    total = 0.0
    for a in range(n_left - 1):
        rest = int(left.margins[left.first_level[f] + a, part])
        for b in range(n_right - 1):
            count = _count_common(planes, a, right.planes, plane + b)
            rest -= count
            rests[b] -= count
            total += rows.logs[count]
        rests[n_right - 1] -= rest
        total += rows.logs[rest]
    for b in range(n_right):
        total += rows.logs[rests[b]]
    return total


@helper(error_model="numpy")
def _count_common(x, i, y, j):
    """Count the bits that are set in plane i of x and in plane j of y."""
    total = np.uint64(0)
    for w in range(x.shape[1]):
        total += _count_ones(x[i, w] & y[j, w])
    return np.int64(total)


@helper(error_model="numpy")
def _sum_parts(planes, left, f, right, g, rows, counts, sums):
    """Do for all parts at once what ``_sum_part`` does for one.

    Loops over parts are the inner ones: the compiler vectorizes them.
    """
    n_left, n_right, n_parts = left.n_levels[f], right.n_levels[g], len(sums)
    last = (n_left - 1) * n_right
    for b in range(n_right):
        for part in range(n_parts):
            margin = right.margins[right.first_level[g] + b, part]
            counts[last + b, part] = int(margin)
    for a in range(n_left - 1):
        rest = a * n_right + n_right - 1
        for part in range(n_parts):
            counts[rest, part] = int(left.margins[left.first_level[f] + a, part])
        for b in range(n_right - 1):
            cell, plane = a * n_right + b, right.first_plane[g] + b
            _count_parts(planes, a, right.planes, plane, rows.words, counts, cell)
            for part in range(n_parts):
                counts[rest, part] -= counts[cell, part]
                counts[last + b, part] -= counts[cell, part]
        for part in range(n_parts):
            counts[last + n_right - 1, part] -= counts[rest, part]
    for part in range(n_parts):
        sums[part] = 0.0
    for c in range(n_left * n_right):
        for part in range(n_parts):
            sums[part] += rows.logs[counts[c, part]]


@helper(error_model="numpy")
def _count_parts(x, i, y, j, words, counts, cell):
    """Count the bits that are set in plane i of x and in plane j of y, by parts."""
    n_folds, total = len(words) - 1, 0
    if words[n_folds] == n_folds:
        for fold in range(n_folds):
            counts[cell, fold] = np.int64(_count_ones(x[i, fold] & y[j, fold]))
    else:
        for fold in range(n_folds):
            counts[cell, fold] = 0
            for w in range(words[fold], words[fold + 1]):
                counts[cell, fold] += np.int64(_count_ones(x[i, w] & y[j, w]))
    for fold in range(n_folds):
        total += counts[cell, fold]
    for fold in range(n_folds):
        counts[cell, fold] = total - counts[cell, fold]


@helper(error_model="numpy")
def _count_ones(bits):
    """Count the bits that are set; the compiler turns this into one instruction."""
    bits = bits - ((bits >> np.uint64(1)) & np.uint64(0x5555555555555555))
    pairs = np.uint64(0x3333333333333333)
    bits = (bits & pairs) + ((bits >> np.uint64(2)) & pairs)
    bits = (bits + (bits >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (bits * np.uint64(0x0101010101010101)) >> np.uint64(56)


@kernel(nogil=True, error_model="numpy")
def _sum_counts(x, y, sizes, rows, cells, sums):
    """Count the cells of each part in a loop over the rows."""
    n_left, n_right = sizes
    n_cells, n_folds = n_left * n_right, len(sums)
    for fold in range(n_folds):
        first, last = rows.starts[fold], rows.starts[fold + 1]
        weight = rows.weight[first:last]
        _count_fold(x[first:last], y[first:last], n_right, weight, n_cells, cells[fold])
    sums[:] = 0.0
    for c in range(n_cells):
        total = 0.0
        for fold in range(n_folds):
            total += cells[fold, c]
        for fold in range(n_folds):
            left_over = total - cells[fold, c] if n_folds > 1 else total
            sums[fold] += _n_log_n(left_over, rows.logs)


@kernel(nogil=True, error_model="numpy")
def _count_fold(x, y, n_right, weight, n_cells, cells):
    """Add up rows, or their weights, in the cells of a table."""
    n_lanes = LANES if n_cells <= FEW_CELLS and len(weight) == 0 else 1
    cells[: n_lanes * n_cells] = 0.0
    n_full = len(x) - len(x) % LANES if n_lanes == LANES else 0
    for i in range(0, n_full, LANES):
        cells[x[i] * n_right + y[i]] += 1.0
        cells[n_cells + x[i + 1] * n_right + y[i + 1]] += 1.0
        cells[2 * n_cells + x[i + 2] * n_right + y[i + 2]] += 1.0
        cells[3 * n_cells + x[i + 3] * n_right + y[i + 3]] += 1.0
    for i in range(n_full, len(x)):
        cells[x[i] * n_right + y[i]] += weight[i] if len(weight) > 0 else 1.0
    for lane in range(1, n_lanes):
        for c in range(n_cells):
            cells[c] += cells[lane * n_cells + c]


@kernel(nogil=True, error_model="numpy")
def _sort_rows(x, y, n_right, rows, part):
    """Sum ``n log2 n`` over the cells that have rows, found by sorting the rows."""
    first, last = rows.starts[part], rows.starts[part + 1]
    if len(rows.starts) == 2:
        first = last  # there are no folds: no row is left out
    cell = np.empty(len(x) - (last - first), dtype=np.int64)
    for i in range(len(cell)):
        row = i if i < first else i + last - first
        cell[i] = x[row] * n_right + y[row]
    order = np.argsort(cell)
    total, count = 0.0, 0.0
    for i in range(len(order)):
        if i > 0 and cell[order[i]] != cell[order[i - 1]]:
            total += _n_log_n(count, rows.logs)
            count = 0.0
        row = order[i] if order[i] < first else order[i] + last - first
        count += rows.weight[row] if len(rows.weight) > 0 else 1.0
    return total + _n_log_n(count, rows.logs)


@helper(error_model="numpy")
def _n_log_n(count, logs):
    """Return ``count * log2(count)``, from the table if there is one."""
    if len(logs) > 0:
        return logs[int(count)]
    return count * np.log2(count) if count > 0.0 else 0.0
