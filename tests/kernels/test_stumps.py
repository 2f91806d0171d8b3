"""The stump kernels agree with plain NumPy and with a search by brute force."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.kernels.stumps import add_stumps, find_stump, mark_cuts, project


def sort(values):
    """Sort columns as the kernels want them."""
    order = np.argsort(values, axis=1).astype(np.uint32)
    may_cut = np.empty(order.shape, dtype=bool)
    mark_cuts(values, order, may_cut)
    return order, may_cut


def search_all(values, pull):
    """Try every threshold: the largest absolute pull apart of the two sides."""
    best = abs(pull.sum())
    for column in values:
        for threshold in np.unique(column)[:-1]:
            best = max(best, abs(pull @ np.where(column > threshold, 1.0, -1.0)))
    return best


@pytest.mark.no_jit
def test_worked_example():
    # Column 0 parts the rows as 1 2 | 3 3: pulls -1 -2 against 2 2. Column 1 can part
    # them as 5 | 7 7 7 only: 2 against -1.
    values = np.array([[1.0, 3.0, 2.0, 3.0], [7.0, 7.0, 7.0, 5.0]])
    order, may_cut = sort(values)
    assert_array_equal(may_cut[0], [True, True, False, False])
    assert_array_equal(may_cut[1], [True, False, False, False])
    pull = np.array([-1.0, 2.0, -2.0, 2.0])
    assert find_stump(order, may_cut, pull) == (0, 2, 7.0)


@pytest.mark.no_jit
def test_first_column_and_lowest_cut_win_among_equals():
    values = np.array([[0.0, 1.0, 2.0, 3.0]] * 2)
    order, may_cut = sort(values)
    # Cuts after one row and after three part the pulls equally well.
    assert find_stump(order, may_cut, np.array([1.0, 0.0, 0.0, -1.0]))[:2] == (0, 1)


@pytest.mark.no_jit
def test_without_a_cut_all_rows_are_above_and_without_a_pull_there_is_no_stump():
    order, may_cut = sort(np.array([[1.0, 1.0, 1.0]]))
    assert find_stump(order, may_cut, np.array([1.0, 2.0, 3.0])) == (0, 0, 6.0)
    order, may_cut = sort(np.array([[1.0, 2.0, 3.0]]))
    assert find_stump(order, may_cut, np.zeros(3)) == (-1, 0, 0.0)


@pytest.mark.parametrize("n_values", [3, 20, 10**6])
def test_search_is_as_good_as_brute_force(n_values, seed):
    # Item 3 of the acceptance list: |s| equal to 1e-9.
    rng = np.random.default_rng(seed)
    for _ in range(20):
        values = rng.integers(n_values, size=(4, 50)).astype(float)
        pull = rng.normal(size=50)
        column, n_below, s = find_stump(*sort(values), pull)
        assert_allclose(abs(s), search_all(values, pull), rtol=1e-9)
        rank = np.argsort(values[column])
        assert_allclose(s, pull[rank[n_below:]].sum() - pull[rank[:n_below]].sum())


@pytest.mark.no_jit
@pytest.mark.parametrize("n_features", [1, 4, 7])
def test_projection_is_a_product(n_features, seed):
    rng = np.random.default_rng(seed)
    columns = rng.normal(size=(n_features, 150))  # more rows than one chunk has
    directions = rng.normal(size=(3, n_features))
    directions[0, :-1] = 0.0
    out = np.empty((3, 150))
    project(columns, directions, out)
    assert_allclose(out, directions @ columns, rtol=1e-12, atol=1e-12)


def test_equal_rows_have_equal_projections(seed):
    # A cut may lie between any two values that differ: the same row must not come out
    # a little different at another place, or when a stump is asked about it again.
    rng = np.random.default_rng(seed)
    row, directions = rng.normal(size=(9, 1)), rng.normal(size=(5, 9))
    columns = np.repeat(row, 1000, axis=1)
    out = np.empty((5, 1000))
    project(columns, directions, out)
    assert np.ptp(out, axis=1).max() == 0.0
    alone = np.empty((5, 1))
    project(row, directions, alone)
    assert_array_equal(out[:, :1], alone)


@pytest.mark.no_jit
def test_stumps_are_added_up(seed):
    rng = np.random.default_rng(seed)
    columns, directions = rng.normal(size=(3, 140)), rng.normal(size=(6, 3))
    thresholds, weights = rng.normal(size=6), rng.normal(size=6)
    total = np.full(140, 0.5)
    add_stumps(columns, directions, thresholds, weights, total)
    is_above = directions @ columns > thresholds[:, None]
    assert_allclose(total, 0.5 + weights @ np.where(is_above, 1.0, -1.0), atol=1e-12)


@pytest.mark.no_jit
def test_a_row_on_the_threshold_is_not_above():
    total = np.zeros(2)
    columns = np.array([[1.0, 1.5]])
    add_stumps(columns, np.ones((1, 1)), np.ones(1), np.ones(1), total)
    assert_array_equal(total, [-1.0, 1.0])
