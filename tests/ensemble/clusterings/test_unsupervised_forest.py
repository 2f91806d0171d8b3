import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics import adjusted_rand_score

from manyminds.ensemble import UnsupervisedForest, forest_proximity


def test_clusters_of_dependent_columns(seed):
    rng = np.random.default_rng(seed)
    truth = np.arange(120) % 2
    X = rng.normal(size=(120, 4)) + 8.0 * truth[:, None]
    model = UnsupervisedForest(n_estimators=40, random_state=0).fit(X)
    assert adjusted_rand_score(truth, model.labels_) == 1.0
    assert adjusted_rand_score(truth, model.predict(X)) == 1.0
    assert model.oob_error_ < 0.3


def test_independent_columns_are_mistaken_for_synthetic_ones(seed):
    # The error is near one half or above, not below it, where there is no structure.
    X = np.random.default_rng(seed).normal(size=(150, 4))
    assert UnsupervisedForest(n_estimators=40, random_state=0).fit(X).oob_error_ > 0.4


def test_stored_proximities_are_the_highest_of_all(seed):
    X = np.random.default_rng(seed).normal(size=(40, 3))
    model = UnsupervisedForest(n_estimators=15, n_neighbors=5, random_state=0).fit(X)
    everything, stored = forest_proximity(model.forest_, X), model.proximity_.toarray()
    assert_allclose(stored, stored.T)
    assert_allclose(stored[stored > 0], everything[stored > 0])
    for row, kept in zip(everything, stored):
        assert kept[row >= np.sort(row)[-5]].min() >= 0
        assert np.sort(kept)[-5:] == pytest.approx(np.sort(row)[-5:])


def test_predictions_have_the_highest_mean_proximity(seed):
    X = np.random.default_rng(seed).normal(size=(60, 3))
    model = UnsupervisedForest(3, 15, random_state=0).fit(X[:40])
    near = forest_proximity(model.forest_, X[40:], X[:40])
    mean = np.stack([near[:, model.labels_ == c].mean(axis=1) for c in range(3)])
    found = model.predict(X[40:])
    assert_allclose(mean[found, np.arange(20)], mean.max(axis=0))


@pytest.mark.parametrize("synthetic", ["marginals", "uniform"])
def test_missing_values(synthetic, seed):
    X = np.random.default_rng(seed).normal(size=(30, 3))
    X[::3, 1] = np.nan
    model = UnsupervisedForest(n_estimators=30, synthetic=synthetic, random_state=0)
    assert set(model.fit_predict(X)) == {0, 1}


def test_more_clusters_than_rows():
    with pytest.raises(ValueError, match=r"n_clusters must be at most .* 3; got 4"):
        UnsupervisedForest(4, 5).fit([[0.0], [1.0], [2.0]])
