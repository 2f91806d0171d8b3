"""Random hyperplanes: the nearest anchor by a naive rule, and what must not matter."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.ensemble.bagging.hyperplanes import Hyperplanes, draw_hyperplanes

NUMBERS = np.zeros(5, dtype=bool)
MIXED = np.array([False, False, False, True, True])


def draw(X, is_categorical, seed, n_planes=10, **how):
    state = np.random.RandomState(seed % 2**32)
    weights = how.pop("weights", np.ones((1, len(X))))
    return draw_hyperplanes(X, is_categorical, weights, n_planes, state, **how)


def route(planes, X):
    return (planes.project(X) > planes.limits).T


def nearest_anchor(X, rows, anchors, is_categorical):
    """Twin: the squared distances as the paper gives them, row by row."""
    low, high = X[rows].min(axis=0), X[rows].max(axis=0)
    span = np.where((high > low) & ~is_categorical, high - low, 1.0)
    distances = []
    for anchor in anchors:
        gap = np.where(is_categorical, X != anchor, (X - anchor) / span)
        gap = np.where((high > low) | is_categorical, gap, 0.0)
        distances.append((gap**2).sum(axis=1))
    return distances[1] < distances[0] - 1e-9


def one_hot_side(X, rows, anchors, is_categorical):
    """Second twin: one linear function of scaled numbers and scaled 0-1 columns."""
    columns = []
    for j, nominal in enumerate(is_categorical):
        if nominal:
            columns += [(X[:, j] == code) / np.sqrt(2) for code in np.unique(X[:, j])]
        else:
            columns.append((X[:, j] - X[rows, j].min()) / np.ptp(X[rows, j]))
    z = np.column_stack(columns)
    a, b = (z[np.flatnonzero((X == anchor).all(axis=1))[0]] for anchor in anchors)
    return z @ (b - a) > (b @ b - a @ a) / 2 + 1e-9


# Acceptance 1: the linear rule is the rule of the nearest anchor.
@pytest.mark.parametrize("is_categorical", [NUMBERS, MIXED])
def test_equals_the_nearest_anchor(seed, is_categorical):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(80, 5))
    X[:, is_categorical] = rng.integers(0, 4, size=(80, is_categorical.sum()))
    planes = draw(X, is_categorical, seed)
    rows = np.arange(len(X))
    for plane, side in zip(planes.anchors, route(planes, X)):
        assert_array_equal(side, nearest_anchor(X, rows, plane, is_categorical))
        assert_array_equal(side, one_hot_side(X, rows, plane, is_categorical))


# Acceptance 1, ties: on a grid of whole numbers many rows are as near to the one.
def test_ties_belong_to_the_first_anchor(seed):
    grid = np.stack(np.meshgrid(np.arange(5), np.arange(5)), axis=-1).reshape(-1, 2)
    X = grid.astype(float)
    planes = draw(X, NUMBERS[:2], seed, n_planes=30)
    n_ties = 0
    for (a, b), side in zip(planes.anchors, route(planes, X)):
        from_a, from_b = ((X - a) ** 2).sum(axis=1), ((X - b) ** 2).sum(axis=1)
        assert_array_equal(side, from_b < from_a)
        n_ties += np.sum(from_a == from_b)
    assert n_ties > 0


def test_worked_example():
    # Scaled: a = (0, 0), b = (1, 0.5). (0.5, 0.5) is nearer to b: 0.25 against 0.5.
    X = np.array([[0.0, 0.0], [10.0, 1.0], [5.0, 1.0], [0.0, 2.0]])
    planes = Hyperplanes(
        X[None, :2], np.array([[0.1, 0.25]]), np.zeros((1, 2), bool), np.array([1.25])
    )
    assert_allclose(planes.project(X)[:, 0], [-0.625, 0.625, 0.125, -0.125])


# Acceptance 1: positive affine maps of columns, and their order, change nothing.
def test_units_and_order_of_columns_do_not_matter(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 5))
    sides = route(draw(X, NUMBERS, seed), X)
    scaled = X * [1e3, 1e-3, 2.0, 7.0, 1.0] + [1e6, 0.0, -3.0, 1e-2, 5.0]
    assert_array_equal(route(draw(scaled, NUMBERS, seed), scaled), sides)
    order = rng.permutation(5)
    turned = np.ascontiguousarray(X[:, order])
    assert_array_equal(route(draw(turned, NUMBERS, seed), turned), sides)


def test_only_rows_of_positive_weight_count(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 5))
    X[40:] *= 100.0
    weights = np.ones((10, 60))
    weights[:, 40:] = 0.0
    planes = draw(X, NUMBERS, seed, weights=weights)
    fewer = draw(X[:40], NUMBERS, seed)
    assert_array_equal(planes.anchors, fewer.anchors)
    assert_array_equal(route(planes, X), route(fewer, X))


def test_columns_that_are_not_seen_do_not_matter(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 5))
    columns = np.tile([True, True, False, True, False], (10, 1))
    planes = draw(X, NUMBERS, seed, columns=columns)
    few = draw(X[:, [0, 1, 3]], NUMBERS[:3], seed)
    assert_array_equal(route(planes, X), route(few, X[:, [0, 1, 3]]))


def test_gaps_count_for_neither_anchor(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 5))
    planes = draw(X, NUMBERS, seed)
    gaps, middle = X[:10].copy(), X[:10].copy()
    gaps[:, 2] = np.nan
    for t, (a, b) in enumerate(planes.anchors):
        middle[:, 2] = (a[2] + b[2]) / 2
        assert_allclose(planes.project(gaps)[:, t], planes.project(middle)[:, t])
    X[rng.random(X.shape) < 0.3] = np.nan
    assert np.isfinite(draw(X, NUMBERS, seed).project(X)).all()


def test_equal_rows_have_no_plane_and_repeated_rows_find_one(seed):
    alike = draw(np.ones((7, 5)), MIXED, seed)
    assert not alike.distances.any()
    assert not route(alike, np.zeros((4, 5))).any()
    single = np.ones((500, 5))
    single[seed % 500, seed % 5] = 0.0
    assert draw(single, MIXED, seed).distances.all()


def test_fewest_rows_on_a_side(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 5))
    planes = draw(X, NUMBERS, seed, min_samples_side=12)
    n_second = route(planes, X).sum(axis=1)[planes.distances > 0]
    assert np.all(np.minimum(n_second, 40 - n_second) >= 12) and len(n_second) > 0
    assert not draw(X, NUMBERS, seed, min_samples_side=21).distances.any()


def test_constant_columns_do_not_matter(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(30, 5))
    X[:, 3] = 1e9
    planes = draw(X, NUMBERS, seed)
    moved = X.copy()
    moved[:, 3] = -5.0
    assert_array_equal(planes.project(X), planes.project(moved))
