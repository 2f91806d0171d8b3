import numpy as np
from numpy.testing import assert_allclose
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from manyminds.feature_selection import ScatterSeparabilitySelector
from manyminds.feature_selection.unsupervised.scatter_separability import (
    scatter_separability,
)


def test_trace_worked_by_hand():
    # Means 1 and 5, of 0, 2 and 4, 6: within 1, between 4.
    points = np.array([[0.0, 2.0, 4.0, 6.0]])
    assert_allclose(scatter_separability(points, np.array([0, 0, 1, 1])), 4.0)


def test_trace_equals_the_eigenvalues_of_discriminants(seed):
    rng = np.random.default_rng(seed)
    label = np.arange(90) % 3
    X = rng.normal(size=(90, 4)) + label[:, None] * [1.0, 0.5, 0.0, 2.0]
    lda = LinearDiscriminantAnalysis(solver="eigen").fit(X, label)
    within = lda.covariance_
    total = np.cov(X.T, bias=True)
    expected = np.trace(np.linalg.solve(within, total - within))
    assert_allclose(scatter_separability(X.T, label), expected, rtol=1e-6)


def test_features_of_clusters_are_added_first(seed):
    rng = np.random.default_rng(seed)
    X = rng.uniform(size=(100, 5))
    X[:, 2] = 0.05 * X[:, 2] + np.arange(100) % 2
    model = ScatterSeparabilitySelector(2, random_state=0).fit(X)
    assert model.order_[0] == 2
    assert model.support_.sum() == len(model.order_)
    few = ScatterSeparabilitySelector(2, max_features_to_select=1, random_state=0)
    assert few.fit(X).support_.sum() == 1
