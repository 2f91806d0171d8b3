import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import spearmanr

from manyminds.learners import SelfOrganizingMap


def test_last_pass_equals_the_formula(seed):
    # The naive twin: one pass, unit by unit.
    X = np.random.default_rng(seed).normal(size=(50, 3))
    model = SelfOrganizingMap(2, 3, radius=0.8, n_passes=1, random_state=7).fit(X)
    start = X[np.random.RandomState(7).randint(50, size=6)]
    place = [(u // 3, u % 3) for u in range(6)]
    near = [min(range(6), key=lambda u: ((x - start[u]) ** 2).sum()) for x in X]
    for u in range(6):
        weight = [
            np.exp(-sum((a - b) ** 2 for a, b in zip(place[u], place[v])) / 2 / 0.64)
            for v in near
        ]
        center = np.average(X, axis=0, weights=weight)
        assert_allclose(model.cluster_centers_[u], center)


def test_units_in_a_row_are_in_the_order_of_the_data():
    x = np.linspace(0.0, 1.0, 200)[:, None]
    centers = SelfOrganizingMap(1, 6, random_state=0).fit(x).cluster_centers_
    assert abs(spearmanr(np.arange(6), centers[:, 0]).statistic) > 0.99


def test_labels_are_the_nearest_units(seed):
    X = np.random.default_rng(seed).normal(size=(40, 2))
    model = SelfOrganizingMap(random_state=0).fit(X)
    square = ((X[:, None] - model.cluster_centers_) ** 2).sum(axis=2)
    assert_array_equal(model.labels_, square.argmin(axis=1))
    assert_array_equal(model.predict(X), model.labels_)
