"""Agreement of scores and errors, and ranges too small to trust."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import t as t_distribution

from manyminds.analysis.correlation import (
    RankingWarning,
    error_agreement,
    score_range,
)


def test_one_tailed_test_of_the_correlation(seed):
    rng = np.random.default_rng(seed)
    scores = rng.uniform(0.1, 0.9, size=10)
    errors = 0.5 - 0.2 * scores + 0.05 * rng.normal(size=10)
    r = np.corrcoef(scores, errors)[0, 1]
    p_value = t_distribution.cdf(r * np.sqrt(8 / (1 - r**2)), 8)
    found = error_agreement(scores, errors)
    assert_allclose([found.correlation, found.p_value], [r, p_value], rtol=1e-8)
    assert found.is_significant == (p_value <= 0.05)
    opposite = error_agreement(scores, -errors)
    assert_allclose(opposite.p_value, 1 - p_value, rtol=1e-8)


@pytest.mark.parametrize(("r", "expected"), [(-0.550, True), (-0.548, False)])
def test_ten_encodings_need_a_correlation_of_0549(r, expected):
    x = np.arange(10.0) - 4.5
    z = x**2 - np.mean(x**2)  # is not correlated with x
    x, z = x / np.linalg.norm(x), z / np.linalg.norm(z)
    errors = 0.5 + r * x + np.sqrt(1 - r**2) * z
    assert error_agreement(0.5 + 0.5 * x, errors).is_significant is expected


def test_saturated_scores_void_a_run():
    scores, errors = [0.0, 0.3, 0.6, 0.9], [0.4, 0.3, 0.2, 0.1]
    assert error_agreement(scores, errors).is_significant
    assert not error_agreement(scores, errors, reject_saturated=True).is_significant
    scores = [0.2, 0.3, 0.6, 1.0]
    assert not error_agreement(scores, errors, reject_saturated=True).is_significant
    scores = [0.2, 0.3, 0.6, 0.9]
    assert error_agreement(scores, errors, reject_saturated=True).is_significant


def test_constant_scores_say_nothing():
    found = error_agreement([0.5, 0.5, 0.5], [0.1, 0.2, 0.3])
    assert np.isnan(found.correlation) and not found.is_significant


def test_small_ranges_are_warned_of():
    with pytest.warns(RankingWarning, match="Ranking unreliable"):
        assert_allclose(score_range([0.5, 0.6]), 0.1)
    assert_allclose(score_range([0.2, 0.7]), 0.5)
    assert_allclose(score_range([0.5, 0.6], min_range=0.0), 0.1)


def test_errors_say_what_is_wrong():
    with pytest.raises(ValueError, match="three encodings or more"):
        error_agreement([0.1, 0.2], [0.1, 0.2])
    with pytest.raises(ValueError, match="same shape"):
        error_agreement([0.1, 0.2, 0.3], [0.1, 0.2])
    with pytest.raises(ValueError, match="alpha must be"):
        error_agreement([0.1, 0.2, 0.3], [0.1, 0.2, 0.3], alpha=2)
