"""The gain of an irrelevant feature: formulas against every arrangement."""

from functools import lru_cache

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.trees.nodes.expected_gain import (
    exact_gain,
    lower_gain,
    midpoint_gain,
    upper_gain,
)


def entropy(share):
    share = np.asarray(share, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        bits = -share * np.log2(share) - (1 - share) * np.log2(1 - share)
    return np.nan_to_num(bits)


def best_gains(labels):
    """Largest information gain of a cut, for each row of labels."""
    n = labels.shape[1]
    below = np.cumsum(labels, axis=1)[:, :-1]
    total, size = labels.sum(axis=1, keepdims=True), np.arange(1, n)
    inside = size * entropy(below / size)
    inside = inside + (n - size) * entropy((total - below) / (n - size))
    return (entropy(total / n) - inside / n).max(axis=1)


@lru_cache(maxsize=1)
def list_labels(n):
    return (np.arange(2**n)[:, np.newaxis] >> np.arange(n)) & 1


def mean_by_enumeration(n, p):
    labels = list_labels(n)
    return best_gains(labels[labels.sum(axis=1) == p]).mean()


@pytest.mark.parametrize("n", range(2, 13))
def test_every_arrangement(n):
    p = np.arange(n + 1)
    expected = [mean_by_enumeration(n, k) if 0 < k < n else 0.0 for k in p]
    assert_allclose(exact_gain(n, p), expected, atol=1e-9)


@pytest.mark.parametrize("n", range(2, 23, 2))
def test_lower_formula_is_exact_for_one_minority_row_and_even_n(n):
    # Acceptance item 2: the n places of the row, one by one.
    by_place = best_gains(np.eye(n)).mean()
    assert_allclose(lower_gain(n), by_place, atol=1e-12)
    assert_allclose(exact_gain(n, 1), by_place, atol=1e-9)


@pytest.mark.parametrize("n", range(3, 22, 2))
def test_odd_formula(n):
    # Acceptance item 2: for odd n, the mean entropy of the children.
    a, b = (n - 1) / 2, (n + 1) / 2
    children = (a * np.log2(a) + b * np.log2(b)) / n**2
    by_place = best_gains(np.eye(n)).mean()
    assert_allclose(entropy(1 / n) - children, by_place, atol=1e-12)
    assert_allclose(exact_gain(n, 1), by_place, atol=1e-9)


@pytest.mark.slow
def test_published_values_and_the_errors_of_the_formulas():
    found = exact_gain([10, 10, 20, 20], [5, 4, 10, 1])
    assert_allclose(found, [0.27097, 0.27190, 0.15241, 0.12030], atol=5e-6)
    n = np.array([50, 100, 200, 400, 1000])
    simulated = [0.0681, 0.0366, 0.0195, 0.0102, 0.00433]
    assert_allclose(exact_gain(n, n // 2), simulated, rtol=0.012)
    few = np.arange(8, 23, 2)  # the "upper bound" is none
    assert np.all(exact_gain(few, few // 2) > upper_gain(few))
    assert np.all(exact_gain(few, few // 2) < 1.025 * upper_gain(few))
    assert upper_gain(1000) > 1.3 * exact_gain(1000, 500)
    assert lower_gain(3) > upper_gain(3)
    assert exact_gain(4, 1) > exact_gain(4, 2)
    assert_allclose(midpoint_gain([10, 100]), [0.2520, 0.0324], atol=5e-5)


def test_simulation_between_the_sizes_that_are_counted(seed):
    # The mean of 4000 draws has an error of about 1 %; five of them are allowed.
    rng = np.random.default_rng(seed)
    for n, p in [(57, 3), (130, 40), (333, 100)]:
        labels = np.zeros((4000, n))
        labels[:, :p] = 1
        gains = best_gains(rng.permuted(labels, axis=1))
        error = gains.std() / np.sqrt(len(gains))
        assert abs(gains.mean() - exact_gain(n, p)) < 5 * error + 0.003 * gains.mean()


def test_shapes_symmetry_and_pure_nodes():
    n, p = np.array([[10, 12], [60, 60]]), np.array([[3, 0], [10, 50]])
    found = exact_gain(n, p)
    assert found.shape == (2, 2)
    assert found[0, 1] == 0.0
    assert found[1, 0] == found[1, 1]
    assert exact_gain(7, 3).shape == ()
    assert_allclose(exact_gain(20, 10), exact_gain([20, 9], [10, 4])[0])
