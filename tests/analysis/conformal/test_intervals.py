"""Intervals cover the share of rows that they promise, and are wide where they err."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.analysis import ConformalIntervals
from manyminds.utils.errors import InputError


def draw(seed, n=600):
    rng = np.random.default_rng(seed)
    made = rng.uniform(1.0, 10.0, n)
    return made, made + made * rng.standard_t(3, n)  # errors grow with predictions


def test_worked_example():
    # One bin: s is the mean of 1, 2, 3, 4 without the row, shrunk to 2.5 by 10 rows.
    error = np.array([1.0, 2.0, 3.0, 4.0])
    found = ConformalIntervals.calibrate(np.zeros(4), error)
    own = (10.0 - error + 25.0) / 13.0
    assert_allclose(found.scores, np.sort(error / own))
    assert_allclose(found.spreads, [2.5])
    low, high = found.predict([7.0], 0.8)  # the fourth of four scores
    assert_allclose(high - 7.0, 2.5 * 4.0 / own[3])
    assert_allclose(7.0 - low, high - 7.0)


def test_coverage_is_the_level(seed):
    # Coverage of a calibration on 600 rows has a standard deviation of 1.2 points, and
    # 4,000 test rows add 0.5: 6 points are more than 4 standard deviations.
    made, y = draw(seed)
    new, truth = draw(seed + 1, 4_000)
    found = ConformalIntervals.calibrate(made, y)
    for level in (0.8, 0.9):
        low, high = found.predict(new, level)
        assert abs(((truth >= low) & (truth <= high)).mean() - level) < 0.06


def test_intervals_are_wide_where_errors_are_large(seed):
    found = ConformalIntervals.calibrate(*draw(seed))
    low, high = found.predict([2.0, 9.0], 0.9)
    assert 2.0 < (high[1] - low[1]) / (high[0] - low[0]) < 9.0


def test_rows_without_a_prediction_are_ignored(seed):
    made, y = draw(seed, 100)
    with_missing = ConformalIntervals.calibrate(
        np.r_[made, np.nan], np.r_[y, 1e9], np.ones(101)
    )
    without = ConformalIntervals.calibrate(made, y, np.ones(100))
    assert with_missing.n_rows == 100
    assert_allclose(with_missing.scores, without.scores)
    with pytest.raises(InputError, match="at least one finite value"):
        ConformalIntervals.calibrate([np.nan], [1.0])


def test_units_do_not_matter(seed):
    made, y = draw(seed, 200)
    low, high = ConformalIntervals.calibrate(made, y).predict(made, 0.9)
    scaled = ConformalIntervals.calibrate(3 + 100 * made, 3 + 100 * y)
    other = scaled.predict(3 + 100 * made, 0.9)
    assert_allclose(other, [3 + 100 * low, 3 + 100 * high])


def test_equal_predictions_have_one_interval(seed):
    y = np.random.default_rng(seed).normal(size=300)
    found = ConformalIntervals.calibrate(np.zeros(300), y)
    assert len(found.knots) == 1
    _, high = found.predict(np.zeros(2), 0.9)
    assert_allclose(high, np.quantile(np.abs(y), 0.9), rtol=0.1)


def test_perfect_predictions_and_few_rows():
    found = ConformalIntervals.calibrate(np.arange(5.0), np.arange(5.0))
    low, high = found.predict([2.0], 0.5)
    assert low == high == 2.0
    low, high = found.predict([2.0], 0.95)  # five rows are too few
    assert low == -np.inf and high == np.inf


def test_rows_without_weight_do_not_count(seed):
    made, y = draw(seed, 100)
    weight = (np.arange(100) < 60) * 1.0
    found = ConformalIntervals.calibrate(made, y, weight)
    fewer = ConformalIntervals.calibrate(made[:60], y[:60], np.ones(60))
    assert found.n_rows == 60
    assert_allclose(found.scores, fewer.scores)
