"""Correlation: rank features by how far they go up and down with the target."""

import numpy as np

from manyminds._compat import StrOptions
from manyminds.feature_selection.base import (
    N_TO_SELECT,
    ScoreSelector,
    read_target,
    read_weight,
)
from manyminds.feature_selection.filters.centered_sums import divide, sum_centered

_ROUNDING = 1e-12  # a smaller share of a sum of squares is what rounding leaves of none


class CorrelationSelector(ScoreSelector):
    """Select the features with the largest absolute correlation with the target.

    The score of a feature :math:`x` is :math:`|\\varrho|`,

    .. math:: \\varrho = \\frac{E[xy] - E[x]\\,E[y]}{\\sqrt{D^2 x \\; D^2 y}} ,

    where :math:`y` is the target, if it is a number, or else a coding of the classes.
    All codings of two classes give the same score.

    Parameters
    ----------
    n_features_to_select : int or float, default=10
        Number of features to keep, or their share of all.
    coding : {"one_vs_rest", "correlation_ratio", "integer"}, default="one_vs_rest"
        What stands for three classes and more.

        - "one_vs_rest": each class against all others in turn; the largest score
          counts.
        - "correlation_ratio": the coding that suits the feature best, which is the mean
          of the feature in each class.
        - "integer": the numbers 0, 1, 2, ... of the sorted classes, as in [1]_. It
          depends on the classes' names, and misses a feature that tells the second
          class from the first and third.
    task : {"auto", "classification", "regression"}, default="auto"
        Whether the target is classes or numbers; "auto": numbers with decimals are
        numbers, all else are classes.
    categorical_features : array-like, "from_dtype" or None, default="from_dtype"
        Which columns are categorical: a mask, positions or names, those of a dataframe
        with a categorical dtype, or none. The categories get the coding that suits the
        target best.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Absolute correlation of each feature, between 0 and 1; 0 for a constant one.
    ranking_ : ndarray of shape (n_features,)
        1 for the best feature; among equals the first goes first.
    n_features_in_ : int
        Number of columns of the training set.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, if they are strings.

    Notes
    -----
    A feature is compared with the target on those rows where it is not missing.
    Dependence that is not linear, such as that on the product of two features, is not
    seen.

    References
    ----------
    .. [1] Grąbczewski and Jankowski, "Mining for complex models comprising feature
       selection and classification", in Feature Extraction, Springer, 2006.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.feature_selection import CorrelationSelector
    >>> X, y = load_iris(return_X_y=True)
    >>> CorrelationSelector(2).fit(X, y).scores_.round(2)
    array([0.72, 0.6 , 0.92, 0.89])
    """

    _parameter_constraints = {
        "n_features_to_select": N_TO_SELECT,
        "coding": [StrOptions({"one_vs_rest", "correlation_ratio", "integer"})],
        "task": [StrOptions({"auto", "classification", "regression"})],
        "categorical_features": ["array-like", StrOptions({"from_dtype"}), None],
    }

    def __init__(
        self,
        n_features_to_select=10,
        *,
        coding="one_vs_rest",
        task="auto",
        categorical_features="from_dtype",
    ):
        self.n_features_to_select = n_features_to_select
        self.coding = coding
        self.task = task
        self.categorical_features = categorical_features

    def fit(self, X, y, sample_weight=None):
        """Correlate each feature with the target.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Training rows; NaN is a missing value.
        y : array-like of shape (n_samples,)
            Their classes or numbers.
        sample_weight : array-like of shape (n_samples,), default=None
            Their weights.

        Returns
        -------
        self : CorrelationSelector
            The fitted selector.
        """
        self._validate_params()
        X, is_categorical = self._read_features(X, self.categorical_features)
        y, classes = read_target(self, X, y, self.task)
        weight = read_weight(X, sample_weight)

        if weight.min() == 0.0:
            X, y, weight = X[weight > 0.0], y[weight > 0.0], weight[weight > 0.0]
        targets = _code(y, classes, weight, self.coding)
        by_ratio = classes is not None and self.coding == "correlation_ratio"
        compare = _correlation_ratio if by_ratio else _largest_correlation
        sums = sum_centered(X, weight, targets)
        self.scores_ = compare(*sums)
        for j in np.flatnonzero(is_categorical):
            self.scores_[j] = _correlate_categories(X[:, j], weight, targets, by_ratio)
        return self

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags


def _code(y, classes, weight, coding):
    """Return the columns to correlate with: numbers, or one that marks each class."""
    if classes is not None and coding != "integer":
        return (y[:, None] == np.arange(len(classes))).astype(np.float64)
    from_first = y - y[0]  # so that nothing at all is left of a constant target
    return (from_first - np.average(from_first, weights=weight))[:, None]


def _largest_correlation(known, squares, products, totals, target_squares):
    """Return each feature's largest absolute correlation with any target."""
    spread = target_squares - divide(totals * totals, known)
    spread[spread <= _ROUNDING * target_squares] = 0.0
    shared = divide(products * products, squares * spread)
    return np.sqrt(np.minimum(shared.max(axis=1), 1.0))


def _correlation_ratio(known, squares, products, totals, target_squares):
    """Return each feature's correlation with its own means in the classes."""
    between = divide(products * products, totals).sum(axis=1, keepdims=True)
    return np.sqrt(np.minimum(divide(between, squares)[:, 0], 1.0))


def _correlate_categories(column, weight, targets, by_ratio):
    """Correlate a column of codes, each coded by its mean target, with the targets."""
    known = ~np.isnan(column)
    codes, weight, targets = column[known], weight[known], targets[known]
    if len(codes) == 0:
        return 0.0
    marks = (codes[:, None] == np.unique(codes)).astype(np.float64) * weight[:, None]
    sizes, sums = marks.sum(axis=0)[:, None], marks.T @ targets
    totals = sums.sum(axis=0)
    if by_ratio:  # both codings are free: the first canonical correlation
        expected = sizes * totals / weight.sum()
        residual = divide(sums - expected, np.sqrt(sizes * totals))
        return min(np.linalg.norm(residual, 2), 1.0)
    overall = totals**2 / weight.sum()
    squares = weight @ (targets * targets)
    spread = squares - overall
    spread[spread <= _ROUNDING * squares] = 0.0
    between = (sums**2 / sizes).sum(axis=0) - overall
    return np.sqrt(np.clip(divide(between, spread).max(), 0.0, 1.0))
