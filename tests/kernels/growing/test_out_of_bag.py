"""Out-of-bag decreases worked by hand, and their expectation for irrelevant cuts."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.kernels.growing.out_of_bag import LEFT_PART, WHOLE, decrease_out_of_bag


def sum_up(y, w, n_classes):
    """Return a row of the sums: weights, squares, squares of targets, sums."""
    if n_classes == 1:
        return [w.sum(), w @ w, w @ y**2, w @ y]
    return [w.sum(), w @ w, 0.0, *np.bincount(y.astype(int), w, n_classes)]


def decrease(plain, y, left, w=None, *, n_classes=1, unbiased=True):
    y, left = np.array(y, float), np.array(left, bool)
    w = np.ones(len(y)) if w is None else np.array(w, float)
    sums = np.empty((2, 4 if n_classes == 1 else 3 + n_classes))
    sums[LEFT_PART] = sum_up(y[left], w[left], n_classes)
    sums[WHOLE] = sum_up(y, w, n_classes)
    return plain(decrease_out_of_bag)(unbiased, sums)


def test_numbers_by_hand(plain):
    # Means 1 and 4 about 2.5: B = 6 * 1.5^2 = 13.5; W = 2 + 2, by 6 - 2 degrees: 1.
    y, left = [0, 1, 2, 3, 4, 5], [1, 1, 1, 0, 0, 0]
    assert_allclose(decrease(plain, y, left, unbiased=False), 13.5)
    assert_allclose(decrease(plain, y, left), 13.5 - 1.0)


def test_classes_by_hand(plain):
    # 6 gini = 3 before; 2 * (3 - 5 / 3) = 8 / 3 within, by 4 degrees: 2 / 3.
    y, left = [0, 0, 1, 0, 1, 1], [1, 1, 1, 0, 0, 0]
    assert_allclose(decrease(plain, y, left, n_classes=2, unbiased=False), 1 / 3)
    assert_allclose(decrease(plain, y, left, n_classes=2), 1 / 3 - 2 / 3)


def test_a_class_more_that_does_not_occur_changes_nothing(plain):
    y, left = [0, 0, 1, 0, 1, 1], [1, 1, 1, 0, 0, 0]
    two, three = (decrease(plain, y, left, n_classes=k) for k in (2, 3))
    assert_allclose(two, three)


@pytest.mark.parametrize("left", [[0, 0, 0], [1, 1, 1]])
def test_an_empty_side_gains_nothing(plain, left):
    assert decrease(plain, [1, 2, 3], left) == 0.0


def test_one_sample_on_either_side_says_nothing_about_the_impurity_within(plain):
    assert decrease(plain, [1, 2], [1, 0]) == 0.0
    assert decrease(plain, [1, 2], [1, 0], unbiased=False) == 0.5


@pytest.mark.parametrize("n_classes", [1, 3])
def test_the_expectation_of_an_irrelevant_cut_is_0(plain, n_classes):
    # The mean over all permutations of the targets is exactly 0, whatever the weights.
    from itertools import permutations

    y, left, w = [0, 1, 1, 2, 0], [1, 1, 0, 0, 0], [1, 1, 1, 1, 1]
    every = [
        decrease(plain, order, left, w, n_classes=n_classes)
        for order in permutations(y)
    ]
    assert_allclose(np.mean(every), 0.0, atol=1e-12)
    biased = [
        decrease(plain, order, left, w, n_classes=n_classes, unbiased=False)
        for order in permutations(y)
    ]
    assert np.mean(biased) > 0.1


def test_the_expectation_is_0_with_weights(plain, seed):
    # Independent normal targets, fixed weights: 4,000 draws, mean within 5 errors of 0.
    rng = np.random.default_rng(seed)
    w, left = np.array([1.0, 2.0, 0.5, 1.0, 3.0, 1.0]), [1, 1, 1, 0, 0, 0]
    every = [decrease(plain, rng.normal(size=6), left, w) for _ in range(4000)]
    assert abs(np.mean(every)) < 5.0 * np.std(every) / np.sqrt(4000)
