"""Local pattern kernels: by hand, and tiles by slicing."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.kernels.local_patterns import code_pixels, count_in_tiles

PLAIN = np.arange(256)


@pytest.mark.no_jit
def test_pattern_by_hand():
    # Neighbors of the middle: right 6, above 1, left 4, below 9; the diagonal ones lie
    # between pixels.
    image = np.array([[7.0, 1.0, 8.0], [4.0, 5.0, 6.0], [3.0, 9.0, 2.0]])
    out = np.empty((3, 3), dtype=np.int64)
    code_pixels(image, 1.0, PLAIN, out)
    s = np.round(np.sqrt(0.5), 5)

    def between(i, j):
        top, left = int(np.floor(i)), int(np.floor(j))
        d, r = i - top, j - left
        (a, b), (c, e) = image[top : top + 2, left : left + 2]
        return (1 - d) * ((1 - r) * a + r * b) + d * ((1 - r) * c + r * e)

    around = [
        6.0,
        between(1 - s, 1 + s),
        1.0,
        between(1 - s, 1 - s),
        4.0,
        between(1 + s, 1 - s),
        9.0,
        between(1 + s, 1 + s),
    ]
    assert out[1, 1] == sum(2**p for p, g in enumerate(around) if g >= 5.0)


@pytest.mark.no_jit
def test_outside_is_dark():
    out = np.empty((1, 1), dtype=np.int64)
    code_pixels(np.array([[1.0]]), 1.0, PLAIN, out)
    assert out[0, 0] == 0
    code_pixels(np.array([[0.0]]), 2.0, PLAIN, out)
    assert out[0, 0] == 255


@pytest.mark.no_jit
def test_counts_in_tiles(seed):
    labels = np.random.default_rng(seed).integers(4, size=(5, 7))
    out = np.empty((6, 4))
    count_in_tiles(labels, 2, 2, 4, out)
    for t in range(6):
        i, j = 2 * (t // 3), 2 * (t % 3)
        tile = labels[i : i + 2, j : j + 2]
        assert_array_equal(out[t], np.bincount(tile.ravel(), minlength=4))
