"""Blocks of distances: members of neighborhoods against naive twins."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist

from manyminds.analysis.complexity import gathering
from manyminds.analysis.complexity.gathering import (
    Reference,
    cut_blocks,
    cut_for_sums,
    find_distances,
    gather,
    list_bounds,
    run_tasks,
)


def make_reference(seed, n_points=40, n_features=3, n_classes=3):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(n_points, n_features))
    return Reference(points, rng.integers(0, n_classes, n_points), n_classes)


def test_worked_example_of_members():
    # On a line, the center 0 has 1 and -2 within 2, of class 1 and 0, and itself.
    points = np.array([[0.0], [1.0], [-2.0], [5.0]])
    reference = Reference(points, np.array([0, 1, 0, 1]), 2)
    rings = reference.make_rings(np.array([1.0, 2.0]))
    options = {"own": np.array([0]), "needs": "scatter"}
    near = gather(reference, points[:1], rings, **options)
    assert_array_equal(near.counts[0], [[1, 1], [2, 1]])
    assert_allclose(near.sums[0, :, :, 0], [[0, 1], [-2, 1]])
    assert_allclose(near.scatter[0, :, 0, 0], [1, 1 + 4])
    others = gather(reference, points[:1], rings, leave_out=True, **options)
    assert_array_equal(others.counts[0], [[0, 1], [1, 1]])


@pytest.mark.parametrize("n_features", [3, 40])
def test_statistics_equal_their_naive_twin(seed, n_features):
    reference = make_reference(seed, n_features=n_features)
    points, labels = reference.points, reference.labels
    distance = cdist(points, points)
    radii = np.quantile(distance[distance > 0], [0.1, 0.4])
    rings = reference.make_rings(radii)
    near = gather(reference, points, rings, own=np.arange(40), needs="scatter")
    for i in range(40):
        for j, radius in enumerate(radii):
            members = distance[i] <= radius
            shifted = points[members] - points[i]
            assert_allclose(near.scatter[i, j], shifted.T @ shifted, atol=1e-9)
            for c in range(3):
                is_class = labels[members] == c
                assert near.counts[i, j, c] == is_class.sum()
                assert_allclose(
                    near.sums[i, j, c], shifted[is_class].sum(axis=0), atol=1e-9
                )


@pytest.mark.parametrize("n_features", [2, 32, 33, 60])
def test_distances_by_rank_are_sorted_distances(seed, n_features):
    reference = make_reference(seed, n_features=n_features)
    ranks = np.array([1, 4, 39])
    found = np.concatenate(list(find_distances(reference, ranks)))
    expected = np.sort(cdist(reference.points, reference.points), axis=1)[:, ranks]
    assert_allclose(found, expected, rtol=1e-12)


def test_products_do_not_lose_small_distances():
    # Two points at 1e-6 from each other, but at 1e6 from the others.
    points = np.zeros((5, 40))
    points[3:, 0] = 1e6
    points[4, 1] = 1e-6
    squares = Reference(points, np.zeros(5, dtype=int), 1).measure(points[3:4])
    assert_allclose(squares[0], [1e12, 1e12, 1e12, 0.0, 1e-12], rtol=1e-10)


def test_blocks_change_nothing(seed, monkeypatch):
    reference = make_reference(seed)
    rings = reference.make_rings(np.array([0.5, 1.5]))
    whole = gather(reference, reference.points, rings, needs="sums")
    monkeypatch.setattr(gathering, "_BLOCK_CELLS", 1)
    blocks = gather(reference, reference.points, rings, needs="sums")
    assert_array_equal(blocks.counts, whole.counts)
    assert_allclose(blocks.sums, whole.sums)


@pytest.mark.parametrize("n_centers", [1, 16, 17, 1025, 5000])
def test_slices_cover_all_centers_once(seed, n_centers, monkeypatch):
    monkeypatch.setattr(gathering, "_SUM_CELLS", 100)
    reference = make_reference(seed)
    rows = np.arange(n_centers)
    bounds = [slice(*bound) for bound in list_bounds(n_centers)]
    assert len(bounds) <= 64
    for slices in (
        bounds,
        cut_blocks(reference, 0, n_centers),
        cut_for_sums(reference, n_centers, 2, "sums"),
    ):
        assert_array_equal(np.concatenate([rows[one] for one in slices]), rows)


def test_tasks_come_in_order_from_threads(seed, monkeypatch):
    monkeypatch.setattr(gathering, "_MIN_STEPS", 0)
    reference = make_reference(seed)
    found = run_tasks(lambda first, last: (first, last), reference, 100, 2)
    assert list(found) == list_bounds(100)
