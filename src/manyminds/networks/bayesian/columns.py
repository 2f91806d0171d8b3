"""Read tables for networks: categories as codes, numbers as they are."""

import numpy as np
from scipy.sparse import issparse
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    assert_all_finite,
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
)

from manyminds.kernels.network_scores import FamilyData
from manyminds.trees.columns import encode_table
from manyminds.utils.weights import read_weights


class ColumnsMixin:
    """Read tables of an estimator with ``categorical_features``."""

    def _read_training_table(self, X, sample_weight=None):
        """Return the rows with a weight, the numbers of states, and the weights.

        The number of states of a numeric column is 0.
        """
        _reject_sparse(self, X)
        X, self._encoder = encode_table(
            self, X, None, self.categorical_features, reset=True
        )
        weight = read_weights(sample_weight, X)
        if weight is None:
            weight = np.ones(len(X))
        elif weight.all():
            weight = weight.copy()  # kernels are compiled for writable arrays
        else:
            kept = weight > 0.0
            X, weight = self._encoder.forget_absent(X[kept]), weight[kept]
        states = self._encoder.categories
        n_states = [len(states.get(j, ())) for j in range(X.shape[1])]
        empty = [j for j in states if n_states[j] == 0]
        if empty:
            raise ValueError(f"Columns {empty} of X have no known value.")
        return X, np.array(n_states, dtype=np.int64), weight

    def _read_labeled_table(self, X, y, sample_weight=None):
        """Return what ``_read_training_table`` does, and the classes as codes.

        Sets ``classes_``.
        """
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but "
                "the target y is None."
            )
        y = column_or_1d(y, warn=True)
        assert_all_finite(y, input_name="y")
        check_classification_targets(y)
        X, n_states, weight = self._read_training_table(X, sample_weight)
        if len(weight) < len(y) and sample_weight is not None:
            given = np.broadcast_to(np.asarray(sample_weight), y.shape)
            y = y[given > 0.0]  # rows without weight are left out
        check_consistent_length(X, y)
        self.classes_, label = np.unique(y, return_inverse=True)
        return X, n_states, weight, label.astype(np.int64)

    def _read_table(self, X):
        """Check and encode rows to predict; an unknown category becomes missing."""
        check_is_fitted(self)
        _reject_sparse(self, X)
        X, _ = encode_table(
            self, X, self._encoder, self.categorical_features, reset=False
        )
        return X

    def _name_nodes(self):
        """Return the names of the columns, or their positions if they have none."""
        names = getattr(self, "feature_names_in_", None)
        return list(range(self.n_features_in_)) if names is None else names.tolist()


def _reject_sparse(estimator, X):
    if issparse(X):
        raise TypeError(
            f"{type(estimator).__name__} takes no sparse matrix: pass X.toarray()."
        )


def make_family_data(X, n_states, weight):
    """Return what the kernels of scores take.

    Numeric columns are centered, which does not change scores but rounding.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_nodes)
        Codes of categories and numbers; NaN where missing.
    n_states : ndarray of int64 of shape (n_nodes,)
        Number of states; 0 for numbers.
    weight : ndarray of shape (n_samples,)

    Returns
    -------
    data : FamilyData
    """
    is_numeric, missing = n_states == 0, np.isnan(X)
    n_nodes, n_numeric = X.shape[1], np.count_nonzero(is_numeric)
    codes, values = np.empty((n_nodes, 0), np.int32), np.empty((n_nodes, 0))
    scale, moments = np.ones(n_nodes), np.empty((0, 0))
    if n_numeric < n_nodes:
        codes = np.where(missing | is_numeric, -1, X).T.astype(np.int32, order="C")
    if n_numeric > 0:
        known = np.where(missing, 0.0, weight[:, None])
        filled = np.where(missing, 0.0, X)
        total = np.maximum(known.sum(axis=0), np.finfo(float).tiny)
        centered = filled - (known * filled).sum(axis=0) / total
        scale = np.where(is_numeric, (known * centered**2).sum(axis=0) / total, 1.0)
        scale = np.maximum(scale, 1e-300)  # a constant column
        values = np.ascontiguousarray(np.where(missing, np.nan, centered).T)
        if not missing[:, is_numeric].any():
            ones = np.column_stack([np.ones(len(X)), np.where(is_numeric, centered, 0)])
            moments = ones.T @ (weight[:, None] * ones)
    return FamilyData(codes, values, n_states, weight, moments, scale)
