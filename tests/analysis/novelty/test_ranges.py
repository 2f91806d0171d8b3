"""Numbers beyond the range are measured in units of the tail."""

import numpy as np
from numpy.testing import assert_allclose

from manyminds.analysis.novelty.ranges import fit_ranges, measure_excess


def test_ranges_worked_by_hand():
    numbers = np.column_stack([np.arange(11.0), np.full(11, 3.0)])
    # 0 to 10: a tenth of the rows is beyond 1 and 9; a quarter of the range is more.
    assert_allclose(
        fit_ranges(numbers), [[0.0, 3.0], [10.0, 3.0], [2.5, 0.0], [2.5, 0.0]]
    )


def test_heavy_tails_have_large_units():
    numbers = np.r_[np.zeros(95), np.ones(4), 100.0][:, None]
    lower, upper = fit_ranges(numbers)[2:, 0]
    assert upper == 100.0 and lower == 25.0


def test_excess():
    ranges = fit_ranges(np.arange(11.0)[:, None])
    found = measure_excess(np.array([[5.0], [15.0], [-2.5], [np.nan]]), ranges)
    assert found.ravel().tolist() == [0.0, 2.0, 1.0, 0.0]


def test_constant_and_empty_columns():
    numbers = np.column_stack([np.ones(5), np.full(5, np.nan)])
    found = measure_excess(np.array([[1.0, 7.0], [2.0, 7.0]]), fit_ranges(numbers))
    assert found.tolist() == [[0.0, 0.0], [np.inf, 0.0]]
