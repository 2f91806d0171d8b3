"""Measured coverage is that of rows that were not calibrated on."""

import numpy as np
import pytest

from manyminds.analysis import measure_coverage


def test_coverage_of_numbers(seed):
    rng = np.random.default_rng(seed)
    made = rng.normal(size=1_000)
    found = measure_coverage(made, made + rng.normal(size=1_000), random_state=seed)
    assert [one.level for one in found] == [0.8, 0.9, 0.95]
    for one in found:
        # Averaged over halves and repeats, coverage varies by less than its error.
        assert abs(one.coverage - one.level) < 4 * one.standard_error
        assert one.lowest <= one.coverage and one.n_rows == 1_000
    assert found[1].size == pytest.approx(2 * 1.645, rel=0.15)
    assert found[0].size < found[1].size < found[2].size


def test_the_worst_fifth_is_found(seed):
    # Errors of the rows of the middle fifth are ten times as large, in no bin's reach:
    # the spread follows, so that even the worst fifth is near the level.
    rng = np.random.default_rng(seed)
    made = np.linspace(0.0, 1.0, 2_000)
    scale = np.where(np.abs(made - 0.5) < 0.1, 10.0, 1.0)
    y = made + scale * rng.normal(size=2_000)
    [found] = measure_coverage(made, y, levels=[0.9])
    # Over 20 seeds, between 0.74 and 0.78.
    assert 0.65 < found.lowest < found.coverage


def test_coverage_of_classes(seed):
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.ones(3), 900)
    codes = (rng.random(900)[:, None] > shares.cumsum(axis=1)).sum(axis=1).clip(0, 2)
    [found] = measure_coverage(shares, codes, levels=[0.9], random_state=seed)
    assert abs(found.coverage - 0.9) < 0.04 and 1.0 < found.size < 3.0
    [each] = measure_coverage(shares, codes, levels=[0.9], by_class=True)
    assert each.lowest > 0.82


def test_coverage_of_new_groups():
    # The errors of group g are g: those of the last one are in no other group, whose
    # calibration cannot cover it at any level.
    groups = np.repeat(np.arange(1, 13), 50)
    y, made = groups * np.tile([-1.0, 1.0], 300), np.zeros(600)
    [rows] = measure_coverage(made, y, levels=[0.95])
    assert rows.coverage > 0.99 and rows.standard_error < 0.01
    [found] = measure_coverage(made, y, levels=[0.95], groups=groups.astype(str))
    assert found.coverage <= 11 / 12 and found.standard_error > 0.05
    assert measure_coverage(made, y, groups=np.ones(600)) == ()


def test_coverage_is_weighted_as_the_calibration_is(seed):
    # Rows with large errors are three quarters by weight, and a quarter by number.
    rng = np.random.default_rng(seed)
    is_hard = np.arange(2_000) % 4 == 0
    y = rng.normal(size=2_000) * np.where(is_hard, 10.0, 1.0)
    weight = np.where(is_hard, 9.0, 1.0)
    [found] = measure_coverage(np.zeros(2_000), y, levels=[0.8], sample_weight=weight)
    assert abs(found.coverage - 0.8) < 0.05  # not weighted, 0.91 of rows are covered
    copies = np.repeat(np.arange(2_000), weight.astype(int))
    [same] = measure_coverage(np.zeros(len(copies)), y[copies], levels=[0.8])
    assert found.size == pytest.approx(same.size, rel=0.1)
    weight[:1_000] = 0.0
    [half] = measure_coverage(np.zeros(2_000), y, levels=[0.8], sample_weight=weight)
    assert half.n_rows == 1_000


def test_few_or_unknown_rows():
    assert measure_coverage([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]) == ()
    made = np.r_[np.arange(30.0), np.nan]
    assert measure_coverage(made, np.r_[np.arange(30.0), 5.0])[0].n_rows == 30
    [few] = measure_coverage(np.eye(2)[[0, 1, 0, 1]], [0, 1, 0, 1], levels=[0.5])
    assert np.isnan(few.lowest) and few.coverage == 1.0


def test_the_lowest_coverage_is_that_of_the_classes_with_20_rows():
    # Class 2, of 5 rows, is never covered: too few to be judged alone.
    y = np.repeat([0, 1, 2], [60, 40, 5])
    made = np.where(np.eye(3)[np.minimum(y, 1)], 0.9, 0.05)
    [found] = measure_coverage(made, y, levels=[0.5])
    assert found.n_parts == 2 and found.lowest > found.coverage
    [alone] = measure_coverage(made[:65], y[:65], levels=[0.5])  # 5 rows of class 1
    assert alone.n_parts == 0 and np.isnan(alone.lowest)
    [numbers] = measure_coverage(np.arange(200.0), np.arange(200.0), levels=[0.5])
    assert numbers.n_parts == 5
