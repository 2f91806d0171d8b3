import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.cluster import KMeans
from sklearn.metrics import davies_bouldin_score

from manyminds.kernels.kmeans import (
    fit_kmeans,
    label_by_center,
    mark_changed_labels,
    move_to_means,
)


def _blobs(seed, n_rows=90, n_columns=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_columns)) + 4.0 * rng.integers(3, size=(n_rows, 1))
    return X, rng


def test_lloyd_equals_scikit_learn(seed):
    X, rng = _blobs(seed)
    weight = rng.integers(1, 4, size=len(X)).astype(float)
    start = X[rng.choice(len(X), 4, replace=False)]
    centers, label = start.copy(), np.empty(len(X), np.int32)
    move_to_means(np.ascontiguousarray(X.T), weight, 0.0, 300, centers, label)
    model = KMeans(4, init=start, n_init=1, tol=0.0, algorithm="lloyd")
    model.fit(X, sample_weight=weight)
    assert_allclose(centers, model.cluster_centers_, atol=1e-9)
    assert_array_equal(label, model.labels_)


def test_number_of_clusters_has_the_least_davies_bouldin_index(seed):
    # A row drawn twice is two rows: the index is that of the repeated table.
    X, rng = _blobs(seed)
    points = np.ascontiguousarray(X.T)
    weight = rng.integers(1, 3, size=len(X))
    draws = rng.random((4, 5))
    indices = []
    for k in range(2, 6):
        centers, label = np.empty((k, 3)), np.empty(len(X), np.int32)
        one = np.ascontiguousarray(draws[k - 2 : k - 1, :k])
        assert fit_kmeans(points, weight * 1.0, one, k, 0.0, 99, centers, label) == k
        repeated = np.repeat(np.arange(len(X)), weight)
        indices.append(davies_bouldin_score(X[repeated], label[repeated]))
    centers, label = np.empty((5, 3)), np.empty(len(X), np.int32)
    best = fit_kmeans(points, weight * 1.0, draws, 2, 0.0, 99, centers, label)
    assert best == 2 + int(np.argmin(indices))


@pytest.mark.no_jit
def test_more_centers_than_distinct_rows():
    points = np.array([[0.0, 0.0, 1.0]])
    centers, label = np.empty((3, 1)), np.empty(3, np.int32)
    draws = np.array([[0.1, 0.2, 0.9]])
    assert fit_kmeans(points, np.ones(3), draws, 3, 1e-4, 9, centers, label) == 3
    assert label[0] == label[1] != label[2]


@pytest.mark.no_jit
def test_nearest_center():
    label = np.empty(3, np.int32)
    label_by_center(np.array([[0.0, 4.0, 9.0]]), np.array([[1.0], [8.0]]), label)
    assert_array_equal(label, [0, 0, 1])


@pytest.mark.no_jit
def test_updates_of_one_coordinate_equal_assigning_anew(seed):
    # Acceptance 3: the same permutations, all distances computed anew.
    rng = np.random.default_rng(seed)
    points, centers = rng.random((3, 20)), rng.random((4, 3))
    order = rng.permuted(np.tile(np.arange(20), (3, 1)), axis=1)
    changed = np.empty((3, 20), np.bool_)
    mark_changed_labels(points, centers, order, changed)

    def assign(table):
        return ((table.T[:, None] - centers) ** 2).sum(axis=2).argmin(axis=1)

    for j in range(3):
        moved = points.copy()
        moved[j] = points[j, order[j]]
        assert_array_equal(changed[j], assign(moved) != assign(points))
