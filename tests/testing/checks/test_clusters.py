"""Each check of clusterers can fail: here is the clusterer that fails it."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from manyminds.testing import failed_checks
from manyminds.testing.checks import clusters, docstrings


class Halves(ClusterMixin, BaseEstimator):
    def fit(self, X, y=None):
        X = validate_data(self, X, dtype=np.float64)
        self.cut_, self.n_clusters_ = float(np.median(X[:, 0])), 2
        self.labels_ = (X[:, 0] > self.cut_).astype(np.int64)
        return self

    def predict(self, X):
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return (X[:, 0] > self.cut_).astype(np.int64)


class PredictsAThirdCluster(Halves):
    def predict(self, X):
        return 2 * super().predict(X)


class LooksAtTheTarget(Halves):
    def fit(self, X, y=None):
        super().fit(X)
        if y is not None and len(np.unique(y)) > 1:
            self.labels_ = 1 - self.labels_
        return self


BROKEN = {
    "check_cluster_labels": PredictsAThirdCluster(),
    "check_clusters_ignore_target": LooksAtTheTarget(),
}


def test_every_check_is_put_to_the_test():
    assert set(BROKEN) == set(clusters.__all__)


@pytest.mark.parametrize("name", BROKEN)
def test_fault_fails_its_check_and_no_other(name):
    assert set(failed_checks(BROKEN[name])) - set(docstrings.__all__) == {name}


def test_plain_clusterer_passes():
    assert set(failed_checks(Halves())) <= set(docstrings.__all__)
