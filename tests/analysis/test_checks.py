"""Invalid parameters and scores raise errors that name them."""

import numpy as np
import pytest

from manyminds.analysis._checks import (
    check_not_negative,
    check_option,
    check_share,
    read_pair,
)


def test_options():
    check_option("test", "paired", ("paired", "unpaired"))
    with pytest.raises(ValueError, match=r"test must be one of \['a'\]; got 'b'"):
        check_option("test", "b", ("a",))


@pytest.mark.parametrize(
    ("a", "b", "says"),
    [
        ([1, 2], [1, 2, 3], r"same shape.*\(2,\) and \(3,\)"),
        ([1, np.nan], [1, 2], "a must hold finite scores; got 1"),
        ([1, 2], [np.inf, np.inf], "b must hold finite scores; got 2"),
        ([], [], "a must hold one score or more"),
    ],
)
def test_bad_pairs_are_explained(a, b, says):
    with pytest.raises(ValueError, match=says):
        read_pair(a, b)


@pytest.mark.parametrize("value", [0, 1, -0.1, np.nan, "0.5", None])
def test_shares_lie_between_zero_and_one(value):
    with pytest.raises(ValueError, match="alpha must be a number between 0 and 1"):
        check_share("alpha", value)


@pytest.mark.parametrize("value", [-1, np.nan, np.inf, "0.5"])
def test_what_may_not_be_negative(value):
    with pytest.raises(ValueError, match="rope must be a number of 0 or more"):
        check_not_negative("rope", value)
