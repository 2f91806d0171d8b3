"""Permutations within strata: fixed margins, and all permutations equally often."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.kernels.stratum_permutations import permute_columns
from manyminds.networks.independence.contingency import ContingencyTest


def count(codes, strata, n_permutations, seed):
    test = ContingencyTest(codes.T, min_count=0.0)
    out = np.empty((1, 2))
    permute_columns(
        test.evidence, np.array([0]), 1, strata.astype(np.int32),
        int(strata.max()) + 1, np.array([2 * seed + 1]), n_permutations, out,
    )  # fmt: skip
    return out[0]


@pytest.mark.no_jit
def test_codes_never_leave_their_stratum():
    # x is constant in each stratum: every permutation is the same.
    strata = np.repeat([0, 1], 6)
    codes = np.array([strata, np.tile([0, 1], 6), strata])
    statistic, n_reached = count(codes, strata, 5, 1)
    assert_allclose(statistic, 0.0, atol=1e-12)
    assert n_reached == 5


def test_all_permutations_are_equally_likely(seed):
    # Four rows, two ones each: of the 6 arrangements two reach the largest statistic.
    codes = np.array([[0, 0, 1, 1], [0, 0, 1, 1]])
    _, n_reached = count(codes, np.zeros(4, int), 30_000, seed + 1)
    assert abs(n_reached - 10_000) < 5 * np.sqrt(30_000 * 2 / 9)
