"""Regions of the plane."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.datasets.generators import (
    make_checkerboard,
    make_frame,
    make_oblique_border,
    make_test_pattern,
)


@pytest.mark.parametrize("n_tiles", [1, 2, 3, 8])
def test_neighboring_tiles_differ(n_tiles, seed):
    X, y = make_checkerboard(2000, n_tiles=n_tiles, random_state=seed)
    assert X.min() >= 0 and X.max() < n_tiles
    colors = {}
    for (a, b), label in zip(np.floor(X).astype(int).tolist(), y):
        assert colors.setdefault((a, b), label) == label
    assert colors.get((0, 0), 1) == 1
    for (a, b), label in colors.items():
        assert colors.get((a + 1, b), 1 - label) != label
        assert colors.get((a, b + 1), 1 - label) != label


def test_checkerboard_is_colored_like_the_pattern(seed):
    X, y = make_checkerboard(500, random_state=seed)
    grid, classes = make_test_pattern(pattern="checkerboard")
    nearest = [np.abs(grid - point * 4 / 3).sum(axis=1).argmin() for point in X]
    away_from_borders = (np.abs(X - np.round(X)) > 0.05).all(axis=1)
    assert_array_equal(classes[nearest][away_from_borders], y[away_from_borders])


def test_flipped_tiles(seed):
    _, y = make_checkerboard(500, random_state=seed)
    _, noisy = make_checkerboard(500, label_noise=0.1, random_state=seed)
    assert (y != noisy).sum() == 50


def test_frame_by_hand(seed):
    X, y = make_frame(20_000, random_state=seed)
    for (a, b), label in zip(X, y):
        assert label == (a < 0.25 or a > 0.75 or b < 0.25 or b > 0.75)
    # Six standard deviations of the count.
    assert_allclose(y.mean(), 0.75, atol=0.0184)


def test_oblique_border_by_hand(seed):
    X, y = make_oblique_border(20_000, random_state=seed)
    assert_array_equal(y, X[:, 1] > 2.5 * X[:, 0] - 0.75)
    assert_allclose(y.mean(), 0.5, atol=0.0213)
    middle = (X[:, 0] > 0.3) & (X[:, 0] < 0.7)
    assert set(y[middle]) == {0, 1}
    assert_array_equal(y[~middle], X[~middle, 0] < 0.5)
