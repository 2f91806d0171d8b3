"""The distance of a selection from the blanket, item 6 of spec 10."""

import numpy as np
import pytest

from manyminds.feature_selection import blanket_distance


@pytest.mark.parametrize(
    "selected, expected",
    [
        ([2, 5], 0.0),
        ([], 1.0),
        (range(8), 1.0),
        ([0, 1, 3, 4, 6, 7], np.sqrt(2.0)),
        ([2, 5, 7], 1 / 6),
        ([2], 0.5),
        ([2, 7], np.hypot(0.5, 1 / 6)),
    ],
)
def test_item_6_limits_and_values_by_hand(selected, expected):
    selected = list(selected)
    assert blanket_distance(selected, [2, 5], 8) == pytest.approx(expected)
    mask = np.isin(np.arange(8), selected)
    blanket = np.isin(np.arange(8), [2, 5])
    assert blanket_distance(mask, blanket, 8) == pytest.approx(expected)


def test_a_blanket_of_all_features_has_no_others():
    assert blanket_distance([0, 1], [0, 1], 2) == 0.0


@pytest.mark.parametrize(
    "selected, blanket, message",
    [
        ([0], [], "blanket must have at least one feature"),
        ([8], [0], "selected must lie between 0 and 7"),
        ([0], [-1], "blanket must lie between 0 and 7"),
        ([True, False], [0], "selected as a mask must have shape"),
        (["a"], [0], "selected must be a mask or positions"),
    ],
)
def test_bad_sets_are_named(selected, blanket, message):
    with pytest.raises(ValueError, match=message):
        blanket_distance(selected, blanket, 8)
