import numpy as np
from numpy.testing import assert_array_equal

from manyminds.feature_selection import UnsupervisedForestSelector, scree_test


def test_dependent_columns_are_selected(seed):
    X = np.random.default_rng(seed).normal(size=(200, 6))
    X[:, 1] += 4.0 * X[:, 4]
    model = UnsupervisedForestSelector(n_estimators=60, random_state=0).fit(X)
    assert_array_equal(np.sort(np.argsort(model.ranking_)[:2]), [1, 4])
    assert_array_equal(model.support_, scree_test(model.scores_))
    assert model.oob_error_ < 0.4
