"""Node complexity: worked values, brute force over arrangements, symmetry."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.trees.nodes.node_complexity import (
    node_complexity,
    number_complexity,
)


def entropy_up_to_reflection(counts):
    """Entropy of the arrangement of labels if it and its mirror image are the same."""
    labels = [c for c, n in enumerate(counts) for _ in range(n)]
    arrangements = set(permutations(labels))
    pairs = Counter(min(a, a[::-1]) for a in arrangements)
    shares = np.array(list(pairs.values())) / len(arrangements)
    return -np.sum(shares * np.log2(shares))


def entropy_of_two_classes(n, p):
    """The same for two classes, by numbers of bits set: n up to 12 at no cost."""
    codes = np.arange(2**n)
    bits = (codes[:, np.newaxis] >> np.arange(n)) & 1
    bits = bits[bits.sum(axis=1) == p]
    powers = 2 ** np.arange(n)
    name = np.minimum(bits @ powers, bits[:, ::-1] @ powers)
    _, count = np.unique(name, return_counts=True)
    shares = count / len(bits)
    return -np.sum(shares * np.log2(shares))


def test_worked_values():
    # Acceptance item 1, and the values that the thesis prints.
    counts = [[1, 1], [2, 1], [2, 2], [0, 5], [7, 0]]
    expected = [0.0, 0.9183, np.log2(6) - (1 - 2 / 6), 0.0, 0.0]
    assert_allclose(node_complexity(counts), expected, atol=5e-5)


@pytest.mark.parametrize("n", range(1, 13))
def test_brute_force_of_two_classes(n):
    # Acceptance item 1: all n up to 12, all p.
    p = np.arange(n + 1)
    expected = [entropy_of_two_classes(n, k) for k in p]
    found = node_complexity(np.stack([p, n - p], axis=1))
    assert_allclose(found, expected, atol=1e-12)
    assert_allclose(found, found[::-1], atol=1e-12)  # as many of one as of the other


@pytest.mark.parametrize(
    "counts", [(1, 1, 1), (2, 1, 1), (2, 2, 2), (3, 2, 2), (0, 3, 2), (1, 2, 2, 2)]
)
def test_brute_force_of_several_classes(counts):
    assert_allclose(node_complexity(counts), entropy_up_to_reflection(counts))


def test_numbers_are_classes_of_one_row_each():
    for n in range(1, 7):
        expected = node_complexity(np.ones(n))
        assert_allclose(number_complexity(n), expected, atol=1e-12)
    assert number_complexity(1) == number_complexity(2) == 0.0


def test_rounding_and_fractions():
    # Counts come from shares and weights; what rounding has lost must not matter.
    exact = node_complexity([4, 4])
    assert_allclose(node_complexity([4 - 1e-9, 4 + 1e-9]), exact, rtol=1e-12)
    between = node_complexity([4.5, 4.5])
    assert exact < between < node_complexity([5, 5])
    assert 0.0 <= node_complexity([0.3, 0.2]) < 0.1


def test_large_counts_do_not_overflow():
    found = node_complexity([50_000, 50_000])
    assert 99_000 < found < 100_000
