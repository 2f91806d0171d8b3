"""The search of a node: limits of scores, features drawn, the best of them."""

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.kernels.bundles import FEATURES, SHARE, TOTAL, Span
from manyminds.kernels.draws import draw
from manyminds.kernels.growing import search
from manyminds.trees.growing import make_odds


def search_node(plain, node, *, odds=None, limit=np.inf, general=None, seed=12345):
    rules, table, span, work = node
    work.scratch.state[0] = seed
    odds = make_odds(odds, len(table.columns))
    found = plain(search.search_node)(
        general, rules, table, span, limit, odds, 0, None, None, work.samples,
        work.bins, work.scratch,
    )  # fmt: skip
    assert_array_equal(work.scratch.draws[FEATURES, :-1], np.arange(len(table.columns)))
    return found


def prepare(plain, node, node_impurity=0.0):
    rules, _, span, work = node
    return plain(search.prepare_search)(
        rules, span, node_impurity, work.samples, work.classes.index, work.scratch.sums
    )


def test_limits_of_two_classes(plain, lay_out):
    y = [0, 0, 0, 1]
    assert prepare(plain, lay_out(np.arange(4), y)) == pytest.approx(4 * (1 - 10 / 16))
    node = lay_out(np.arange(4), y, criterion="ssv")
    assert prepare(plain, node) == 2 * 3 * 1
    assert prepare(plain, lay_out(np.arange(3), [0, 1, 2])) == np.inf


def test_limit_of_few_samples_is_the_best_of_all_partitions(plain, lay_out, seed):
    rng = np.random.default_rng(seed)
    y, w = rng.normal(size=6), rng.integers(1, 4, size=6).astype(float)

    def squares(rows):
        return w[rows] @ (y[rows] - np.average(y[rows], weights=w[rows])) ** 2

    every = list(range(6))
    best = max(
        squares(every)
        - squares(list(some))
        - squares([i for i in every if i not in some])
        for size in range(1, 6)
        for some in combinations(every, size)
    )
    node = lay_out(np.arange(6), y, weights=w, criterion="squared_error")
    assert prepare(plain, node) == pytest.approx(best)


def test_limit_of_more_samples_is_their_impurity(plain, lay_out):
    node = lay_out(np.arange(7), np.arange(7.0), criterion="squared_error")
    assert prepare(plain, node, node_impurity=4.0) == 28.0


def test_classes_are_those_of_the_node(plain, lay_out):
    # The node has classes 1 and 2 only: they are its first and second.
    node = lay_out(np.arange(3), [2, 1, 2], weights=[5.0, 6.0, 7.0])
    rules, table, _, work = node
    work.classes.index[:3] = [9, 0, 1]
    work.scratch.sums[TOTAL, :2] = [6.0, 12.0]
    prepare(plain, (rules, table, Span(0, 3, 2), work))
    assert_array_equal(work.samples.classes, [1, 0, 1])
    assert_array_equal(work.samples.reals[SHARE], [5.0, 0.0, 7.0])


@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error"])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("end", [5, 20])  # fewer samples than bins: they are chained
def test_general_path_agrees_with_the_plain_one(
    plain, lay_out, criterion, n_classes, end, seed
):
    rng = np.random.default_rng(seed)
    X, y = rng.permutation(np.repeat(np.arange(10), 2)), rng.integers(0, n_classes, 20)
    y[:3] = [0, 1, n_classes - 1]
    found = []
    for options in ({}, {"min_weight_fraction_leaf": 1e-9}):
        rules, table, span, work = lay_out(X, y, criterion=criterion, **options)
        sums, some = work.scratch.sums, slice(0, end)
        if criterion == "squared_error":
            sums[TOTAL, :2] = end, y[some].sum()
        else:
            sums[TOTAL, :n_classes] = np.bincount(y[some], minlength=n_classes)
        score, code, upper, threshold, _ = plain(search.search_feature)(
            True, rules, table, 0, Span(0, end, span.n_classes), False, work.samples,
            work.bins, work.scratch,
        )  # fmt: skip
        found.append((score, code))
        if upper == -2:
            seen = np.unique(X[some])
            assert threshold == seen[seen > code].min() / 2 + code / 2
    assert found[0] == pytest.approx(found[1])


def test_best_feature_and_its_threshold(plain, lay_out):
    X = [[0, 5, 1], [1, 5, 1], [0, 5, 2], [1, 5, 4]]
    node = lay_out(X, [0, 0, 1, 1])
    score, feature, code, threshold, _ = search_node(plain, node)
    assert (score, feature, code, threshold) == (pytest.approx(2.0), 2, 0, 1.5)


def test_features_are_drawn_by_their_odds(plain, lay_out):
    X = [[0, 0, 0], [0, 0, 1], [1, 1, 1], [1, 1, 1]]
    node = lay_out(X, [0, 0, 1, 1], max_features=1)
    drawn = {search_node(plain, node, seed=s)[1] for s in range(1, 400, 7)}
    assert drawn == {0, 1, 2}
    odds = [0.0, 0.0, 1.0]
    drawn = {search_node(plain, node, odds=odds, seed=s)[1] for s in range(1, 99, 7)}
    assert drawn == {2}


def test_constant_features_are_drawn_again_if_wanted(plain, lay_out):
    X = np.c_[np.zeros((4, 5)), [0, 0, 1, 1]]
    for redraw, expected in ((True, {5}), (False, {-1, 5})):
        node = lay_out(X, [0, 0, 1, 1], max_features=1, redraw_constant=redraw)
        assert {
            search_node(plain, node, seed=s)[1] for s in range(1, 700, 7)
        } == expected


def test_a_feature_that_reaches_the_limit_ends_the_search(plain, lay_out):
    X = [[0, 0], [0, 1], [1, 2], [1, 3]]  # both separate the classes
    node = lay_out(X, [0, 0, 1, 1])
    seeds = range(1, 200, 7)
    first = {search_node(plain, node, limit=2.0, seed=s)[1] for s in seeds}
    assert first == {0, 1}
    # A single draw has moved the generator; without a limit, two.
    for limit, n_draws in ((2.0, 1), (np.inf, 2)):
        state = np.array([12345])
        for _ in range(n_draws):
            plain(draw)(state)
        search_node(plain, node, limit=limit)
        assert node[3].scratch.state[0] == state[0]
