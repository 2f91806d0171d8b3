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


def test_few_or_unknown_rows():
    assert measure_coverage([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]) == ()
    made = np.r_[np.arange(30.0), np.nan]
    assert measure_coverage(made, np.r_[np.arange(30.0), 5.0])[0].n_rows == 30
    [few] = measure_coverage(np.eye(2)[[0, 1, 0, 1]], [0, 1, 0, 1], levels=[0.5])
    assert np.isnan(few.lowest) and few.coverage == 1.0
