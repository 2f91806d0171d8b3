"""Complexity against errors, and the plain index that it should beat."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import spearmanr
from sklearn.metrics import roc_auc_score

from manyminds.analysis.complexity import (
    disagreeing_neighbors,
    measure_complexity_agreement,
)


def test_agreement_is_that_of_scipy_and_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    mri, labels = rng.random(200), rng.integers(0, 5, 200)
    is_error = rng.random(200) < mri
    found = measure_complexity_agreement(mri, labels, is_error)
    groups = [labels == k for k in range(5)]
    hardness = [mri[group].mean() for group in groups]
    error = [is_error[group].mean() for group in groups]
    assert found.correlation == pytest.approx(np.corrcoef(hardness, error)[0, 1])
    assert found.rank_correlation == pytest.approx(spearmanr(hardness, error)[0])
    assert found.auc == pytest.approx(roc_auc_score(is_error, mri))
    assert_allclose(found.cluster_mri, sorted(hardness, reverse=True))
    assert found.cluster_sizes.sum() == 200


def test_two_clusters_are_no_success():
    found = measure_complexity_agreement([0.9, 0.9, 0.1], [0, 0, 3], [1, 1, 0])
    assert found.correlation == 1.0 and found.n_clusters == 2
    assert found.is_monotone and not found.is_success
    assert found.thesis_correlation == 1.0  # which the thesis counts


def test_undefined_correlations():
    one = measure_complexity_agreement([0.9, 0.2], [1, 1], [1, 0])
    assert np.isnan(one.correlation) and one.thesis_correlation == 1.0
    assert one.n_clusters == 1 and not one.is_monotone
    none = measure_complexity_agreement([0.9, 0.5, 0.1], [0, 1, 2], [0, 0, 0])
    assert np.isnan(none.correlation) and none.thesis_correlation == 0.0
    assert np.isnan(none.auc) and not none.is_success
    assert_array_equal(none.cluster_error, [0.0, 0.0, 0.0])


def test_inversions_are_told():
    found = measure_complexity_agreement([0.9, 0.5, 0.1], [0, 1, 2], [0, 0, 1])
    assert found.correlation < 0 and not found.is_monotone


def test_labels_are_checked():
    with pytest.raises(ValueError, match="labels must be"):
        measure_complexity_agreement([0.5], [-1], [0])
    with pytest.raises(ValueError, match="inconsistent"):
        measure_complexity_agreement([0.5, 0.5], [0], [0])


def test_disagreeing_neighbors_equal_a_naive_twin(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(40, 3)), rng.integers(0, 2, 40)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    distance = np.linalg.norm(Z[:, None] - Z, axis=2)
    np.fill_diagonal(distance, np.inf)
    near = distance.argsort(axis=1)[:, :5]
    expected = [np.mean(y[near[i]] != y[i]) for i in range(40)]
    assert_allclose(disagreeing_neighbors(X, y), expected)
    assert len(disagreeing_neighbors(X[:3], y[:3])) == 3
    with pytest.raises(ValueError, match="n_neighbors must be at least 1"):
        disagreeing_neighbors(X, y, n_neighbors=0)
