"""Constraints are read from arrays, names and groups."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.ensemble.boosting.gradient.constraints import (
    read_interactions,
    read_monotonic,
)


def read_groups(groups):
    """Return the members of each group."""
    bits = [
        (groups[:, g // 64] >> np.uint64(g % 64)) & np.uint64(1)
        for g in range(64 * groups.shape[1])
    ]
    return [set(np.flatnonzero(some)) for some in bits if some.any()]


def test_signs_come_from_arrays_or_names():
    assert read_monotonic(None, 3) is None
    assert read_monotonic([0, 0, 0], 3) is None
    assert_array_equal(read_monotonic([1, 0, -1], 3), [1, 0, -1])
    names = np.array(["a", "b", "c"])
    assert_array_equal(read_monotonic({"c": -1}, 3, names), [0, 0, -1])


@pytest.mark.parametrize(
    ("cst", "match"),
    [
        ([1, 0], "one entry for each of the 3 columns"),
        ([1, 0, 2], r"-1, 0 or 1 only; got \[0, 1, 2\]"),
        ({"x": 1}, r"names columns \['x'\] that X has not"),
    ],
)
def test_wrong_signs_are_named(cst, match):
    with pytest.raises(ValueError, match=match):
        read_monotonic(cst, 3, np.array(["a", "b", "c"]))
    with pytest.raises(ValueError, match="monotonic_cst"):
        read_monotonic(cst, 3)


def test_groups_are_bits():
    assert read_interactions(None, 3) is None
    assert read_groups(read_interactions([[0, 1], [1, 2]], 3)) == [{0, 1}, {1, 2}]
    # Columns in no group form one more.
    assert read_groups(read_interactions([[0, 1]], 4)) == [{0, 1}, {2, 3}]
    alone = read_groups(read_interactions("no_interactions", 70))
    assert alone == [{j} for j in range(70)]
    pairs = read_groups(read_interactions("pairwise", 20))
    assert len(pairs) == 190 and all(len(pair) == 2 for pair in pairs)


@pytest.mark.parametrize("wrong", [-1, 3])
def test_wrong_columns_are_named(wrong):
    with pytest.raises(ValueError, match=rf"between 0 and 2; got \[{wrong}\]"):
        read_interactions([[0, wrong]], 3)
