"""Neighborhoods of growing radius: distances, order statistics, members by radius."""

import numpy as np

from manyminds.kernels._jit import helper, kernel

CHUNK = 512  # rows at a time: their sums stay in the first-level cache
CELLS = 2048  # of the histogram by which distances of given ranks are found


@kernel(nogil=True, error_model="numpy")
def measure_squares(columns, centers, out):
    """Measure squared Euclidean distances.

    The squares are added in the order of the columns, however the loop is vectorized:
    equal rows are at distance 0, and distances are symmetric to the last bit.

    columns  (n_features, n_rows)     float64, C order
    centers  (n_centers, n_features)  float64, C order
    out      (n_centers, n_rows)      float64, C order, written
    """
    n_features, n_rows = columns.shape
    n_by_four = n_features - n_features % 4
    for first in range(0, n_rows, CHUNK):
        last = min(first + CHUNK, n_rows)
        for i in range(len(centers)):
            sums = out[i, first:last]
            sums[:] = 0.0
            for k in range(0, n_by_four, 4):
                a, b = centers[i, k], centers[i, k + 1]
                c, d = centers[i, k + 2], centers[i, k + 3]
                x, y = columns[k, first:last], columns[k + 1, first:last]
                z, w = columns[k + 2, first:last], columns[k + 3, first:last]
                for j in range(len(sums)):
                    e, f, g, h = x[j] - a, y[j] - b, z[j] - c, w[j] - d
                    sums[j] = sums[j] + e * e + f * f + g * g + h * h
            for k in range(n_by_four, n_features):
                a, x = centers[i, k], columns[k, first:last]
                for j in range(len(sums)):
                    e = x[j] - a
                    sums[j] += e * e


@kernel(nogil=True, error_model="numpy")
def measure_doubtful(rows, centers, row_lengths, center_lengths, doubt, out):
    """Recompute those squared distances that rounding may have changed too much.

    rows            (n_rows, n_features)     float64, C order
    centers         (n_centers, n_features)  float64, C order
    row_lengths     (n_rows,)                float64, squared lengths that were added
    center_lengths  (n_centers,)             float64, likewise
    doubt           float                    recompute squared distances below this
                                             fraction of the sum of both lengths
    out             (n_centers, n_rows)      float64, C order, changed
    """
    n_rows, n_features = rows.shape
    for i in range(len(centers)):
        squares, center = out[i], centers[i]
        for j in range(n_rows):
            if squares[j] <= doubt * (center_lengths[i] + row_lengths[j]):
                row, total = rows[j], 0.0
                for k in range(n_features):
                    difference = row[k] - center[k]
                    total += difference * difference
                squares[j] = total


@kernel(nogil=True, error_model="numpy")
def select_ranks(squares, ranks, out):
    """Find the values of given ranks in each row.

    A histogram gives the cell of each rank; only the values of that cell are sorted.

    squares  (n_centers, n_rows)   float64, C order, finite and not negative
    ranks    (n_ranks,)            int64, increasing, from 0
    out      (n_centers, n_ranks)  float64, C order, written
    """
    n_centers, n_rows = squares.shape
    cell_of, held = np.empty(n_rows, dtype=np.int32), np.empty(n_rows)
    n_in = np.empty(CELLS + 1, dtype=np.int32)
    for i in range(n_centers):
        row = squares[i]
        scale = CELLS / max(row.max(), 1e-300)
        for j in range(n_rows):
            cell_of[j] = np.int32(row[j] * scale)
        n_in[:] = 0
        for j in range(n_rows):
            n_in[np.uint32(cell_of[j])] += np.int32(1)
        cell, n_before = 0, 0
        for k in range(len(ranks)):
            while n_before + n_in[cell] <= ranks[k]:
                n_before += n_in[cell]
                cell += 1
            n_held = 0
            for j in range(n_rows):
                if cell_of[j] == cell:
                    held[n_held] = row[j]
                    n_held += 1
            place = ranks[k] - n_before
            out[i, k] = np.partition(held[:n_held], place)[place]


@helper(nogil=True, error_model="numpy")
def _find_ring(square, limits, first_ring, scale):
    """Return the first limit that is not below a squared distance; there is always one.

    ``first_ring`` holds the ring from which on to search.
    """
    last = np.float64(len(first_ring) - 1)
    ring = first_ring[np.uint32(min(square * scale, last))]
    while square > limits[np.uint32(ring)]:
        ring += 1
    return np.uint32(ring)


@kernel(nogil=True, error_model="numpy")
def count_classes(squares, limits, first_ring, scale, labels, counts):
    """Count the rows of each class between one radius and the next.

    squares     (n_centers, n_rows)                float64, C order
    limits      (n_radii + 1,)                     float64, squared radii, increasing;
                                                   the last one is infinite
    first_ring  (n_cells,)                         int64, see ``_find_ring``
    scale       float                              cells per unit of the squares
    labels      (n_rows,)                          int64, classes from 0
    counts      (n_centers, n_radii + 1, n_classes) int32, C order, added to
    """
    n_centers, n_rows = squares.shape
    for i in range(n_centers):
        row, mine = squares[i], counts[i]
        for j in range(n_rows):
            ring = _find_ring(row[j], limits, first_ring, scale)
            mine[ring, np.uint32(labels[j])] += np.int32(1)


@kernel(nogil=True, error_model="numpy")
def add_members(
    squares, limits, first_ring, scale, labels, rows, centers, sums, scatter
):
    """Sum the members of each ring relative to its center, by class.

    squares, limits, first_ring, scale, labels: see ``count_classes``

    rows     (n_rows, n_features)                        float64, C order
    centers  (n_centers, n_features)                     float64, C order
    sums     (n_centers, n_radii, n_classes, n_features) float64, C order, added to
    scatter  (n_centers, n_radii, n_features, n_features)
             float64, C order: outer products of the members of all classes with
             themselves, lower triangle, added to; without features there are none
    """
    n_centers, n_rows = squares.shape
    n_features, n_radii = rows.shape[1], len(limits) - 1
    with_scatter = scatter.shape[3] > 0
    seen = np.empty(n_features)
    for i in range(n_centers):
        center = centers[i]
        for j in range(n_rows):
            ring = _find_ring(squares[i, j], limits, first_ring, scale)
            if ring == n_radii:
                continue
            row, total = rows[j], sums[i, ring, labels[j]]
            for k in range(n_features):
                seen[k] = row[k] - center[k]
                total[k] += seen[k]
            if with_scatter:
                products = scatter[i, ring]
                for k in range(n_features):
                    factor, line = seen[k], products[k]
                    for m in range(k + 1):
                        line[m] += factor * seen[m]
