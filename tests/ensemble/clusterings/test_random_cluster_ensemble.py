import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score

from manyminds.ensemble import RandomClusterEnsemble
from manyminds.utils.threads import limit_threads


def _blobs_among_noise(seed, n_rows=200, n_columns=50):
    """Two blobs in the last two columns, and noise of three times their width."""
    rng = np.random.default_rng(seed)
    truth = np.arange(n_rows) % 2
    X = 3.0 * rng.normal(size=(n_rows, n_columns))
    X[:, -2:] = rng.normal(size=(n_rows, 2)) + 6.0 * truth[:, None]
    return X, truth


@pytest.mark.parametrize("normalize", ["n_estimators", "cooccurrence"])
def test_acceptance_1_coassociation_is_the_share_of_clusterings(normalize, seed):
    X, _ = _blobs_among_noise(seed, n_rows=30, n_columns=4)
    model = RandomClusterEnsemble(n_estimators=20, normalize=normalize, random_state=0)
    A = model.fit(X).consensus_matrix()
    codes, drawn = model.members_.labelings.codes, model.members_.labelings.drawn
    assert_array_equal(A, A.T)
    assert A.min() >= 0.0
    assert A.max() <= 1.0
    assert_array_equal(np.diag(1.0 - A), 0.0)
    for i in range(30):
        for j in range(i):
            both = drawn[:, i] & drawn[:, j]
            together = (both & (codes[:, i] == codes[:, j])).sum()
            n_counted = 20 if normalize == "n_estimators" else max(1, both.sum())
            assert_allclose(A[i, j], together / n_counted)


def test_acceptance_5_consensus_recovers_blobs_in_two_of_50_columns():
    # Of 25 draws, the consensus has an index of 0.98 or more in each, 0.998 on average;
    # k-means on all columns from random starts has 0.63.
    on_all = []
    for draw in range(3):
        X, truth = _blobs_among_noise(draw)
        model = RandomClusterEnsemble(
            n_estimators=400, n_clusters=2, base_clusters=2, random_state=0
        ).fit(X)
        assert adjusted_rand_score(truth, model.labels_) > 0.95
        assert adjusted_rand_score(truth, model.predict(X)) > 0.95
        with limit_threads(1):
            for s in range(5):
                means = KMeans(2, n_init=1, init="random", random_state=s)
                on_all.append(adjusted_rand_score(truth, means.fit_predict(X)))
    assert np.mean(on_all) < 0.95


def test_acceptance_8_same_seed_same_output(seed):
    X, _ = _blobs_among_noise(seed, n_rows=40, n_columns=6)
    one, two = (
        RandomClusterEnsemble(n_estimators=9, n_jobs=n, random_state=3).fit(X)
        for n in (1, 2)
    )
    assert_array_equal(one.labels_, two.labels_)
    assert_array_equal(one.consensus_matrix(), two.consensus_matrix())
    assert one.agreement_ == two.agreement_


def test_number_of_clusters_is_at_most_that_of_base_clusters(seed):
    X = np.random.default_rng(seed).normal(size=(100, 6))
    model = RandomClusterEnsemble(n_estimators=30, base_clusters=3, random_state=0)
    assert set(model.fit(X).agreement_) == {2, 3}


def test_landmarks_bound_the_pairs(seed):
    X, truth = _blobs_among_noise(seed, n_columns=3, n_rows=300)
    X += 8.0 * truth[:, None]
    model = RandomClusterEnsemble(n_estimators=20, n_landmarks=50, random_state=0)
    model.fit(X)
    assert model.consensus_matrix().shape == (50, 50)
    assert adjusted_rand_score(truth, model.labels_) == 1.0


def test_units_do_not_matter(seed):
    X, _ = _blobs_among_noise(seed, n_rows=50, n_columns=4)
    scaled = X * [1.0, 64.0, 0.125, 1024.0]
    for scale in ("minmax", "standard"):
        one, two = (
            RandomClusterEnsemble(n_estimators=9, scale=scale, random_state=0).fit(T)
            for T in (X, scaled)
        )
        assert_array_equal(one.labels_, two.labels_)
