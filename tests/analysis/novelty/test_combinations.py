"""Unusual combinations have large distances, whatever the units of columns."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.analysis.novelty.combinations import fit_combinations, measure_distance


@pytest.fixture
def pair(seed):
    """Return two columns of correlation 0.99, and a third on its own."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=500)
    return np.column_stack([x, x + 0.14 * rng.normal(size=500), rng.normal(size=500)])


def test_a_broken_correlation_is_far(pair):
    fitted = fit_combinations(pair)
    distance, _ = measure_distance(pair, *fitted)
    new = np.array([[1.0, -1.0, 0.0], [1.0, 1.0, 0.0]])
    (odd, usual), shares = measure_distance(new, *fitted)
    assert odd > np.quantile(distance, 0.999) and usual < np.quantile(distance, 0.9)
    assert (shares[0, :2] > 10 * abs(shares[0, 2])).all()
    assert_allclose(shares.sum(axis=1), [odd, usual])


def test_monotone_units_do_not_matter(pair):
    plain = measure_distance(pair, *fit_combinations(pair))[0]
    other = np.column_stack([np.exp(pair[:, 0]), 5 * pair[:, 1] - 3, pair[:, 2] ** 3])
    changed = measure_distance(other, *fit_combinations(other))[0]
    assert np.corrcoef(plain, changed)[0, 1] > 0.9


def test_missing_numbers_are_the_median(pair):
    fitted = fit_combinations(pair)
    medians = np.median(pair, axis=0)
    distance, _ = measure_distance(np.array([[np.nan] * 3, medians]), *fitted)
    assert distance[0] == 0.0
    assert_allclose(distance[1], 0.0, atol=1e-12)
