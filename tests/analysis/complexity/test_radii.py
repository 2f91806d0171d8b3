"""Radii from distances to neighbors of given ranks."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.analysis.complexity.radii import (
    count_neighbors,
    list_counts,
    space_radii,
)


def test_numbers_of_neighbors():
    assert count_neighbors("largest", 0.5, 11) == 5
    assert count_neighbors("largest", 0.01, 11) == 1
    with pytest.raises(ValueError, match="largest must be at most the 10 other rows"):
        count_neighbors("largest", 11, 11)


@pytest.mark.parametrize(
    ("spacing", "counts", "radii"),
    [
        ("linear_radius", [2, 8], [2.0, 3.5, 5.0]),
        ("linear_count", [2, 5, 8], [2.0, 4.0, 5.0]),
        ("multiples", [2], [2.0, 4.0, 6.0]),
    ],
)
def test_spacings(spacing, counts, radii):
    assert_array_equal(list_counts(2, 8, 3, spacing), counts)
    by_count = {2: [1.0, 3.0], 5: [3.0, 5.0], 8: [4.0, 6.0]}
    distances = np.array([by_count[count] for count in counts]).T
    assert_allclose(space_radii(distances, 3, "mean", spacing), radii)


def test_the_maximum_holds_for_every_sample():
    distances = np.array([[1.0, 2.0], [3.0, 4.0], [2.0, 9.0]])
    assert_allclose(space_radii(distances, 2, "max", "linear_radius"), [3.0, 9.0])
    assert_allclose(space_radii(distances, 2, "median", "linear_radius"), [2.0, 4.0])
