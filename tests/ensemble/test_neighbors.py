"""Nearest neighbors by blocks and by a tree, against all pairs."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.ensemble import neighbors
from manyminds.ensemble.neighbors import Neighbors


def order_all(rows, points):
    return ((rows[:, None] - points) ** 2).sum(axis=2).argsort(axis=1, kind="stable")


@pytest.mark.parametrize("n_features", [2, 9])
def test_naive_twin(n_features, seed, monkeypatch):
    # Several blocks, the last of which is not full.
    monkeypatch.setattr(neighbors, "BLOCK_ROWS", 7)
    monkeypatch.setattr(neighbors, "BLOCK_POINTS", 32)
    rng = np.random.default_rng(seed)
    points, rows = rng.normal(size=(75, n_features)), rng.normal(size=(20, n_features))
    order = order_all(rows, points)
    found = Neighbors(points, 4)
    assert_array_equal(found.find(rows), order[:, :4])
    assert_array_equal(Neighbors(points, 4, n_jobs=2).find(rows), order[:, :4])
    assert_array_equal(pickle.loads(pickle.dumps(found)).find(rows), order[:, :4])
    assert_array_equal(found.find(), order_all(points, points)[:, 1:5])
    # Without a point of its own: the first is left out.
    assert_array_equal(found.find(rows, own=order[:, 0]), order[:, 1:5])


def test_equal_points_in_their_order_and_without_themselves():
    rng = np.random.default_rng(0)
    points = rng.integers(2, size=(60, 7)).astype(float) + 1e6
    order = order_all(points, points)
    assert_array_equal(Neighbors(points, 9).find(points), order[:, :9])
    for n_features in (2, 7):  # by a tree, and by blocks
        some = points[:, :n_features]
        order = order_all(some, some)
        near = Neighbors(some, 9).find(some)
        assert_array_equal(np.sort(near), np.sort(order[:, :9]))
        near = Neighbors(some, 9).find()
        others = order[order != np.arange(60)[:, None]].reshape(60, 59)
        assert_array_equal(np.sort(near), np.sort(others[:, :9]))
        assert not (near == np.arange(60)[:, None]).any()
        assert all(len(set(row)) == 9 for row in near)


@pytest.mark.parametrize("n_values", [3, 12, 40])
def test_of_equally_near_points_the_first_are_taken(n_values, seed):
    # Many, some and few of 400 points are at the distance of the last one that counts.
    rng = np.random.default_rng(seed)
    points = rng.integers(n_values, size=(400, 3)).astype(float)
    order, near = order_all(points, points), Neighbors(points, 5).find(points)
    assert_array_equal(np.sort(near), np.sort(order[:, :5]))
    others = order[order != np.arange(400)[:, None]].reshape(400, 399)
    near = Neighbors(points, 5, n_jobs=2).find()
    assert_array_equal(np.sort(near), np.sort(others[:, :5]))


@pytest.mark.parametrize("scale", [1e-160, 1e-9, 1.0, 1e9, 1e120])
def test_any_scale_and_far_points(scale, seed):
    # Far points have rough bounds of little use; the result is the same.
    rng = np.random.default_rng(seed)
    points, rows = rng.normal(size=(50, 8)), rng.normal(size=(9, 8))
    points[::5] *= 1e6
    expected = order_all(rows, points)[:, :6]
    assert_array_equal(Neighbors(scale * points, 6).find(scale * rows), expected)


def test_few_points():
    points = np.arange(24.0).reshape(3, 8)
    for n_features in (2, 8):
        some = points[:, :n_features]
        assert Neighbors(some, 7).find(some).shape == (3, 3)
        assert Neighbors(some, 7).find().shape == (3, 2)
        assert Neighbors(some[:1], 7).find().tolist() == [[0]]


@pytest.mark.parametrize("n_features", [1, 8])
def test_points_below_the_normal_numbers(n_features):
    points = 5e-324 * np.array([0.0, 1.0, 4.0, 9.0])[:, None].repeat(n_features, axis=1)
    assert Neighbors(points, 1).find().tolist() == [[1], [0], [1], [2]]


@pytest.mark.parametrize("n_features", [1, 8])
def test_points_whose_sums_overflow(n_features):
    line = np.array([1e308, 1e308, -1.7e308, 0.0])
    points = line[:, None].repeat(n_features, axis=1)
    found = Neighbors(points, 1).find()
    assert found[:2].tolist() == [[1], [0]] and found[2].tolist() == [3]


@pytest.mark.parametrize("n_features", [2, 8])
def test_rows_far_from_points_have_neighbors_all_the_same(n_features):
    points = 1e-200 * np.eye(4, n_features)
    rows = np.array([[1e308], [-1e308], [1e300]]).repeat(n_features, axis=1)
    found = Neighbors(points, 2).find(rows)
    assert found.shape == (3, 2) and found.max() < 4


@pytest.mark.parametrize("n_features", [2, 8])
def test_a_huge_constant_column_does_not_matter(n_features):
    points = np.zeros((4, n_features))
    points[:, 0], points[:, 1] = 1e308, [0.0, 1.0, 4.0, 9.0]
    assert Neighbors(points, 1).find().tolist() == [[1], [0], [1], [2]]
    assert Neighbors(points, 1).find(points).tolist() == [[0], [1], [2], [3]]
