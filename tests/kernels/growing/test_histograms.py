"""Histograms and chains of a feature's samples equal plain counts."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.kernels.bundles import ROW, SHARE, WEIGHT
from manyminds.kernels.growing import histograms
from manyminds.kernels.growing.histograms import END_OF_CHAIN
from manyminds.trees.binning import bin_table


def draw_node(lay_out, seed):
    """Draw a node of some rows of a table, in any order."""
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 9, size=(30, 2)), rng.integers(0, 3, size=30)
    y[:3] = [0, 1, 2]
    _, table, _, work = lay_out(X, y, weights=rng.integers(1, 5, size=30).astype(float))
    order = rng.permutation(30)
    for rows in (work.samples.rows[ROW], work.samples.classes):
        rows[:] = rows[order]
    work.samples.reals[:] = work.samples.reals[:, order]
    return table, work


def test_rows_are_read_where_they_take_fewer_cache_lines(plain):
    reads_by_row = plain(histograms.reads_by_row)
    codes = np.empty(2 * 1000 * 100, np.uint8)
    assert reads_by_row(codes, 1000, 100, 10, 100)  # few rows, all features
    assert not reads_by_row(codes, 1000, 100, 1000, 1)  # all rows, one feature
    assert not reads_by_row(codes[: 1000 * 100], 1000, 100, 10, 100)  # there is no copy


def test_codes_are_found_in_columns_and_in_rows(plain):
    X = np.random.default_rng(0).integers(0, 9, size=(6, 3)).astype(float)
    codes = bin_table(X, row_copy=True).codes
    for feature in range(3):
        found = []
        for by_row in (False, True):
            at, step = plain(histograms.locate)(by_row, feature, 6, 3)
            found.append([codes[int(at) + int(step) * row] for row in range(6)])
        assert_array_equal(found[0], found[1])
        assert_array_equal(np.argsort(found[0], kind="stable"),
                           np.argsort(X[:, feature], kind="stable"))  # fmt: skip


@pytest.mark.parametrize("start, end", [(0, 30), (4, 19), (7, 7)])
def test_histograms_are_sums_over_the_samples_of_the_node(
    plain, lay_out, seed, start, end
):
    table, work = draw_node(lay_out, seed)
    rows, reals, classes = work.samples
    at, step = plain(histograms.locate)(False, 1, 30, 2)
    place = table.codes, at, step, start, end
    code = table.codes[30 + rows[ROW, start:end].astype(int)].astype(int)
    hist = np.zeros(2 * 9)
    plain(histograms.fill_pair)(*place, rows, reals, hist)
    for i, name in enumerate((WEIGHT, SHARE)):
        expected = np.bincount(code, reals[name, start:end], 9)
        assert_allclose(hist[i::2], expected)
    hist = np.zeros(3 * 9)
    plain(histograms.fill_classes)(*place, rows, reals, classes, 3, hist)
    for k in range(3):
        weight = reals[WEIGHT, start:end] * (classes[start:end] == k)
        assert_allclose(hist[k::3], np.bincount(code, weight, 9))
    order = np.zeros(10, np.uint32)
    n_filled = plain(histograms.list_filled)(9, 3, hist, order)
    assert_array_equal(order[:n_filled], np.unique(code))


@pytest.mark.parametrize("deep", [False, True])
def test_chains_hold_the_samples_of_each_bin(plain, lay_out, seed, deep):
    table, work = draw_node(lay_out, seed)
    rows, bins = work.samples.rows, work.bins
    at, step = plain(histograms.locate)(False, 0, 30, 2)
    plain(histograms.chain_rows)(
        table.codes, at, step, 5, 17, deep, rows, bins.chains, bins.heads, bins.mask
    )
    code = table.codes[rows[ROW, 5:17].astype(int)]
    for b in range(9):
        chained, i = [], bins.heads[b]
        while i != END_OF_CHAIN:
            chained.append(i)
            i = bins.chains[i]
        assert_array_equal(sorted(chained), 5 + np.flatnonzero(code == b))
        assert bool(int(bins.mask[0, 0]) >> b & 1) == (b in code)
    assert bins.mask[1, 0] == deep


@pytest.mark.parametrize("numeric", [False, True])
def test_histograms_from_chains_are_those_of_all_samples(plain, lay_out, seed, numeric):
    table, work = draw_node(lay_out, seed)
    rows, reals, classes = work.samples
    bins, m = work.bins, 2 if numeric else 3
    at, step = plain(histograms.locate)(False, 0, 30, 2)
    place, expected = (table.codes, at, step, 5, 17), np.zeros_like(bins.hist)
    if numeric:
        plain(histograms.fill_pair)(*place, rows, reals, expected)
    else:
        plain(histograms.fill_classes)(*place, rows, reals, classes, m, expected)
    plain(histograms.chain_rows)(
        *place, False, rows, bins.chains, bins.heads, bins.mask
    )
    touched = np.unique(table.codes[rows[ROW, 5:17].astype(int)])
    bins.order[: len(touched)] = touched
    plain(histograms.fill_from_chains)(numeric, m, len(touched), work.samples, bins)
    assert_allclose(bins.hist, expected)
    assert (bins.heads == END_OF_CHAIN).all()  # clean for the next feature
