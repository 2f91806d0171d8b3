"""The best cut in general: missing values, categories, limits, random cuts."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.kernels.bundles import TRIAL_SET
from manyminds.kernels.growing import general_cuts


def find_cut(plain, lay_out, x, y, **options):
    """Return (score, code, upper, threshold, missing left), and the trial set."""
    rules, table, span, work = lay_out(x, y, **options)
    bins, m, n_codes = work.bins, span.n_classes, table.columns[0, 0] + 1
    codes, y = table.codes[: len(y)].astype(int), np.array(y)
    weights, shares = work.samples.reals[[1, 2]]
    for k in range(m):
        if options.get("criterion") == "squared_error":
            values = (weights, shares)[k]
        else:
            values = weights * (y == k)
        bins.hist[k : n_codes * m : m] = np.bincount(codes, values, n_codes)
    bins.n_hist[:n_codes] = np.bincount(codes, minlength=n_codes)
    touched = np.unique(codes)
    bins.order[: len(touched)] = touched
    found = plain(general_cuts.cut_in_general)(
        rules, table, 0, span, len(touched), bins, work.scratch
    )
    assert not bins.hist.any() and not bins.n_hist.any()  # clean for the next feature
    return found, work.scratch.sets[TRIAL_SET].tolist()


def gini(y):
    share = np.bincount(y) / max(len(y), 1)
    return len(y) * (1 - share @ share)


def test_missing_values_go_left_or_right_or_have_a_side_of_their_own(plain, lay_out):
    nan = np.nan
    x = [0.0, 0.0, nan, nan, 5.0, 5.0]
    found, _ = find_cut(plain, lay_out, x, [0, 0, 0, 0, 1, 1])
    assert found == (pytest.approx(gini([0, 0, 0, 0, 1, 1])), 0, -2, 2.5, 1)
    found, _ = find_cut(plain, lay_out, x, [0, 0, 1, 1, 1, 1])
    assert found[1:] == (0, -2, 2.5, 0)
    found, _ = find_cut(plain, lay_out, x, [0, 0, 1, 1, 0, 0])
    assert found[1:] == (1, -2, np.inf, 0)


def test_best_of_all_cuts(plain, lay_out, seed):
    rng = np.random.default_rng(seed)
    for _ in range(10):
        x, y = rng.integers(0, 6, size=15).astype(float), rng.integers(0, 3, size=15)
        x[rng.random(15) < 0.2] = np.nan
        x[:2], y[:3] = [0, 1], [0, 1, 2]
        sides = [
            np.where(np.isnan(x), left, x <= cut).astype(bool)
            for cut in range(6)
            for left in (0, 1)
        ]
        best = max(
            gini(y) - gini(y[side]) - gini(y[~side])
            for side in sides
            if 0 < side.sum() < 15
        )
        assert find_cut(plain, lay_out, x, y)[0][0] == pytest.approx(best)


def test_a_constant_feature_has_no_cut(plain, lay_out):
    for x in ([4.0] * 3, [np.nan] * 3):
        (score, code, upper, _, _), _ = find_cut(plain, lay_out, x, [0, 1, 1])
        assert (score, code, upper) == (-np.inf, -1, -1)


def test_limits_of_leaves(plain, lay_out):
    x, y = np.arange(6.0), [0, 1, 1, 1, 1, 1]
    assert find_cut(plain, lay_out, x, y)[0][3] == 0.5
    assert find_cut(plain, lay_out, x, y, min_samples_leaf=2)[0][3] == 1.5
    assert find_cut(plain, lay_out, x, y, min_weight_fraction_leaf=0.5)[0][3] == 2.5
    # Three samples on either side are impossible; the feature varies all the same.
    found, _ = find_cut(plain, lay_out, x[:5], y[:5], min_samples_leaf=3)
    assert found[:3] == (-np.inf, -1, -2)


def test_categories_that_go_left_and_those_that_occur(plain, lay_out):
    x, y = [0, 1, 2, 5, 0, 5], [0, 1, 0, 1, 0, 1]
    (score, *_), (left, occur) = find_cut(plain, lay_out, x, y, categorical=[0])
    assert score == pytest.approx(gini(y))
    assert (left, occur) == (0b000101, 0b100111)
    # By mean response: 1 and 5 have the larger targets.
    found, (left, _) = find_cut(
        plain,
        lay_out,
        x,
        [1, 7, 1, 7, 1, 7],
        categorical=[0],
        criterion="squared_error",
    )
    assert found[0] == pytest.approx(6 * 9) and left == 0b000101


def test_random_cuts_lie_between_the_extremes(plain, lay_out, seed):
    x, y = np.array([0.0, 1.0, 7.0, 9.0]), [0, 1, 0, 1]
    rules, table, span, work = lay_out(x, y, splitter="random")
    work.scratch.state[0] = 1 + seed % 2**31
    work.bins.order[:4] = np.arange(4)
    cut_in_general = plain(general_cuts.cut_in_general)
    thresholds = []
    for _ in range(200):
        work.bins.hist[:8] = [1, 0, 0, 1, 1, 0, 0, 1]
        _, code, _, threshold, _ = cut_in_general(
            rules, table, 0, span, 4, work.bins, work.scratch
        )
        assert (x <= threshold).sum() == code + 1
        thresholds.append(threshold)
    assert 0.0 <= min(thresholds) and max(thresholds) < 9.0
    # Uniform: two thirds lie between 1 and 7, of 200 with a standard deviation of 6.7.
    inside = sum(1.0 <= threshold < 7.0 for threshold in thresholds)
    assert abs(inside - 133) < 40


def test_random_cuts_are_never_inside_a_bin(plain, lay_out, seed):
    x = np.arange(12.0)
    rules, table, span, work = lay_out(x, x % 2, splitter="random", max_bins=3)
    low, high = table.edges
    assert (low < high).all()
    work.scratch.state[0] = 1 + seed % 2**31
    for _ in range(50):
        work.bins.order[:3], work.bins.hist[:6] = np.arange(3), 2.0
        _, code, _, threshold, _ = plain(general_cuts.cut_in_general)(
            rules, table, 0, span, 3, work.bins, work.scratch
        )
        assert high[code] <= threshold < low[code + 1]


def test_one_of_the_best_cuts_by_separability(plain, lay_out):
    # Class 0 on both ends and class 1 between them: cutting off either end separates
    # 1 * 2 pairs. Cuts at 0.5 and 8 are equal, the one between is worse: one is drawn.
    found, _ = find_cut(plain, lay_out, [0, 1, 2, 14], [0, 1, 1, 0], criterion="ssv")
    assert found[3] in (0.5, 8.0)
    assert found[0] == 2 * 2 - 1
    found, _ = find_cut(plain, lay_out, [0, 1, 2, 10], [0, 0, 0, 1], criterion="ssv")
    assert (found[0], found[3]) == (2 * 3, 6.0)


def test_squared_error_is_that_of_the_formula(plain, lay_out):
    y = np.array([1.0, 2.0, 4.0, 9.0])
    found, _ = find_cut(plain, lay_out, np.arange(4.0), y, criterion="squared_error")
    decreases = [
        np.var(y) * 4 - np.var(y[:i]) * i - np.var(y[i:]) * (4 - i) for i in (1, 2, 3)
    ]
    assert found[0] == pytest.approx(max(decreases))
    assert_array_equal(found[1], np.argmax(decreases))
