"""Neighbors are found with all that are as near as the last one."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.learners import tied_neighbors
from manyminds.learners.tied_neighbors import TiedNeighbors


@pytest.mark.parametrize("block", [1, 500, 2**21])
@pytest.mark.parametrize("n_features", [2, 20])
@pytest.mark.parametrize("k", [1, 7, 100])
def test_all_ties_are_found(monkeypatch, seed, k, n_features, block):
    # Few values make many ties, a far origin makes products of rows inexact.
    monkeypatch.setattr(tied_neighbors, "BLOCK", block)
    rng = np.random.default_rng(seed)
    points = 1e5 + rng.integers(3, size=(150, n_features)).astype(float)
    X = 1e5 + rng.integers(3, size=(30, n_features)).astype(float)
    seen = []
    for metric in ("manhattan", "euclidean"):
        search = TiedNeighbors(points, k, metric, 2, None)
        power = 1 if metric == "manhattan" else 2
        away = (np.abs(X[:, None] - points) ** power).sum(axis=2) ** (1 / power)
        last = np.sort(away, axis=1)[:, k - 1]
        for rows, distances, near in search.find(X):
            for row, some, found in zip(rows, distances, near, strict=True):
                seen.append(row)
                assert_allclose(some, away[row, found])
                assert (np.diff(some) >= 0).all()
                assert set(np.flatnonzero(away[row] <= last[row])) <= set(found)
    assert_array_equal(np.bincount(seen), np.full(30, 2))


@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_means_of_all_numbers_are_those_of_each(seed, weights):
    rng = np.random.default_rng(seed)
    points = rng.integers(3, size=(60, 3)).astype(float)
    targets, X = rng.normal(size=(60, 2)), points[:20]
    most = TiedNeighbors(points, 12, "euclidean", 2, None)
    means = np.zeros((12, 20, 2))
    for rows, distances, near in most.find(X):
        means[:, rows] = list(most.average(distances, weights, targets[near]))
    for k in range(1, 13):
        search = TiedNeighbors(points, k, "euclidean", 2, None)
        for rows, distances, near in search.find(X):
            weight = search.weigh(distances, weights)
            expected = (weight[:, :, None] * targets[near]).sum(axis=1)
            expected /= weight.sum(axis=1, keepdims=True)
            assert_allclose(means[k - 1][rows], expected, atol=1e-12)
