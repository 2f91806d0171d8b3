"""Common base of single trees and forests: input checks, rules, predictions."""

from numbers import Integral, Real

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    assert_all_finite,
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
)

from manyminds._compat import (
    DocLinkMixin,
    Interval,
    RealNotInt,
    StrOptions,
)
from manyminds.trees._parameters import PARAGRAPHS
from manyminds.trees.binning import MAX_BINS, bin_table, wants_row_copy
from manyminds.trees.columns import encode_table, map_dense_blocks
from manyminds.trees.contributions import ContributionsMixin
from manyminds.trees.growing import count_features, make_rules
from manyminds.trees.rare_levels import merge_rare_levels, rename_levels
from manyminds.trees.scikit_learn import TreeExport
from manyminds.trees.stored_columns import StoredColumns
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.targets import check_magnitude
from manyminds.utils.weights import read_weights


class TreeModel(DocLinkMixin, BaseEstimator):
    """An estimator whose model is the ``Trees`` in its ``trees_``."""

    _parameter_constraints = {
        "max_depth": [Interval(Integral, 1, None, closed="left"), None],
        "min_samples_split": [
            Interval(Integral, 2, None, closed="left"),
            Interval(RealNotInt, 0.0, 1.0, closed="right"),
        ],
        "min_samples_leaf": [
            Interval(Integral, 1, None, closed="left"),
            Interval(RealNotInt, 0.0, 1.0, closed="neither"),
        ],
        "min_weight_fraction_leaf": [Interval(Real, 0.0, 0.5, closed="both")],
        "max_features": [
            Interval(Integral, 1, None, closed="left"),
            Interval(RealNotInt, 0.0, 1.0, closed="right"),
            StrOptions({"sqrt", "log2"}),
            None,
        ],
        "max_leaf_nodes": [Interval(Integral, 2, None, closed="left"), None],
        "min_impurity_decrease": [Interval(Real, 0.0, None, closed="left")],
        "ccp_alpha": [Interval(Real, 0.0, None, closed="left")],
        "feature_weights": ["array-like", None],
        "max_bins": [Interval(Integral, 2, MAX_BINS, closed="both")],
        "categorical_features": ["array-like", StrOptions({"from_dtype"}), None],
        "random_state": ["random_state"],
    }

    _reads_stored_tables = False  # whether X may be a ParquetTable
    _has_weight = None  # mask of the rows passed to ``fit``; None: all
    _level_codes = {}  # of columns with more levels than bins: their merged codes

    def _read_training_set(self, X, y, sample_weight, reset=True):
        """Check and encode the arguments of ``fit``: table, targets, weights.

        Rows of weight 0 are checked and left out, so that they have no effect on bins,
        categories or the number of draws.
        """
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but "
                "the target y is None."
            )
        encoder = None if reset else self._encoder
        X, self._encoder = encode_table(
            self, X, encoder, self.categorical_features, reset=reset
        )
        y = self._read_target(self._flatten_target(y), reset)
        check_consistent_length(X, y)
        sample_weight = read_weights(sample_weight, X)
        self._has_weight = None
        if sample_weight is None or sample_weight.all():
            return X, y, sample_weight
        self._has_weight = kept = sample_weight > 0.0
        X = X[kept]
        if reset:
            X = self._encoder.forget_absent(X)
        return X, y[kept], sample_weight[kept]

    def _flatten_target(self, y):
        """Return the target as an array of one dimension."""
        return column_or_1d(y, warn=True)

    def _pair_with_targets(self, y, mean, is_known):
        """Return targets and means of the rows with a weight whose mean is known.

        There is a mean for each row passed to ``fit``, a target for each with a weight.
        """
        kept = self._has_weight
        if kept is None:
            return y[is_known], mean[is_known]
        return y[is_known[kept]], mean[is_known & kept]

    def _merge_levels(self, X, max_levels, reset, min_samples=1):
        """Let rare levels share a code, and those beyond the number of codes."""
        if reset:
            X, self._level_codes = merge_rare_levels(
                X, self._encoder.is_categorical, max_levels, min_samples
            )
            return X
        return rename_levels(X, self._level_codes)

    def _bin(self, X, n_jobs=None):
        """Bin the training table in the layout that the trees will read.

        A copy by row is faster, but takes as much memory again: not for tables on disk.
        """
        if issparse(X):
            X = X.tocsc()
        n_looked_at = count_features(self.max_features, X.shape[1])
        return bin_table(
            X,
            self._encoder.is_categorical,
            self.max_bins,
            row_copy=wants_row_copy(*X.shape, n_looked_at)
            and not isinstance(X, StoredColumns),
            n_jobs=n_jobs,
        )

    def _make_rules(self, X, total_weight, **others):
        """Describe when and how nodes are split."""
        return make_rules(
            *X.shape,
            self._n_values,
            total_weight,
            criterion=self.criterion,
            max_features=self.max_features,
            max_depth=self.max_depth,
            min_samples_split=self.min_samples_split,
            min_samples_leaf=self.min_samples_leaf,
            min_weight_fraction_leaf=self.min_weight_fraction_leaf,
            min_impurity_decrease=self.min_impurity_decrease,
            max_leaf_nodes=self.max_leaf_nodes,
            **others,
        )

    def _read_table(self, X):
        """Check and encode samples to predict."""
        check_is_fitted(self)
        X, _ = encode_table(
            self, X, self._encoder, self.categorical_features, reset=False
        )
        return rename_levels(X, self._level_codes)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags


