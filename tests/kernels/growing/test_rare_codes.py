"""Cuts from lists of rare codes are those from all cells."""

import numpy as np
import pytest

from manyminds.kernels.bundles import WEIGHT, Span
from manyminds.kernels.growing.rare_codes import add_rare_codes, cut_by_rare
from manyminds.kernels.growing.search import search_feature
from manyminds.trees.rare_codes import list_rare_codes


@pytest.mark.parametrize("n_classes", [2, 3, 6])
def test_cuts_are_those_of_the_histograms(plain, lay_out, seed, n_classes):
    rng = np.random.default_rng(seed)
    X = rng.uniform(size=(60, 9)) < np.linspace(0.0, 0.2, 9)
    X[:, 4] = ~X[:, 4]  # zero is the rarer value
    X[0], X[1] = False, True
    y = rng.integers(0, n_classes, 60)
    y[:n_classes] = np.arange(n_classes)
    weights = rng.integers(1, 4, 60).astype(float)
    rules, table, span, work = lay_out(X, y, weights=weights)
    rare = list_rare_codes(table, len(y))
    assert (rare.code[[0, 4]] == (1, 0)).all()

    sums = np.full(X.shape[1] * n_classes, np.nan)
    plain(add_rare_codes)(rare, X.shape[1], span, work.samples, sums)
    for feature in range(X.shape[1]):
        code = int(rare.code[feature])
        cut = plain(cut_by_rare)(code, feature, n_classes, sums, work.scratch.sums)
        score, lower, upper, *_ = plain(search_feature)(
            None, rules, table, feature, span, False, work.samples, work.bins,
            work.scratch,
        )  # fmt: skip
        assert cut == (score, lower, upper) == (cut[0], 0, 1)
        of_rare = X[:, feature] == bool(code)
        expected = np.bincount(y[of_rare], weights[of_rare], minlength=n_classes)
        assert (sums.reshape(-1, n_classes)[feature] == expected).all()


def test_only_samples_of_the_node_and_features_of_the_table_count(plain, lay_out):
    X = np.zeros((40, 3))
    X[[0, 5], 0] = X[[5, 9], 1] = X[[0, 5, 9], 2] = 1.0
    y = np.arange(40) % 2
    _, table, _, work = lay_out(X, y)
    rare = list_rare_codes(table, 40)
    sums = np.full(6, np.nan)
    plain(add_rare_codes)(rare, 2, Span(1, 7, 2), work.samples, sums)
    assert sums[:4].tolist() == [0.0, 1.0, 0.0, 1.0]  # row 5, of class 1
    assert np.isnan(sums[4:]).all()


@pytest.mark.parametrize("code", [0, 1])
def test_a_constant_column_has_no_cut(plain, lay_out, code):
    _, _, _, work = lay_out(np.eye(4), [0, 0, 1, 1])
    for sums in ([0.0, 0.0], [2.0, 2.0]):  # no sample, or all
        cut = plain(cut_by_rare)(code, 0, 2, np.array(sums), work.scratch.sums)
        assert cut == (-np.inf, -1, -1)
    assert work.samples.reals[WEIGHT].sum() == 4.0
