"""Searching leaves: features drawn evenly, limits and groups obeyed."""

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from plain_boosting import compute_gain, find_best_gain, make_booster

from manyminds.kernels.boosting.bundles import (
    DEPTH,
    END,
    LOWER,
    START,
    TOTAL,
    UPPER,
    Candidates,
    Packing,
)
from manyminds.kernels.boosting.searching import (
    draw_mask,
    draw_tree_features,
    may_interact,
    may_split,
    note_split,
    set_limits,
)


class Growth:
    tree_features = 3
    min_samples_leaf = 6
    min_hessian = 8.0
    max_depth = 4
    l2 = 3.0
    bounded = True


class Leaves:
    """One leaf of ten rows, with a gradient of 7 and a hessian of 40 units."""

    ints = np.zeros((1, 1, 10), np.int64)
    reals = np.zeros((1, 1, 3))
    ints[0, 0, START], ints[0, 0, END], ints[0, 0, DEPTH] = 5, 15, 3
    ints[0, 0, TOTAL] = (7 << 30) + (40 << 12) + 10
    reals[0, 0, LOWER], reals[0, 0, UPPER] = -2.0, 6.0


def make_packing(hessians_count):
    return Packing(30, 12, (1 << 18) - 1, (1 << 12) - 1, hessians_count, 0.5, 2.0)


def test_drawn_features_are_even_over_subsets(compiled, seed):
    # 10 subsets of 2 of 5 features, 400 draws each on average: chi-squared with 9
    # degrees of freedom is above 50 once in 10^7 times.
    draw = compiled(draw_mask)
    features = np.zeros((1, 3, 8), np.int64)
    features[0, 0, :5] = [1, 2, 4, 6, 7]  # those of the tree
    counts = dict.fromkeys(combinations([1, 2, 4, 6, 7], 2), 0)
    for s in range(4000):
        draw(10**6 * seed + s, 2, 5, features, 0, 1)
        counts[tuple(np.flatnonzero(features[0, 2]))] += 1
    assert len(counts) == 10
    assert ((np.array(list(counts.values())) - 400.0) ** 2 / 400.0).sum() < 50


def test_features_of_a_tree_are_listed(plain, seed):
    class Growth:
        tree_features = 3

    features = np.zeros((1, 3, 6), np.int64)
    plain(draw_tree_features)(seed, Growth, features, 0)
    listed = features[0, 0, :3]
    assert len(set(listed)) == 3 and (np.diff(listed) > 0).all()
    for place in (1, 2):
        assert_array_equal(np.flatnonzero(features[0, place]), listed)


@pytest.mark.parametrize(("hessians_count", "least"), [(False, 6), (True, 48)])
def test_limits_are_in_packed_units(hessians_count, least, plain):
    # Where hessians stand for counts: twice 6 rows of 4 units each.
    limits = plain(set_limits)(make_packing(hessians_count), Growth, Leaves, 0, 0, 2.0)
    assert limits == (least, 4.0, 1.5, -8.0, 24.0, True)


def test_limits_without_a_least_hessian_leave_half_a_unit(plain):
    class Free(Growth):
        min_hessian = 0.0

    assert plain(set_limits)(make_packing(False), Free, Leaves, 0, 0, 1.0)[1] == 0.5


@pytest.mark.parametrize(
    ("min_samples_leaf", "max_depth", "expected"),
    [(5, 4, True), (6, 4, False), (5, 3, False), (1, 99, True)],
)
def test_leaves_need_rows_and_depth_to_split(
    min_samples_leaf, max_depth, expected, plain
):
    growth = type("Growth", (), locals())
    assert plain(may_split)(growth, Leaves, 0, 0) == expected


def test_columns_interact_within_a_group(plain):
    class Table:
        groups = np.array([[1, 0], [0, 2], [3, 2], [4, 0]], np.uint64)

    class Above:
        groups = np.array([[[2, 2], [4, 1]]], np.uint64)

    check = plain(may_interact)
    assert [check(Table, Above, 0, 0, j) for j in range(4)] == [
        False,
        True,
        True,
        False,
    ]
    assert [check(Table, Above, 0, 1, j) for j in range(4)] == [False] * 3 + [True]
    Table.groups, Above.groups = np.zeros((4, 0), np.uint64), np.zeros((1, 2, 0), "u8")
    assert check(Table, Above, 0, 0, 3)  # without groups all may


def test_noted_split_is_what_was_found(plain):
    candidates = Candidates(
        np.zeros((2, 4, 8)), np.zeros((2, 4, 8), np.int64), np.zeros((2, 4, 4), "u8")
    )
    plain(note_split)(candidates, 1, 2, 7.5, 3, 40, 1, 99)
    assert candidates.reals[1, 2, 0] == 7.5
    assert_array_equal(candidates.ints[1, 2, :4], [3, 40, 1, 99])
    assert not candidates.ints[0].any() and not candidates.ints[1, [0, 1, 3]].any()


@pytest.mark.parametrize("min_samples_leaf", [1, 30])
@pytest.mark.parametrize("l2", [0.0, 20.0])
def test_first_split_is_the_best_of_all_columns(min_samples_leaf, l2, seed):
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(120, 35)), 1)  # three blocks of columns
    X[rng.random(120) < 0.3, 34] = np.nan
    y = rng.normal(size=120) + np.where(np.isnan(X[:, 34]), 0.5, 0.0)
    booster = make_booster(
        X, y, "squared_error", max_leaf_nodes=2, min_samples_leaf=min_samples_leaf,
        l2_regularization=l2,
    )  # fmt: skip
    booster.run(1)
    tree = booster.get_trees()
    left = tree.apply(X)[:, 0] == 1
    best = find_best_gain(X, -y, np.ones(120), min_samples_leaf=min_samples_leaf, l2=l2)
    assert_allclose(compute_gain(left, -y, np.ones(120), l2), best, rtol=1e-9)
    assert_allclose(tree.impurity[0] * 120, best, rtol=1e-6)
