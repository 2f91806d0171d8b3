import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import davies_bouldin_score

from manyminds.feature_selection import DaviesBouldinSelector
from manyminds.feature_selection.unsupervised.davies_bouldin import (
    davies_bouldin,
    rank_fronts,
    sort_by_front,
)


def test_index_equals_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    X, label = rng.normal(size=(50, 3)), np.arange(50) % 4
    assert_allclose(davies_bouldin(X.T, label), davies_bouldin_score(X, label))
    assert davies_bouldin(X.T, np.zeros(50, int)) == np.inf
    assert davies_bouldin(np.ones((1, 4)), np.array([0, 0, 1, 1])) == np.inf


def test_crowded_points_come_last_in_their_front():
    scores = np.array([[0, 9], [4, 4.2], [4.1, 4.1], [9, 0], [9, 9]])
    assert_array_equal(rank_fronts(scores), [0, 0, 0, 0, 1])
    order = sort_by_front(scores)
    assert set(order[:2]) == {0, 3}
    assert order[-1] == 4


def test_front_has_no_subset_that_another_surpasses(seed):
    rng = np.random.default_rng(seed)
    X = rng.uniform(size=(60, 6))
    X[:, 3] = 0.02 * X[:, 3] + np.arange(60) % 2
    model = DaviesBouldinSelector(2, n_generations=8, random_state=0).fit(X)
    sizes = model.front_.sum(axis=1)
    assert (np.diff(sizes) > 0).all()
    assert (np.diff(model.front_scores_) < 0).all()
    assert_array_equal(np.flatnonzero(model.support_), [3])
