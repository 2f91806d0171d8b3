"""Fit the members of a local forest, each to its own weights of the rows."""

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn.base import is_classifier
from sklearn.utils.validation import has_fit_parameter

from manyminds.ensemble.base import make_member, run_on_members
from manyminds.ensemble.local.centroids import SPARSE_METRICS, learn_locality
from manyminds.trees.growing import grow, make_rules, make_sampling


class LocalMembers:
    """Read the rows of a local forest, and fit a member to each weighting of them.

    Goes before a local forest among the bases of a class.
    """

    def _read_rows(self, X, y, sample_weight):
        """Check the arguments of ``fit``, and parameters that depend on each other."""
        X, y, sample_weight = self._read_training_set(X, y, sample_weight)
        if issparse(X) and self.metric not in SPARSE_METRICS:
            raise ValueError(
                f"metric={self.metric!r} takes no sparse X: make it dense, or use one "
                f"of {', '.join(SPARSE_METRICS)}."
            )
        if self.scaling_matrix is not None and self.metric not in ("euclidean", "l2"):
            raise ValueError(
                f"scaling_matrix needs metric='euclidean'; got {self.metric!r}."
            )
        if self.estimator is not None and not has_fit_parameter(
            self.estimator, "sample_weight"
        ):
            raise ValueError(
                f"estimator={self.estimator!r} must take sample_weight in fit: that is "
                "how its members become local."
            )
        self._count_active(self.n_estimators)
        if sample_weight is None:
            sample_weight = np.ones(len(y))
        return csr_array(X) if issparse(X) else X, y, sample_weight

    def _learn_locality(self, X, sample_weight):
        """Learn how to turn rows into points, and how to weigh these."""
        return learn_locality(
            X,
            _count_categories(self._encoder, X.shape[1]),
            sample_weight,
            self.scale,
            self.scaling_matrix,
            metric=self.metric,
            precision=self.precision,
            power=self.power,
        )

    def _grow_trees(self, X, y, weights):
        """Grow all trees in one call of the engine, each with its own weights."""
        rules = make_rules(
            *X.shape,
            self._n_values,
            weights.sum(),
            criterion="gini" if is_classifier(self) else "squared_error",
            max_features=self.max_features,
            max_leaf_nodes=self.max_leaf_nodes,
        )
        table = self._bin(X, self.n_jobs)
        sampling = make_sampling(*X.shape, weights)
        return grow(table, y, rules, sampling, self._seeds, n_jobs=self.n_jobs)

    def _fit_members(self, points, y, weights):
        """Fit a clone of the estimator to each row of weights."""
        y = y.astype(np.intp) if is_classifier(self) else y

        def fit(t):
            member = make_member(self.estimator, self._seeds[t] % 2**31)
            rows = np.flatnonzero(weights[t])
            return member.fit(points[rows], y[rows], sample_weight=weights[t, rows])

        each = ((t,) for t in range(self.n_estimators))
        return list(run_on_members(fit, each, self.n_jobs))


def _count_categories(encoder, n_features):
    """Return how many categories each column has; 0 where it holds numbers."""
    widths = np.zeros(n_features, dtype=np.intp)
    for j, categories in encoder.categories.items():
        widths[j] = len(categories)
    return widths
