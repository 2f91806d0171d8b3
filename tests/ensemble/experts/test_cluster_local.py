"""CLU: clusters, and one model for each."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.cluster import KMeans, MiniBatchKMeans
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.mixture import GaussianMixture
from sklearn.tree import DecisionTreeClassifier

from manyminds.ensemble import ClusterLocalClassifier
from manyminds.ensemble.experts.base import make_default_expert
from manyminds.ensemble.experts.cluster_local import count_different


def make_data(seed, n_samples=200, n_classes=2):
    return make_classification(
        n_samples, 5, n_informative=4, n_redundant=0, n_classes=n_classes,
        random_state=seed,
    )  # fmt: skip


def test_naive_twin(seed):
    X, y = make_data(seed, n_classes=3)
    model = ClusterLocalClassifier(
        LogisticRegression(), 3, scale=None, random_state=seed
    ).fit(X[::2], y[::2])
    centers, p = model.clusterer_.cluster_centers_, []
    nearest = ((X[:, None] - centers) ** 2).sum(axis=2).argmin(axis=1)
    for x, c in zip(X[1::2], nearest[1::2]):
        inside = nearest[::2] == c
        found = np.unique(y[::2][inside])
        one = np.zeros(3)
        if len(found) == 1:
            one[found] = 1.0
        else:
            local = LogisticRegression().fit(X[::2][inside], y[::2][inside])
            one[found] = local.predict_proba([x])[0]
        p.append(one)
    assert_allclose(model.predict_proba(X[1::2]), p, atol=1e-5)


def test_item_1_one_region_is_one_model(seed):
    X, y = make_data(seed)
    local = ClusterLocalClassifier(n_regions=1, random_state=0).fit(X, y)
    expected = make_default_expert().fit(X, y).predict_proba(X)
    assert_array_equal(local.predict_proba(X), expected)


def test_item_3_training_rows_are_routed_where_they_were_trained(seed):
    X, y = make_data(seed)
    local = ClusterLocalClassifier(random_state=seed).fit(X, y)
    expert = local.route(X)
    assert_array_equal(np.bincount(expert), local.n_rows_)
    for e, prior in enumerate(local.expert_priors_):
        assert_allclose(
            np.bincount(y[expert == e], minlength=2), prior * local.n_rows_[e]
        )


def test_item_4_rotation_and_order_of_rows_do_not_matter(seed):
    rng = np.random.default_rng(seed)
    X, y = make_data(seed)
    rotation = np.linalg.qr(rng.normal(size=(5, 5)))[0]
    centers = X[rng.permutation(len(X))[:4]]

    def fit(X, y, centers):
        means = KMeans(init=centers, n_init=1)
        # A tolerance of the solver's, so that the rotated solution is the same.
        expert = LogisticRegression(tol=1e-10, max_iter=1000)
        return ClusterLocalClassifier(expert, clusterer=means, scale=None).fit(X, y)

    expected = fit(X, y, centers).predict_proba(X)
    turned = fit(X @ rotation, y, centers @ rotation).predict_proba(X @ rotation)
    assert_allclose(turned, expected, atol=1e-4)
    order = rng.permutation(len(X))
    shuffled = fit(X[order], y[order], centers).predict_proba(X)
    assert_allclose(shuffled, expected, atol=1e-5)


@pytest.mark.parametrize(
    "clusterer", [MiniBatchKMeans(n_init=1), GaussianMixture()], ids=repr
)
def test_any_clusterer_with_predict(clusterer):
    X, y = make_data(0)
    local = ClusterLocalClassifier(n_regions=2, clusterer=clusterer, random_state=0)
    assert len(local.fit(X, y, np.ones(len(X))).estimators_) == 2
    assert local.score(X, y) > 0.7


def test_regions_of_one_class_and_equal_rows():
    X = np.repeat([[0.0], [10.0]], 5, axis=0)
    y = np.repeat(["a", "b"], 5)
    local = ClusterLocalClassifier(n_regions=5).fit(X, y)
    assert len(local.estimators_) == 2
    assert_array_equal(local.predict_proba(X), np.repeat(np.eye(2), 5, axis=0))
    assert count_different(csr_matrix(X), 2) == 2


def test_sparse_rows_and_threads(seed):
    X, y = make_data(seed)
    X = np.where(X > 0.5, X, 0.0)
    local = ClusterLocalClassifier(random_state=0)
    expected = clone(local).fit(X, y).predict_proba(X)
    sparse = local.set_params(n_jobs=2).fit(csr_matrix(X), y)
    assert_allclose(sparse.predict_proba(csr_matrix(X)), expected, atol=1e-6)


def test_errors_name_the_parameter():
    X, y = make_data(0)
    with pytest.raises(ValueError, match="must be a classifier"):
        ClusterLocalClassifier(KMeans()).fit(X, y)
    takes_no_weights = ClusterLocalClassifier(_NoWeights(), n_regions=1)
    takes_no_weights.fit(X, y, np.ones(len(X)))
    with pytest.raises(ValueError, match="sample_weight needs an estimator"):
        takes_no_weights.fit(X, y, np.arange(len(X)))


class _NoWeights(DecisionTreeClassifier):
    def fit(self, X, y):
        return super().fit(X, y)
