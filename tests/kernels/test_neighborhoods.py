"""Kernels of neighborhoods: distances, ranks, members by ring."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist

from manyminds.kernels.neighborhoods import (
    add_members,
    count_classes,
    measure_squares,
    select_ranks,
)


def squares_between(points, centers):
    out = np.empty((len(centers), len(points)))
    measure_squares(np.ascontiguousarray(points.T), centers, out)
    return out


def rings(limits):
    # A table that says nothing: the search begins at the first ring.
    return np.append(limits, np.inf), np.zeros(8, dtype=np.int64), 0.0


@pytest.mark.no_jit
@pytest.mark.parametrize("n_features", [1, 3, 4, 6])
def test_distances_of_any_width(seed, n_features):
    rng = np.random.default_rng(seed)
    points, centers = rng.normal(size=(9, n_features)), rng.normal(size=(3, n_features))
    expected = cdist(centers, points, "sqeuclidean")
    assert_allclose(squares_between(points, centers), expected, rtol=1e-12)


def test_distances_of_more_rows_than_a_chunk(seed):
    points = np.random.default_rng(seed).normal(size=(1300, 5))
    found = squares_between(points, points[:40])
    assert_allclose(found, cdist(points[:40], points, "sqeuclidean"), atol=1e-12)
    assert_array_equal(found[:, :40], found[:, :40].T)  # to the last bit
    assert (np.diag(found) == 0.0).all()


@pytest.mark.no_jit
def test_ranks_of_a_few_values():
    squares = np.array([[5.0, 0.0, 2.0, 2.0, 9.0], [0.0, 0.0, 0.0, 0.0, 0.0]])
    out = np.empty((2, 3))
    select_ranks(squares, np.array([0, 2, 4]), out)
    assert_array_equal(out, [[0.0, 2.0, 9.0], [0.0, 0.0, 0.0]])


@pytest.mark.parametrize("kind", ["even", "ties", "far", "tiny"])
def test_ranks_are_those_of_sorting(seed, kind):
    rng = np.random.default_rng(seed)
    squares = rng.chisquare(5, size=(7, 3000))
    if kind == "ties":
        squares = squares.round()
    if kind == "far":  # one value so large that all others share a cell
        squares[:, 0] = 1e9
    if kind == "tiny":
        squares *= 1e-250
    ranks = np.sort(rng.choice(3000, size=6, replace=False))
    out = np.empty((7, 6))
    select_ranks(squares, ranks, out)
    assert_array_equal(out, np.sort(squares, axis=1)[:, ranks])


@pytest.mark.no_jit
def test_worked_example_of_rings():
    # From 0, three rows within 1, two more within 4, one beyond.
    points = np.array([[0.0], [1.0], [-1.0], [2.0], [-1.5], [7.0]])
    labels = np.array([0, 0, 1, 1, 0, 1])
    squares = squares_between(points, np.zeros((1, 1)))
    counts = np.zeros((1, 3, 2), dtype=np.int32)
    table = rings(np.array([1.0, 4.0]))
    count_classes(squares, *table, labels, counts)
    assert_array_equal(counts[0], [[2, 1], [1, 1], [0, 1]])
    sums, scatter = np.zeros((1, 2, 2, 1)), np.zeros((1, 2, 1, 1))
    add_members(squares, *table, labels, points, np.zeros((1, 1)), sums, scatter)
    assert_array_equal(sums[0, :, :, 0], [[1.0, -1.0], [-1.5, 2.0]])
    assert_array_equal(scatter[0, :, 0, 0], [2.0, 6.25])


@pytest.mark.no_jit
def test_members_are_seen_from_the_center(seed):
    rng = np.random.default_rng(seed)
    points, labels = rng.normal(size=(12, 3)), rng.integers(0, 2, 12)
    centers = points[:2] + 0.1
    squares = squares_between(points, centers)
    sums, scatter = np.zeros((2, 1, 2, 3)), np.zeros((2, 1, 3, 3))
    table = rings(np.array([4.0]))
    add_members(squares, *table, labels, points, centers, sums, scatter)
    for i, center in enumerate(centers):
        seen = (points - center)[squares[i] <= 4.0]
        near = labels[squares[i] <= 4.0]
        for c in range(2):
            assert_allclose(sums[i, 0, c], seen[near == c].sum(axis=0), atol=1e-12)
        assert_allclose(scatter[i, 0], np.tril(seen.T @ seen), atol=1e-12)
