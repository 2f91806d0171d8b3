import numpy as np
from numpy.testing import assert_allclose
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score

from manyminds.feature_selection import CEFSSelector


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
    # Of three columns there are seven subsets, all of them met.
    X = np.random.default_rng(seed).normal(size=(30, 3))
    found = CEFSSelector(n_estimators=10, random_state=0).fit(X)
    assert -0.5 <= found.agreement_ <= 1.0
    assert found.support_.any()
