"""Overlaps of pairs agree with plain twins over all pairs, and with what is known."""

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import coo_matrix, csc_array

from manyminds.feature_selection.stability import (
    jaccard_stability,
    kuncheva_stability,
    lustgarten_stability,
    nogueira_stability,
    overlaps,
)

MEASURES = [jaccard_stability, kuncheva_stability, lustgarten_stability]


def draw(seed, n_selections=12, n_features=30, size=None):
    """Draw masks, of one size or of several between 1 and all but one."""
    rng = np.random.default_rng(seed)
    masks = np.zeros((n_selections, n_features), dtype=bool)
    for mask in masks:
        k = rng.integers(1, n_features) if size is None else size
        mask[rng.choice(n_features, k, replace=False)] = True
    return masks


def mean_over_pairs(index, masks):
    """Average an index of two sets over all pairs, one by one."""
    p = masks.shape[1]
    sets = [set(np.flatnonzero(mask)) for mask in masks]
    return np.mean([index(a, b, p) for a, b in combinations(sets, 2)])


def jaccard(a, b, p):
    return len(a & b) / len(a | b)


def kuncheva(a, b, p):
    k = len(a)
    return (len(a & b) * p - k**2) / (k * (p - k))


def lustgarten(a, b, p):
    k, l = len(a), len(b)  # noqa: E741
    return (len(a & b) - k * l / p) / (min(k, l) - max(0, k + l - p))


def test_worked_example():
    # Of 10 features, {0, 1}, {0, 2} and {0, 1}: overlaps 1, 2 and 1.
    sets = [[0, 1], [0, 2], [0, 1]]
    assert_allclose(jaccard_stability(sets, 10), (1 / 3 + 1 + 1 / 3) / 3)
    # By chance, 0.4 would be shared; 1.6 is the most beyond that.
    assert_allclose(kuncheva_stability(sets, 10), (0.6 + 1.6 + 0.6) / 1.6 / 3)
    # The overlap has a range from 0 to 2.
    assert_allclose(lustgarten_stability(sets, 10), (0.6 + 1.6 + 0.6) / 2 / 3)


def test_means_over_pairs(seed):
    masks = draw(seed)
    assert_allclose(jaccard_stability(masks), mean_over_pairs(jaccard, masks))
    assert_allclose(lustgarten_stability(masks), mean_over_pairs(lustgarten, masks))
    for size in (1, 7, 29):
        masks = draw(seed, size=size)
        assert_allclose(kuncheva_stability(masks), mean_over_pairs(kuncheva, masks))
        assert_allclose(lustgarten_stability(masks), mean_over_pairs(lustgarten, masks))


def test_for_one_size_nogueira_is_the_mean_of_kuncheva(seed):
    masks = draw(seed, size=9)
    assert_allclose(nogueira_stability(masks).stability, kuncheva_stability(masks))


@pytest.mark.parametrize("step", [0, 1e9])
def test_products_of_both_kinds_agree(seed, step, monkeypatch):
    # All by a sparse product, or all by dense blocks of two columns at a time.
    monkeypatch.setattr(overlaps, "_SPARSE_STEP", step)
    monkeypatch.setattr(overlaps, "_BLOCK_CELLS", 24)
    masks = draw(seed)
    expected = mean_over_pairs(jaccard, masks)
    assert_allclose(jaccard_stability(masks), expected)
    assert_allclose(jaccard_stability(csc_array(masks)), expected)


@pytest.mark.parametrize("measure", [*MEASURES, lambda s, p=None: nogueira(s, p)])
def test_all_ways_of_writing_selections_agree(seed, measure):
    masks = draw(seed, size=5)
    lists = [np.flatnonzero(mask)[::-1].tolist() for mask in masks]
    expected = measure(masks)
    assert measure(masks.astype(int)) == expected
    assert measure(masks.tolist()) == expected
    assert_allclose(measure(lists, 30), expected)
    assert_allclose(measure(coo_matrix(masks)), expected)
    assert_allclose(measure(csc_array(masks.astype(float))), expected)


def nogueira(selections, n_features=None):
    return nogueira_stability(selections, n_features).stability


def test_same_and_disjoint_selections():
    same, apart = [[0, 1]] * 3, [[0, 1], [2, 3], [4, 5]]
    assert jaccard_stability(same, 6) == kuncheva_stability(same, 6) == 1.0
    assert_allclose(lustgarten_stability(same, 6), 1 - 2 / 6)
    assert jaccard_stability(apart, 6) == 0.0
    assert_allclose(kuncheva_stability(apart, 6), -(4 / 6) / (2 - 4 / 6))


def test_empty_and_whole_selections():
    empty, whole = np.zeros((3, 4), bool), np.ones((3, 4), bool)
    assert jaccard_stability(empty) == jaccard_stability(whole) == 1.0
    for measure in (kuncheva_stability, lustgarten_stability, nogueira):
        assert np.isnan(measure(empty)) and np.isnan(measure(whole))
    assert np.isnan(lustgarten_stability([[], [0], [0]], 4))
    # Nogueira's measure needs no pairs: only not all of them may be empty.
    assert_allclose(nogueira([[], [0], [0]], 4), 1 - (3 / 2 * 2 / 9 / 4) / (5 / 36))


def test_random_selections_are_at_chance(seed):
    # 200 sets of 10 out of 100: the mean over 19,900 pairs has a standard deviation of
    # 0.0007, measured over 2,000 draws; the limit is beyond six of them.
    masks = draw(seed, n_selections=200, n_features=100, size=10)
    assert abs(kuncheva_stability(masks)) < 0.005
    assert jaccard_stability(masks) > 0.045  # not corrected: 1 / 19 by chance


def test_kuncheva_refuses_several_sizes():
    with pytest.raises(ValueError, match="between 1 and 2 features"):
        kuncheva_stability([[0], [0, 1]], 4)
