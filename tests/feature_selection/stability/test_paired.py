"""Halves that share no row agree on noise no more than chance would let them."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin

from manyminds.feature_selection import StableSelector
from manyminds.feature_selection.base import rank_scores
from manyminds.feature_selection.stability import (
    kuncheva_stability,
    null_interval,
    paired_stability,
)


def test_worked_example():
    # Two of four features each. Overlaps 2, 1 and 1 where 1 is expected: 1, 0 and 0.
    masks = np.array([[1, 1, 0, 0]] * 3 + [[1, 0, 1, 0], [0, 1, 1, 0], [1, 0, 1, 0]])
    found = paired_stability(masks)
    assert_allclose(found.stability, 1 / 3)
    assert_allclose(found.variance, (1 / 3) * (1 / 3 + 1))  # of 1, 0, 0; three pairs
    assert (found.low, found.high) == (-1.0, 1.0)  # t = 4.3 standard errors
    assert paired_stability(csr_array(masks)) == found


def test_pairs_of_one_size_have_the_mean_of_kuncheva_s_index(seed):
    rng = np.random.default_rng(seed)
    masks = np.array([rng.permutation(12) < 4 for _ in range(20)])
    pairs = [kuncheva_stability(masks[i : i + 2]) for i in range(0, 20, 2)]
    assert_allclose(paired_stability(masks).stability, np.mean(pairs))


def test_what_cannot_be_told_is_not_told():
    assert np.isnan(paired_stability(np.ones((4, 3), dtype=bool)).stability)
    one = paired_stability([[0, 1], [0, 2]], n_features=6)
    assert (one.low, one.high) == (-1.0, 1.0)  # a single pair does not vary
    with pytest.raises(ValueError, match="an even number; got 3"):
        paired_stability([[0], [1], [0]], n_features=4)
    assert np.isnan(null_interval([0.1])).all()
    assert np.isnan(null_interval([])).all()


def test_null_interval_by_hand():
    # Mean 0, standard deviation 1/10, t of 2 degrees of freedom 4.302653.
    low, high = null_interval([-0.1, 0.0, 0.1, np.nan])
    assert_allclose(high, 4.302653 * 0.1 * np.sqrt(4 / 3), rtol=1e-6)
    assert_allclose(low, -high)


class LargestDifferences(SelectorMixin, BaseEstimator):
    """Select the three columns whose means differ most between two classes."""

    def fit(self, X, y):
        apart = np.abs(X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0))
        self.support_ = rank_scores(apart) <= 3
        return self

    def _get_support_mask(self):
        return self.support_


def run(rng, shift):
    """Fit to 100 rows, of whose 20 columns three are informative if shift is not 0."""
    y = rng.permutation(np.arange(100) % 2)
    X = rng.normal(size=(100, 20))
    X[:, :3] += shift * y[:, None]
    return StableSelector(
        LargestDifferences(),
        n_resamples=20,
        resampling="complementary_pairs",
        n_permutations=6,
        random_state=rng.integers(1_000_000),
    ).fit(X, y)


@pytest.mark.parametrize("shift, n_above", [(0.0, range(5)), (2.0, [10])])
def test_noise_is_told_from_signal(seed, shift, n_above):
    # Of 1,000 draws of noise, 5.6 % were outside the 95 % interval of permuted targets,
    # 4.8 % above it, and the interval of the stability held 0 in 95.4 %. More than four
    # of ten are above in less than 1 of 10,000 runs. With signal, 100 of 100 were above
    # and no interval held 0.
    rng = np.random.default_rng(seed)
    found = [run(rng, shift) for _ in range(10)]
    above = [s.stability_ > null_interval(s.null_stability_)[1] for s in found]
    assert sum(above) in n_above
    held = sum(s.stability_interval_[0] <= 0.0 for s in found)
    assert held >= 7 if shift == 0.0 else held == 0
