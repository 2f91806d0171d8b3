"""Checks of clusterers: labels of the training samples, which no target changes."""

import numpy as np
from sklearn.base import BaseEstimator

from manyminds.testing.assertions import check_for, must
from manyminds.testing.cases import case_for, clusters, ready, repeats_itself
from manyminds.testing.outputs import assert_same

__all__ = ["check_cluster_labels", "check_clusters_ignore_target"]


@check_for(clusters)
def check_cluster_labels(estimator: BaseEstimator) -> None:
    """Check that ``labels_`` are clusters 0, 1, ... or noise, and ``predict`` agrees.

    Clusters may be empty: labels are no more than the clusters that ``predict`` knows.
    """
    case = case_for(estimator)
    fitted = ready(estimator).fit(case.X)
    labels = np.asarray(fitted.labels_)
    must(labels.shape == (len(case.X),), f"labels_ has shape {labels.shape}.")
    must(labels.dtype.kind == "i", f"labels_ has type {labels.dtype}, not integers.")
    must(labels.min() >= -1, f"labels_ has {labels.min()}, less than -1 for noise.")
    if hasattr(fitted, "fit_predict") and repeats_itself(estimator):
        found = {"labels_": ready(estimator).fit_predict(case.X)}
        assert_same(found, {"labels_": labels}, "fit_predict, against labels_")
    if hasattr(fitted, "predict"):
        predicted = np.asarray(fitted.predict(case.X))
        n_known = getattr(fitted, "n_clusters_", None)
        if n_known is None:
            n_known = len(getattr(fitted, "cluster_centers_", np.unique(labels)))
        known = (predicted >= -1).all() and (predicted < n_known).all()
        must(known, "predict returns clusters that fit did not find.")


@check_for(lambda e: clusters(e) and repeats_itself(e))
def check_clusters_ignore_target(estimator: BaseEstimator) -> None:
    """Check that ``fit`` ignores ``y``."""
    case = case_for(estimator)
    expected = {"labels_": ready(estimator).fit(case.X).labels_}
    y = np.arange(len(case.X)) % 2
    found = {"labels_": ready(estimator).fit(case.X, y).labels_}
    assert_same(found, expected, "with a target, against without")
