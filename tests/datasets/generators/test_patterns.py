"""Patterns on a grid."""

from fractions import Fraction

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.integrate import quad

from manyminds.datasets.generators import make_test_pattern
from manyminds.datasets.generators.patterns import PATTERNS

ARROWHEAD = np.array([[0.2, 0.2], [1.8, 1.0], [0.2, 1.8], [0.8, 1.0]])


def image(pattern, grid_size=81):
    """Return the classes as a matrix; rows are x, columns are y."""
    _, y = make_test_pattern(pattern=pattern, grid_size=grid_size)
    return y.reshape(grid_size, grid_size)


def share_above(curve):
    height, _ = quad(lambda x: np.clip(4 - curve(x), 0, 4), 0, 4, limit=200)
    return height / 16


def share_of_arrowheads():
    x, y = ARROWHEAD.T
    one = abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2
    return 4 * one / 16


def upper_line(x):
    return 1.87 * x + 1.74


def lower_line(x):
    return 1.87 * x - 1.74


SHARES = {
    "sine": share_above(lambda x: 0.84 * np.sin(1.78 * x) + 2),
    "sine_printed": share_above(lambda x: 0.84 * np.sin(1.78 * x)),
    "linear_plus": share_above(upper_line),
    "linear_minus": share_above(lower_line),
    "linear_band": share_above(lower_line) - share_above(upper_line),
    "annulus": np.pi * (1.5**2 - 0.75**2) / 16,
    "parabolic": share_above(lambda x: (x - 2) ** 2 + 1),
    "parabolic_printed": share_above(lambda x: (x - 2) ** 2 / 2),
    "disjunctive": share_of_arrowheads(),
    "polynomial": share_above(lambda x: (x - 2) ** 3 / 2 + (x - 2.2) ** 2 / 2 + 2),
    "checkerboard": 5 / 9,
}


@pytest.mark.parametrize("pattern", SHARES)
def test_shares_are_the_areas(pattern):
    # A finer grid, so that points near the border weigh little.
    assert_allclose(image(pattern, 801).mean(), SHARES[pattern], atol=0.003)


def test_every_pattern_is_checked():
    assert set(SHARES) | {"parity"} == set(PATTERNS)


def test_grid_is_the_one_in_print():
    X, _ = make_test_pattern()
    assert X.shape == (6561, 2)
    assert_array_equal(np.unique(X[:, 0]), np.arange(81) / 20)


def test_parity_in_exact_arithmetic():
    # In twentieths times three, all coordinates are whole numbers.
    radius = 60 * Fraction(9, 10)
    centers = [
        (60 * Fraction(a, 3), 60 * Fraction(b, 3))
        for a in (2, 6, 10)
        for b in (2, 6, 10)
    ]
    ours = image("parity")
    for i in range(0, 81, 3):
        for j in range(81):
            n_circles = sum(
                (3 * i - a) ** 2 + (3 * j - b) ** 2 <= radius**2 for a, b in centers
            )
            assert ours[i, j] == n_circles % 2


def inside_polygon(point, corners):
    """Return whether a ray from the point crosses an odd number of edges."""
    x, y = point
    odd = False
    for (x1, y1), (x2, y2) in zip(corners, np.roll(corners, -1, axis=0)):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            odd = not odd
    return odd


def test_arrowheads_are_four_concave_polygons(seed):
    X, y = make_test_pattern(
        400, pattern="disjunctive", grid_size=998, random_state=seed
    )
    heads = [ARROWHEAD]
    for _ in range(3):
        heads.append(np.column_stack([4 - heads[-1][:, 1], heads[-1][:, 0]]))
    # 998 is no round number: no point of the grid lies on an edge.
    twin = [sum(inside_polygon(point, head) for head in heads) for point in X]
    assert_array_equal(y, twin)


@pytest.mark.parametrize("pattern", ["annulus", "parity", "checkerboard"])
def test_square_symmetry(pattern):
    classes = image(pattern)
    assert_array_equal(classes, classes.T)
    assert_array_equal(classes, classes[::-1])


def test_arrowheads_turn_into_each_other():
    classes = image("disjunctive")
    assert_array_equal(classes, np.rot90(classes))


@pytest.mark.parametrize("pattern", ["parabolic", "parabolic_printed"])
def test_parabolas_are_symmetric(pattern):
    # Borders may pass through points of the grid, where rounding decides.
    assert (image(pattern) != image(pattern)[::-1]).sum() <= 4


@pytest.mark.parametrize("pattern", PATTERNS)
def test_samples_keep_the_shares(pattern, seed):
    X, y = make_test_pattern(pattern=pattern)
    table = {tuple(point): label for point, label in zip(X, y)}
    some, labels = make_test_pattern(1000, pattern=pattern, random_state=seed)
    assert len(np.unique(some, axis=0)) == 1000
    assert [table[tuple(point)] for point in some] == labels.tolist()
    assert abs(labels.sum() - 1000 * y.mean()) <= 0.5


def test_a_sample_may_be_the_whole_grid(seed):
    X, y = make_test_pattern(6561, random_state=seed)
    order = np.lexsort(X.T[::-1])
    whole, labels = make_test_pattern()
    assert_array_equal(X[order], whole)
    assert_array_equal(y[order], labels)


def test_wrong_parameters_are_named():
    with pytest.raises(ValueError, match=r"pattern must be one of .*got 'spiral'"):
        make_test_pattern(pattern="spiral")
    with pytest.raises(ValueError, match=r"n_samples .* from 1 to 6561; got 7000"):
        make_test_pattern(7000)
    with pytest.raises(ValueError, match=r"grid_size"):
        make_test_pattern(grid_size=1)
