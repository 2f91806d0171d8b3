"""Compiled searches against single tests in the same order."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.networks.independence.base import IndependenceTest, list_sets
from manyminds.networks.independence.conditional_gaussian import (
    ConditionalGaussianTest,
)
from manyminds.networks.independence.contingency import ContingencyTest
from manyminds.networks.independence.fisher_z import FisherZTest


def make_tests(seed):
    rng = np.random.default_rng(seed)
    cause = rng.integers(3, size=(200, 2))
    codes = (cause @ rng.integers(3, size=(2, 7)) + rng.integers(2, size=(200, 7))) % 3
    numbers = rng.normal(size=(200, 3)) @ rng.normal(size=(3, 7))
    numbers += rng.normal(size=(200, 7))
    mixed, mask = numbers.copy(), np.arange(7) % 2 == 0
    mixed[:, mask] = codes[:, mask]
    return [
        ContingencyTest(codes),
        ContingencyTest(codes, statistic="chi2", min_count=0.0, dof="nominal"),
        ContingencyTest(codes, threshold=0.02, min_count=0.0),
        FisherZTest(numbers),
        ConditionalGaussianTest(mixed, is_categorical=mask),
    ]


@pytest.mark.parametrize("which", range(5))
@pytest.mark.parametrize("required", [False, True])
def test_searches_agree_with_single_tests(seed, which, required):
    test = make_tests(seed)[which]
    pairs = [(0, 1), (1, 2), (5, 6)]
    lists = [([2, 3, 4], [4, 5]), ([0], []), ([4, 0, 1], [0, 1, 2, 3])]
    found = test.search(pairs, lists, 0, 2, required=required)
    n_compiled = test.n_tests
    table, sets, _ = IndependenceTest._search(test, pairs, lists, 0, 2, required)
    assert found.found == sets
    assert n_compiled == test.n_tests - n_compiled
    by_strength = test.rule.threshold >= 0.0
    for k, separator in enumerate(sets):
        if separator is not None or not by_strength:
            assert_allclose(found.table[k], table[k], rtol=1e-7, atol=1e-9)
    if by_strength:  # the weakest is the one with least information
        for k, (x, y) in enumerate(pairs):
            strengths = [
                test.test(x, y, given).strength
                for given in list_sets(*lists[k], 0, 2, required)
            ]
            if sets[k] is None and strengths:
                assert_allclose(found.strength[k], min(strengths), rtol=1e-7)


@pytest.mark.no_jit
def test_a_chain_is_separated_by_its_middle():
    a = np.repeat([0, 1], 100)
    b = np.where(np.arange(200) % 10 == 0, 1 - a, a)
    c = np.where(np.arange(200) % 10 == 5, 1 - b, b)
    test = ContingencyTest(np.column_stack([a, b, c]))
    (separator,) = test.search([(0, 2)], [[1]], 0, 1).found
    assert separator == (1,)
    assert test.n_tests == 2
    assert test.search([(0, 1)], [[2]], 0, 1).found == [None]
    assert test.search([(0, 2)], [[1]], 0, 0).found == [None]
