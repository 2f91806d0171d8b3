import numpy as np
from numpy.testing import assert_array_equal
from sklearn.metrics import adjusted_rand_score

from manyminds.feature_selection.unsupervised.base import cluster_columns, keep_one


def test_only_the_columns_of_the_mask_are_clustered(seed):
    rng = np.random.default_rng(seed)
    truth = np.arange(60) % 2
    points = np.stack([50.0 * rng.normal(size=60), truth + 0.01 * rng.normal(size=60)])
    for n_clusters in (2, "auto"):
        label, centers = cluster_columns(points, np.array([False, True]), n_clusters, 0)
        assert adjusted_rand_score(truth, label) == 1.0
        assert centers.shape == (2, 1)


def test_empty_masks_get_a_feature():
    masks = np.array([[False, False], [True, False]])
    kept = keep_one(masks, np.random.RandomState(0))
    assert kept[0].sum() == 1
    assert_array_equal(kept[1], masks[1])
