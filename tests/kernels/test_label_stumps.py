"""Stumps over many labels against a search over all cuts."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.kernels.label_stumps import add_label_stumps, find_label_stump
from manyminds.trees.binning import bin_table


def find(X, signed):
    table = bin_table(X)
    codes = table.codes.reshape(X.shape[1], len(X))
    sides = np.empty((2, signed.shape[1]))
    hist = np.empty((256, signed.shape[1]))
    return *find_label_stump(codes, table.columns, signed, hist, sides), sides


@pytest.mark.no_jit
def test_the_cut_is_the_best_of_all(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, size=(20, 3)).astype(float)
    signed = rng.normal(size=(20, 4))
    best = np.abs(signed.sum(axis=0)).sum()
    for x in X.T:
        for cut in np.unique(x)[:-1]:
            sums = [signed[side].sum(axis=0) for side in (x <= cut, x > cut)]
            best = max(best, np.abs(sums).sum())
    score, *_, sides = find(X, signed)
    assert_allclose(score, best)
    assert_allclose(np.abs(sides).sum(), best)


def test_a_constant_table_has_one_side():
    score, _, _, above, sides = find(np.zeros((3, 2)), np.ones((3, 1)))
    assert (score, above) == (3.0, -1)
    assert_array_equal(sides, [[3.0], [0.0]])


@pytest.mark.no_jit
def test_votes_are_added_by_side():
    margins = np.ones((2, 1))
    votes = np.array([[[2.0], [3.0]], [[10.0], [20.0]]])
    columns = np.array([[0.0, 1.0], [5.0, 5.0]])
    add_label_stumps(columns, np.array([0.5, 5.0]), votes, margins)
    assert_array_equal(margins, [[13.0], [14.0]])
