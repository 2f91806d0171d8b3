"""CL2: clusters of each class, and one model for each combination."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.mixture import GaussianMixture

from manyminds.ensemble import ClasswiseClusterLocalClassifier
from manyminds.ensemble.experts.base import make_default_expert


def make_data(seed, n_classes=3):
    return make_classification(
        240, 4, n_informative=4, n_redundant=0, n_classes=n_classes,
        n_clusters_per_class=2, random_state=seed,
    )  # fmt: skip


def test_item_1_one_cluster_a_class_is_one_model(seed):
    X, y = make_data(seed)
    local = ClasswiseClusterLocalClassifier(n_regions=1, random_state=0).fit(X, y)
    expected = make_default_expert().fit(X, y).predict_proba(X)
    assert_array_equal(local.predict_proba(X), expected)


def test_item_3_combinations_and_their_rows(seed):
    X, y = make_data(seed)
    local = ClasswiseClusterLocalClassifier(
        LogisticRegression(), (2, 1, 3), scale=None, random_state=seed
    ).fit(X, y)
    assert_array_equal([len(c.cluster_centers_) for c in local.clusterers_], [2, 1, 3])
    assert len(local.combinations_) <= 2 * 1 * 3
    assert (local.expert_priors_ > 0.0).all()  # every expert sees all classes
    # Naive: nearest center in each class; rows are those of the three clusters.
    nearest = np.column_stack(
        [
            ((X[:, None] - c.cluster_centers_) ** 2).sum(axis=2).argmin(axis=1)
            for c in local.clusterers_
        ]
    )
    expert = local.route(X)
    assert_array_equal(local.combinations_[expert], nearest)
    own = nearest[np.arange(len(y)), y]
    for e, combination in enumerate(local.combinations_):
        assert (own == combination[y]).sum() == local.n_rows_[e]
    # A row is used in the experts of all clusters of the other classes that occur.
    assert local.n_rows_.sum() == sum(
        (local.combinations_[:, c] == k).sum() for c, k in zip(y, own)
    )


def test_unknown_combination_goes_to_the_nearest_known(seed):
    X, y = make_data(seed, n_classes=2)
    local = ClasswiseClusterLocalClassifier(scale=None, random_state=0).fit(X, y)
    far = X + 100.0 * np.random.default_rng(seed).normal(size=X.shape)
    total = sum(
        ((far[:, None] - c.cluster_centers_[local.combinations_[:, k]]) ** 2).sum(
            axis=2
        )
        for k, c in enumerate(local.clusterers_)
    )
    assert_array_equal(local.route(far), total.argmin(axis=1))


def test_clusterer_without_distances():
    X, y = make_data(0)
    local = ClasswiseClusterLocalClassifier(clusterer=GaussianMixture(), random_state=0)
    nearest = np.column_stack(
        [c.predict(local.scaler_.transform(X)) for c in local.fit(X, y).clusterers_]
    )
    assert_array_equal(local.combinations_[local.route(X)], nearest)


def test_errors_name_the_parameter():
    X, y = make_data(0)
    with pytest.raises(ValueError, match=r"n_regions must .* 3 classes; got \[2, 2\]"):
        ClasswiseClusterLocalClassifier(n_regions=[2, 2]).fit(X, y)
    with pytest.raises(ValueError, match="27 combinations of clusters of 3 classes"):
        ClasswiseClusterLocalClassifier(n_regions=3, max_experts=26).fit(X, y)
