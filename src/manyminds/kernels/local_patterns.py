"""Local binary patterns: compare each pixel with its neighbors on a circle."""

import math

import numpy as np

from manyminds.kernels._jit import kernel

DIGITS = 1e5  # coordinates of neighbors are rounded to five digits


@kernel(nogil=True, error_model="numpy")
def code_pixels(image, radius, table, out):
    """Write the label of the pattern of each pixel.

    image   (n_rows, n_columns)  float64, C order
    radius  float                of the circle of eight neighbors
    table   (256,)               int64, label of each pattern
    out     (n_rows, n_columns)  int64, C order, written

    Bit p is set if neighbor p, counted from the right against the clock, is at least as
    bright as the pixel. Between pixels, brightness is interpolated; outside, it is 0.
    """
    n_rows, n_columns = image.shape
    row_steps, column_steps = np.empty(8), np.empty(8)
    for p in range(8):
        angle = 2.0 * math.pi * p / 8.0
        row_steps[p] = round(-radius * math.sin(angle) * DIGITS) / DIGITS
        column_steps[p] = round(radius * math.cos(angle) * DIGITS) / DIGITS
    for i in range(n_rows):
        for j in range(n_columns):
            pattern = 0
            for p in range(8):
                row, column = i + row_steps[p], j + column_steps[p]
                top, left = math.floor(row), math.floor(column)
                down, right = row - top, column - left
                bottom = top if down == 0.0 else top + 1
                end = left if right == 0.0 else left + 1
                upper = lower = 0.0
                if 0 <= top < n_rows:
                    if 0 <= left < n_columns:
                        upper += (1.0 - right) * image[top, left]
                    if 0 <= end < n_columns:
                        upper += right * image[top, end]
                if 0 <= bottom < n_rows:
                    if 0 <= left < n_columns:
                        lower += (1.0 - right) * image[bottom, left]
                    if 0 <= end < n_columns:
                        lower += right * image[bottom, end]
                if (1.0 - down) * upper + down * lower - image[i, j] >= 0.0:
                    pattern |= 1 << p
            out[i, j] = table[pattern]


@kernel(nogil=True, error_model="numpy")
def count_in_tiles(labels, height, width, n_bins, out):
    """Count the labels within each tile.

    labels         (n_rows, n_columns)  int64, C order
    height, width  int                  of a tile; what is left over counts nowhere
    n_bins         int
    out            (n_tiles, n_bins)    float64, C order, written; tiles row by row
    """
    n_down, n_right = labels.shape[0] // height, labels.shape[1] // width
    out[:] = 0.0
    for i in range(n_down * height):
        for j in range(n_right * width):
            tile = (i // height) * n_right + j // width
            out[tile, labels[i, j]] += 1.0
