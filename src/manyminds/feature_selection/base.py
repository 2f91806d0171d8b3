"""Turn scores or subsets into a mask; check the tables and targets of selectors."""

from numbers import Integral

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import get_tags
from sklearn.utils.multiclass import check_classification_targets, type_of_target
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
from manyminds.trees.columns import encode_table
from manyminds.utils.weights import read_weights

N_TO_SELECT = [
    Interval(Integral, 1, None, closed="left"),
    Interval(RealNotInt, 0.0, 1.0, closed="right"),
]
TABLE_CONSTRAINTS = {
    "task": [StrOptions({"auto", "classification", "regression"})],
    "categorical_features": ["array-like", StrOptions({"from_dtype"}), None],
}


class Selector(SelectorMixin, DocLinkMixin, BaseEstimator):
    """Base class of selectors whose mask is ``support_``."""

    def _get_support_mask(self):
        check_is_fitted(self)
        return self.support_

    def _read_features(self, X, categorical_features="from_dtype"):
        """Check a training table; return it as floats, and its categorical columns.

        Missing values and sparse matrices are accepted if the selector's tags say so.
        """
        tags = get_tags(self).input_tags
        X, encoder = encode_table(self, X, None, categorical_features, reset=True)
        if issparse(X):
            if not tags.sparse:
                raise TypeError(
                    f"X is a sparse matrix, which {type(self).__name__} does not take. "
                    "Pass X.toarray() if there is room for it."
                )
            X = X.tocsc()
        if not tags.allow_nan:
            values = X.data if issparse(X) else X
            name = type(self).__name__
            assert_all_finite(values, estimator_name=name, input_name="X")
        is_categorical = encoder.is_categorical
        if is_categorical is None:
            is_categorical = np.zeros(X.shape[1], dtype=bool)
        return X, is_categorical

    def transform(self, X):
        """Reduce X to the selected features.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        X : {ndarray, sparse matrix, dataframe} of shape (n_samples, n_selected)
            The selected columns.
        """
        if get_tags(self).input_tags.allow_nan:  # scikit-learn accepts infinity, too
            _refuse_infinity(X)
        return super().transform(X)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        return tags


class SupervisedSelector(Selector):
    """Base class of selectors that need a target, and take NaN and sparse matrices."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags


class ScoreSelector(Selector):
    """Base class of selectors of the features with the best ``scores_``."""

    def _get_support_mask(self):
        check_is_fitted(self)
        n_selected = count_to_select(self.n_features_to_select, self.n_features_in_)
        return self.ranking_ <= n_selected

    @property
    def ranking_(self):
        """Rank of each feature, 1 for the best; among equals the first goes first."""
        check_is_fitted(self)
        return rank_scores(self.scores_)


def _refuse_infinity(X):
    """Raise an error if the numeric columns of any table are infinite."""
    if issparse(X):
        X = X.data
    elif hasattr(X, "select_dtypes"):
        X = X.select_dtypes(np.floating)
    values = np.asarray(X)
    if values.dtype.kind == "f":
        assert_all_finite(values, allow_nan=True, input_name="X")


def rank_scores(scores):
    """Rank features by decreasing score, from 1; among equals the first goes first.

    Parameters
    ----------
    scores : array-like of shape (n_features,)
        Higher is better; NaN is worse than any number.

    Returns
    -------
    ranking : ndarray of int of shape (n_features,)
        Rank of each feature.

    Examples
    --------
    >>> from manyminds.feature_selection.base import rank_scores
    >>> rank_scores([0.1, 0.9, 0.1])
    array([2, 1, 3])
    """
    scores = np.asarray(scores, dtype=np.float64)
    order = np.argsort(-np.where(np.isnan(scores), -np.inf, scores), kind="stable")
    return rank_in_order(order, len(scores))


def rank_in_order(order, n_features):
    """Rank features from 1 in the order given; all others share the next rank.

    Examples
    --------
    >>> from manyminds.feature_selection.base import rank_in_order
    >>> rank_in_order([2, 0], 4)
    array([2, 3, 1, 3])
    """
    ranking = np.full(n_features, len(order) + 1, dtype=np.int64)
    ranking[order] = np.arange(1, len(order) + 1)
    return ranking


def count_to_select(n_features_to_select, n_features):
    """Return the number of features to select: given, or a share of all, at least 1.

    Examples
    --------
    >>> from manyminds.feature_selection.base import count_to_select
    >>> count_to_select(10, 4), count_to_select(0.5, 7), count_to_select(0.01, 7)
    (4, 3, 1)
    """
    if isinstance(n_features_to_select, Integral):
        return min(int(n_features_to_select), n_features)
    return max(1, int(n_features_to_select * n_features))


def read_target(selector, X, y, task="auto"):
    """Check a target; encode class labels.

    Parameters
    ----------
    selector : estimator
        Named in errors.
    X : array-like of shape (n_samples, n_features)
        The samples that the target belongs to.
    y : array-like of shape (n_samples,)
        The target.
    task : {"auto", "classification", "regression"}, default="auto"
        "auto": floats that are not all integers are numeric targets, anything else is
        class labels.

    Returns
    -------
    y : ndarray of shape (n_samples,)
        Codes of classes as int64, or numeric targets as float64.
    classes : ndarray of shape (n_classes,) or None
        The classes, sorted; None if the target is numeric.
    """
    name = type(selector).__name__
    if y is None:
        raise ValueError(
            f"This {name} estimator requires y to be passed, but the target y is None."
        )
    y = column_or_1d(y, warn=True)
    check_consistent_length(X, y)
    if y.dtype.kind == "f":
        assert_all_finite(y, estimator_name=name, input_name="y")
    if task == "auto":
        is_numeric = type_of_target(y, input_name="y") == "continuous"
        task = "regression" if is_numeric else "classification"
    if task == "regression":
        y = np.asarray(y, dtype=np.float64)
        assert_all_finite(y, estimator_name=name, input_name="y")
        return y, None
    check_classification_targets(y)
    classes, codes = np.unique(y, return_inverse=True)
    return codes.astype(np.int64), classes


def read_weight(X, sample_weight):
    """Check sample weights; return them as floats, ones if there are none."""
    sample_weight = read_weights(sample_weight, X)
    return np.ones(X.shape[0]) if sample_weight is None else sample_weight


def drop_weightless(X, y, weight):
    """Drop samples of weight 0, so that they do not influence bins of columns."""
    if weight.all():
        return X, y, weight
    positive = np.flatnonzero(weight)
    return X[positive], y[positive], weight[positive]


def assign_folds(n_samples, n_folds, fold_assignment, y, rng):
    """Assign the samples to folds of equal size.

    Parameters
    ----------
    n_samples, n_folds : int
    fold_assignment : {"round_robin", "shuffled", "stratified"}
        Sample i goes to fold i modulo ``n_folds``: in the given order, in a random
        order, or sorted by target and in random order among equal targets.
    y : ndarray of shape (n_samples,)
    rng : RandomState or Generator

    Returns
    -------
    fold : ndarray of int64 of shape (n_samples,)

    Examples
    --------
    >>> from manyminds.feature_selection.base import assign_folds
    >>> assign_folds(7, 3, "round_robin", None, None)
    array([0, 1, 2, 0, 1, 2, 0])
    """
    order = np.arange(n_samples)
    if fold_assignment != "round_robin":
        order = rng.permutation(n_samples)
    if fold_assignment == "stratified":
        order = order[np.argsort(y[order], kind="stable")]
    fold = np.empty(n_samples, dtype=np.int64)
    fold[order] = np.arange(n_samples) % n_folds
    return fold
