"""The best cut of a feature on the plain path, against all cuts and worked by hand."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.kernels.bundles import TOTAL
from manyminds.kernels.growing import cuts, histograms
from manyminds.kernels.growing.histograms import END_OF_CHAIN

PLAIN_PATH = ["squared_error", "gini of two", "gini", "entropy"]


def find_cut(plain, lay_out, x, y, weights=None, *, kind="gini", chained=False):
    """Call the function for one kind of target; return the score and the codes."""
    criterion = kind.removesuffix(" of two")
    _, table, span, work = lay_out(x, y, criterion=criterion, weights=weights)
    rows, reals, classes = work.samples
    chains, heads, mask, hist, _, order = work.bins
    sums, m, pair = work.scratch.sums, span.n_classes, kind in PLAIN_PATH[:2]
    place = table.codes, np.uint64(0), np.uint64(1), 0, len(y)
    codes = np.unique(table.codes[: len(y)])
    n_bins = table.columns[0, 0]
    if chained:
        plain(histograms.chain_rows)(*place, False, rows, chains, heads, mask)
        order[: len(codes)] = codes
        n_bins = len(codes)
    elif pair:
        plain(histograms.fill_pair)(*place, rows, reals, hist)
    else:
        plain(histograms.fill_classes)(*place, rows, reals, classes, m, hist)
    if pair:
        share = sums[TOTAL, 1]
        weight = sums[TOTAL, 0] + (share if kind == "gini of two" else 0.0)
        score, *found = plain(cuts.cut_pair)(
            chained, n_bins, weight, share, order, reals, chains, heads, hist
        )
        score *= 2.0 if kind == "gini of two" else 1.0
    else:
        cut = cuts.cut_by_entropy if kind == "entropy" else cuts.cut_classes
        score, *found = plain(cut)(
            chained, n_bins, m, order, reals, classes, chains, heads, hist, sums
        )
    assert not hist.any() and (heads == END_OF_CHAIN).all()  # clean for the next one
    return score, found


def impurity(kind, y, w):
    """Weight times impurity, straight from the formula."""
    if kind == "squared_error":
        return w @ (y - np.average(y, weights=w)) ** 2
    share = np.bincount(y.astype(int), w) / w.sum()
    if kind == "entropy":
        return -w.sum() * sum(p * np.log2(p) for p in share if p > 0)
    return w.sum() * (1 - share @ share)


@pytest.mark.parametrize("chained", [False, True])
@pytest.mark.parametrize("kind", PLAIN_PATH)
def test_best_of_all_cuts(plain, lay_out, kind, chained, seed):
    rng = np.random.default_rng(seed)
    for n_values in (2, 4, 12):
        x = rng.integers(0, n_values, size=20)
        x[:2] = 0, n_values - 1
        y = rng.integers(0, 2 if kind == "gini of two" else 3, size=20).astype(float)
        y[:3] = [0, 1, y.max()]
        w = rng.integers(1, 5, size=20) / 2
        values = np.unique(x)
        decreases = [
            impurity(kind, y, w)
            - impurity(kind, y[x <= cut], w[x <= cut])
            - impurity(kind, y[x > cut], w[x > cut])
            for cut in values[:-1]
        ]
        score, (lower, upper) = find_cut(
            plain, lay_out, x, y, w, kind=kind, chained=chained
        )
        assert score == pytest.approx(max(decreases), abs=1e-9)
        assert decreases[lower] == pytest.approx(max(decreases), abs=1e-9)
        assert upper == lower + 1


@pytest.mark.parametrize("kind", PLAIN_PATH)
def test_first_of_equal_cuts(plain, lay_out, kind):
    # Cuts after the first and before the last value are mirror images.
    third = [2, 2] if kind in ("gini", "entropy") else [0, 0]
    y = np.array([0, 1, 1, 0, *third])
    x = np.array([0, 1, 2, 3, 1, 2])
    _, (lower, upper) = find_cut(plain, lay_out, x, y, kind=kind)
    assert (lower, upper) == (0, 1)


@pytest.mark.parametrize("chained", [False, True])
@pytest.mark.parametrize("kind", PLAIN_PATH)
def test_a_constant_feature_has_no_cut(plain, lay_out, kind, chained):
    y = [0, 1, 1] if kind == "gini of two" else [0, 1, 2]
    score, found = find_cut(plain, lay_out, [5, 5, 5], y, kind=kind, chained=chained)
    assert score == -np.inf
    assert_array_equal(found, [-1, -1])


def test_worked_example(plain, lay_out):
    # Of 0, 0, 6, 6 the squares about the mean 3 add up to 36, and the cut takes all.
    score, found = find_cut(plain, lay_out, [1, 2, 3, 4], [0, 0, 6, 6],
                            kind="squared_error")  # fmt: skip
    assert (score, found) == (36.0, [1, 2])
    # Entropy: 4 bits; weighted 3 to 1, 4 * 0.811.
    y = [0, 0, 1, 1]
    assert find_cut(plain, lay_out, [1, 2, 3, 4], y, kind="entropy") == (4.0, [1, 2])
    score, _ = find_cut(plain, lay_out, [1, 2], [0, 1], [3.0, 1.0], kind="entropy")
    assert score == pytest.approx(8 - 3 * np.log2(3))