@fill_docstring(**PARAGRAPHS)
class SingleTree(TreeExport, ContributionsMixin, TreeModel):
    """An estimator whose model is the single tree in its ``tree_``."""

    def _mean_value(self, X):
        return map_dense_blocks(self._get_tree().mean_value, self._read_table(X))

    def apply(self, X):
        """Return the leaf of each row of X.

        {predict_table}
        leaves : ndarray of shape (n_samples,)
            Indices of nodes of ``tree_``.
        """
        return map_dense_blocks(self._get_tree().apply, self._read_table(X))[:, 0]

    def get_depth(self):
        """Return the number of splits on the longest path from the root to a leaf."""
        return int(self.tree_.max_depth[0])

    def get_n_leaves(self):
        """Return the number of leaves."""
        return int(self.tree_.n_leaves[0])

    @property
    def feature_importances_(self):
        """Share of each feature in the decrease of impurity."""
        return self.tree_.feature_importances()[0]

    def _get_tree(self):
        check_is_fitted(self)
        return self.tree_

    @property
    def _averaged_trees(self):
        return self.tree_


@fill_docstring(**PARAGRAPHS)
class TreeClassifierMixin(ClassifierMixin):
    """Predict classes and their probabilities."""

    @property
    def _n_values(self):
        return len(self.classes_)

    def _read_target(self, y, reset):
        """Number the classes."""
        check_classification_targets(y)
        if reset:
            self.classes_, codes = np.unique(y, return_inverse=True)
            self.n_classes_ = len(self.classes_)
            return codes.astype(np.float64)
        unknown = np.setdiff1d(y, self.classes_)
        if len(unknown) > 0:
            raise ValueError(
                f"y has labels {unknown.tolist()} that the model has not seen; "
                f"it knows {self.classes_.tolist()}."
            )
        return np.searchsorted(self.classes_, y).astype(np.float64)

    def _weigh_classes(self, y, sample_weight, class_weight):
        """Multiply sample weights by the weights of the classes."""
        if class_weight is None:
            return sample_weight
        expanded = compute_sample_weight(class_weight, self.classes_[y.astype(np.intp)])
        return expanded if sample_weight is None else expanded * sample_weight

    def predict(self, X):
        """Predict the class of each row of X.

        {predict_table}
        y : ndarray of shape (n_samples,)
            The class with the highest mean probability; the first of equals.
        """
        best = np.argmax(self.predict_proba(X), axis=1)
        return self.classes_.take(best)

    def predict_proba(self, X):
        """Predict the probability of each class for each row of X.

        {predict_table}
        probabilities : ndarray of shape (n_samples, n_classes)
            Mean over the trees of the class shares in the leaf that a row falls into.
        """
        return self._mean_value(X)

    def predict_log_proba(self, X):
        """Predict the logarithm of the probability of each class.

        {predict_table}
        log_probabilities : ndarray of shape (n_samples, n_classes)
            ``log(predict_proba(X))``.
        """
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))


@fill_docstring(**PARAGRAPHS)
class TreeRegressorMixin(RegressorMixin):
    """Predict numbers."""

    _n_values = 1

    def _read_target(self, y, reset):
        """Check that the targets are finite numbers."""
        if y.dtype.kind in "OUS":
            y = y.astype(np.float64)
        assert_all_finite(y, input_name="y")
        return check_magnitude(y.astype(np.float64))

    def predict(self, X):
        """Predict the target of each row of X.

        {predict_table}
        y : ndarray of shape (n_samples,)
            Mean over the trees of the mean target in the leaf that a row falls into.
        """
        return self._mean_value(X)[:, 0]
