"""Members on the convex hull of pairs."""

import numpy as np
from scipy.spatial import ConvexHull
from sklearn.metrics import cohen_kappa_score

from manyminds.ensemble.pruning.kappa_hull import find_kappa_hull


def test_pairs_of_the_hull_are_kept_and_dominated_ones_are_not(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=60)
    flips = rng.uniform(size=(10, 60)) < rng.uniform(0.05, 0.4, size=(10, 1))
    labels = np.where(flips, 1 - y, y)
    pairs = [(i, k) for i in range(10) for k in range(i + 1, 10)]
    error = np.mean(labels != y, axis=1)
    points = np.array(
        [
            (cohen_kappa_score(labels[i], labels[k]), (error[i] + error[k]) / 2)
            for i, k in pairs
        ]
    )
    kept = set(find_kappa_hull(labels, y).tolist())
    hull = ConvexHull(points).vertices
    for corner in (points[:, 0].argmin(), points[:, 1].argmin()):
        if np.sum((points == points[corner]).any(axis=1)) == 1:
            assert set(pairs[corner]) <= kept
    on_hull = {m for p in hull for m in pairs[p]}
    assert kept <= on_hull
    assert find_kappa_hull(labels[:1], y).tolist() == [0]
