from itertools import product

import numpy as np
from numpy.testing import assert_allclose
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score
from sklearn.preprocessing import minmax_scale

from manyminds.feature_selection import CEFSSelector
from manyminds.feature_selection.unsupervised.base import cluster_columns


def test_subset_leads_to_the_clusters_of_all_views(seed):
    rng = np.random.default_rng(seed)
    truth = np.arange(100) % 2
    X = rng.normal(size=(100, 6))
    X[:, :3] += 6.0 * truth[:, None]
    model = CEFSSelector(KMeans(2, n_init=3), n_generations=10, random_state=0).fit(X)
    assert adjusted_rand_score(truth, model.labels_) == 1.0
    assert_allclose(model.agreement_, 1.0)
    assert model.support_[:3].any()


def test_agreement_is_the_best_of_all_subsets(seed):
    # Of three columns there are seven subsets; the first generation meets all of them.
    X = np.random.default_rng(seed).normal(size=(30, 3))
    model = CEFSSelector(n_estimators=10, n_generations=2, random_state=0).fit(X)
    start = np.random.RandomState(0).randint(2**31 - 1, size=2)[1]
    points = np.ascontiguousarray(minmax_scale(X).T)
    n_clusters = len(np.unique(model.labels_))
    found = [
        adjusted_rand_score(
            model.labels_, cluster_columns(points, np.array(mask), n_clusters, start)[0]
        )
        for mask in product([False, True], repeat=3)
        if any(mask)
    ]
    assert_allclose(model.agreement_, max(found))
