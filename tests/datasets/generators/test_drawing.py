"""Helpers of generators: checks that name the parameter, label noise, grids."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.datasets.generators._drawing import (
    all_rows,
    check_count,
    check_number,
    check_option,
    flip_labels,
)


def test_counts_are_plain_integers_within_their_limits():
    found = check_count("n_tiles", np.int64(5), low=5, high=5)
    assert found == 5 and type(found) is int


@pytest.mark.parametrize("value", [1, 6, 3.0, True, "3", None])
def test_other_counts_are_refused(value):
    message = f"n_tiles must be an integer, from 2 to 5; got {value!r}."
    with pytest.raises(ValueError) as caught:
        check_count("n_tiles", value, low=2, high=5)
    assert str(caught.value) == message
    with pytest.raises(ValueError, match="n_rows must be an integer, 1 or more; got 0"):
        check_count("n_rows", 0)


def test_numbers_are_floats_within_their_limits():
    for value in (0, 1, np.float32(0.5)):
        found = check_number("noise", value, high=1.0)
        assert found == value and type(found) is float


@pytest.mark.parametrize("value", [-0.1, 1.1, np.nan, np.inf, False, "0.5", None])
def test_other_numbers_are_refused(value):
    with pytest.raises(ValueError, match=r"noise must be a finite number from 0\.0"):
        check_number("noise", value, high=1.0)


def test_infinity_is_no_number_even_without_a_limit():
    with pytest.raises(ValueError, match="std must be a finite number of at least"):
        check_number("std", np.inf)


def test_options_are_listed_where_none_fits():
    assert check_option("kind", "flat", ("flat", "round")) == "flat"
    with pytest.raises(ValueError, match=r"kind must be one of \['flat', 'round'\]"):
        check_option("kind", "square", ("flat", "round"))


@pytest.mark.parametrize(("share", "n_flipped"), [(0.0, 0), (0.26, 5), (1.0, 20)])
def test_exactly_a_share_of_labels_is_flipped(seed, share, n_flipped):
    y = np.arange(20) % 2
    noisy = flip_labels(y, share, np.random.RandomState(seed))
    assert (noisy != y).sum() == n_flipped
    assert set(noisy) <= {0, 1}
    assert_array_equal(y, np.arange(20) % 2)  # the labels themselves stay


def test_grid_of_a_worked_example():
    found = all_rows([0, 1], [5, 6, 7])
    expected = [[0, 5], [0, 6], [0, 7], [1, 5], [1, 6], [1, 7]]
    assert_array_equal(found, expected)
    assert found.dtype == np.float64
