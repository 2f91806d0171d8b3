import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans
from sklearn.metrics import davies_bouldin_score

from manyminds.ensemble.clusterings.labelings import MISSING
from manyminds.ensemble.clusterings.members import (
    Recipe,
    cluster_by_means,
    count_features,
    find_nearest,
    fit_members,
)
from manyminds.learners import SelfOrganizingMap


def _points(seed, n_rows=80):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 5)) + 6.0 * rng.integers(2, size=(n_rows, 1))
    return np.ascontiguousarray(X.T)


@pytest.mark.parametrize(
    "estimator",
    [
        None,
        KMeans(n_init=1),
        AgglomerativeClustering(),
        SelfOrganizingMap(2, 2),
        DBSCAN(eps=1.5),
    ],
)
def test_members_of_any_kind(estimator, seed):
    points = _points(seed)
    recipe = Recipe(estimator, "auto", 3, 2)
    found = fit_members(points, recipe, np.arange(8))
    codes, drawn = found.labelings.codes, found.labelings.drawn
    assert found.features.shape == (8, 2)
    for q in range(8):
        centers, view = found.centers[q], points[found.features[q]]
        known = codes[q] != MISSING
        assert codes[q][known].max() < len(centers) == found.labelings.n_clusters[q]
        nearest = find_nearest(view, centers)
        outside = ~drawn[q] & known
        assert_array_equal(codes[q][outside], nearest[outside])
    assert 0.4 < drawn.mean() < 0.8
    if not isinstance(estimator, (DBSCAN, AgglomerativeClustering)):
        # Rows that were drawn are at their nearest centers, too, nearly all.
        assert np.mean(codes == found.label(points)) > 0.95


def test_means_start_at_rows_and_choose_their_number(seed):
    points = _points(seed)
    rng = np.random.default_rng(seed)
    label, centers = cluster_by_means(points, np.ones(80), 2, 5, rng)
    assert len(centers) == 2  # two blobs, far from each other
    means = np.stack([points[:, label == c].mean(axis=1) for c in range(2)])
    assert_allclose(centers, means, atol=1e-3)
    assert davies_bouldin_score(points.T, label) < 1.0


def test_number_of_features():
    assert count_features("sqrt", 7129) == 84
    assert count_features(0.01, 10) == 1
    assert count_features(9, 4) == 4
