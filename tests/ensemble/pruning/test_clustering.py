"""The best member of each cluster."""

import numpy as np

from manyminds.ensemble.pruning.clustering import pick_from_clusters


def test_copies_are_represented_once(seed):
    rng = np.random.default_rng(seed)
    kinds = rng.integers(2, size=(3, 50))
    labels = np.repeat(kinds, 4, axis=0)
    distance = np.mean(labels[:, None] != labels, axis=2)
    quality = rng.uniform(size=12)
    kept = pick_from_clusters(distance, quality, 3)
    best = [4 * k + quality[4 * k : 4 * k + 4].argmax() for k in range(3)]
    assert sorted(kept) == sorted(best)
    assert sorted(pick_from_clusters(distance, quality, 12)) == list(range(12))
