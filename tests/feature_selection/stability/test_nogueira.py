"""Nogueira's estimate agrees with a plain twin of the paper, and covers the truth."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.feature_selection.stability import (
    compare_stability,
    nogueira_stability,
    stability_by_size,
)


def paper(masks):
    """Estimate stability and variance by the paper's formulas, sum by sum."""
    n_sets, p = masks.shape
    share = [masks[:, f].mean() for f in range(p)]
    mean_size = sum(share)
    unit = mean_size / p * (1 - mean_size / p)
    variances = [n_sets / (n_sets - 1) * s * (1 - s) for s in share]
    stability = 1 - sum(variances) / p / unit
    influence = []
    for mask in masks:
        k = mask.sum()
        shared = sum(s for s, chosen in zip(share, mask) if chosen) / p
        bias = 2 * mean_size * k / p**2 - k / p - mean_size / p + 1
        influence.append((shared - k * mean_size / p**2 + stability / 2 * bias) / unit)
    return stability, 4 / n_sets**2 * np.sum((influence - np.mean(influence)) ** 2)


def draw(rng, n_selections=40, n_features=25):
    """Draw features one by one, each with a chance of its own."""
    chance = np.linspace(0.05, 0.6, n_features)
    return rng.random((n_selections, n_features)) < chance


def true_stability(n_features=25):
    chance = np.linspace(0.05, 0.6, n_features)
    return 1 - np.mean(chance * (1 - chance)) / (chance.mean() * (1 - chance.mean()))


def test_worked_example():
    # Shares 1, 2/3, 1/3, 0: variances 0, 1/3, 1/3, 0; 2 of 4 features on average.
    found = nogueira_stability([[0, 1], [0, 2], [0, 1]], 4)
    assert_allclose(found.stability, 1 - (2 / 3 / 4) / (1 / 4))
    assert found.n_selections == 3
    assert_allclose(found.low + found.high, 2 * found.stability)


def test_formulas_of_the_paper(seed):
    masks = draw(np.random.default_rng(seed))
    found = nogueira_stability(masks)
    stability, variance = paper(masks)
    assert_allclose(found.stability, stability)
    assert_allclose(found.variance, variance)
    half_width = 1.959964 * np.sqrt(variance)
    assert_allclose(found.high - found.stability, half_width, rtol=1e-6)


def test_variance_is_about_the_jackknife_s(seed):
    # Both estimate the same variance. Ratio in 300 draws: between 0.975 and 0.984.
    masks = draw(np.random.default_rng(seed), n_selections=200)
    left_out = [
        nogueira_stability(np.delete(masks, i, axis=0)).stability for i in range(200)
    ]
    jackknife = 199 * np.var(left_out)
    assert 0.95 < nogueira_stability(masks).variance / jackknife < 1.0


def test_interval_covers_the_true_stability(seed):
    # 95 % is promised for many selections. With 100, 94.4 % of 20,000 intervals held
    # the truth: of 300, fewer than 264 do less than once in 50,000 runs.
    rng, truth = np.random.default_rng(seed), true_stability()
    found = [nogueira_stability(draw(rng, n_selections=100)) for _ in range(300)]
    assert sum(each.low <= truth <= each.high for each in found) >= 264


def test_interval_widens_with_the_level(seed):
    masks = draw(np.random.default_rng(seed))
    half, most = (nogueira_stability(masks, confidence_level=c) for c in (0.5, 0.95))
    ratio = (half.high - half.low) / (most.high - most.low)
    assert_allclose(ratio, 0.674490 / 1.959964, rtol=1e-5)


def test_equal_procedures_are_rarely_told_apart(seed):
    # Below 0.05 in 5.1 % of 10,000 pairs of 100 selections: of 200, more than 27 in
    # less than one of 100,000 runs.
    rng = np.random.default_rng(seed)
    p_values = [
        compare_stability(draw(rng, 100), draw(rng, 100)).p_value for _ in range(200)
    ]
    assert np.sum(np.array(p_values) < 0.05) <= 27


def test_different_procedures_are_told_apart(seed):
    # True stabilities of 0.57 and 0.21: the least statistic of 3,000 draws was 8.0.
    rng = np.random.default_rng(seed)
    steady = rng.random((100, 20)) < np.repeat([0.9, 0.1], [5, 15])
    shaky = rng.random((100, 20)) < np.repeat([0.7, 0.2], [5, 15])
    found = compare_stability(steady, shaky)
    assert found.statistic > 5 and found.p_value < 1e-6
    turned = compare_stability(shaky, steady)
    assert_allclose(turned.statistic, -found.statistic)


def test_comparison_of_procedures_that_never_vary():
    same = [[0, 1]] * 4
    assert compare_stability(same, same, 6).p_value == 1.0
    other = [[0, 1], [2, 3]] * 2
    found = compare_stability(same, other, 6)
    assert found.difference > 0
    nothing = compare_stability(same, [[]] * 4, 6)
    assert np.isnan(nothing.p_value)


def test_stability_by_size(seed):
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(10, 40)) + np.linspace(0, 3, 40)
    rankings = np.argsort(np.argsort(-scores, axis=1), axis=1) + 1
    found = stability_by_size(rankings, [3, 20])
    assert list(found) == [3, 20]
    assert found[3] == nogueira_stability(rankings <= 3)
    sizes = list(stability_by_size(rankings))
    assert sizes[0] == 1 and sizes[-1] == 39 and len(sizes) <= 30


def test_wrong_values_are_refused():
    with pytest.raises(ValueError, match="confidence_level"):
        nogueira_stability([[0], [1]], 4, confidence_level=1.5)
    with pytest.raises(ValueError, match="rankings must have shape"):
        stability_by_size([1, 2, 3])


def test_shared_rows_widen_the_interval(seed):
    rng = np.random.default_rng(seed)
    masks = rng.random((30, 40)) < 0.3
    alone = nogueira_stability(masks)
    halves = nogueira_stability(masks, overlap=0.5)
    assert halves.stability == alone.stability
    assert_allclose(halves.variance, 31 * alone.variance)  # 1 + 30 * 0.5 / 0.5
    same = nogueira_stability(masks, overlap=1.0)
    assert (same.low, same.high) == (-1 / 29, 1.0)
    with pytest.raises(ValueError, match=r"overlap must be from 0 to 1; got 1\.5"):
        nogueira_stability(masks, overlap=1.5)


def test_intervals_end_where_the_measure_does():
    # All but one selection are the same: the normal interval would go to 1.15.
    masks = np.tile([True, True, False, False, False], (10, 1))
    masks[0] = [False, False, True, True, False]
    found = nogueira_stability(masks)
    assert found.stability + 1.96 * np.sqrt(found.variance) > 1.0
    assert found.high == 1.0 and found.low >= -1 / 9
