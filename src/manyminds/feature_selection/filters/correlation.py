"""Correlation: rank features by their absolute correlation with the target."""

import numpy as np

from manyminds._compat import StrOptions
from manyminds.feature_selection._parameters import PARAMETERS
from manyminds.feature_selection.base import (
    N_TO_SELECT,
    TABLE_CONSTRAINTS,
    ScoreSelector,
    SupervisedSelector,
    read_target,
    read_weight,
)
from manyminds.feature_selection.filters.centered_sums import divide, sum_centered
from manyminds.utils.docstrings import fill_docstring

_ROUNDING = 1e-12  # relative size of a sum of squares that is a rounding error


@fill_docstring(**PARAMETERS)
class CorrelationSelector(ScoreSelector, SupervisedSelector):
    """Select the features with the largest absolute correlation with the target.

    The score of a feature :math:`x` is :math:`|\\varrho|`,

    .. math:: \\varrho = \\frac{E[xy] - E[x]\\,E[y]}{\\sqrt{D^2 x \\; D^2 y}} ,

    where :math:`y` is the numeric target or a coding of the classes. All codings of
    two classes have the same score.

    Parameters
    ----------
    {n_features_to_select}
    coding : {"one_vs_rest", "correlation_ratio", "integer"}, default="one_vs_rest"
        Coding of three or more classes:

        - "one_vs_rest": each class against all others; the maximum of these scores.
        - "correlation_ratio": the optimal coding for the feature, by its mean in each
          class.
        - "integer": 0, 1, 2, ... for the sorted classes, as in [1]_. It depends on the
          names of the classes, and misses a feature that separates the second class
          from the first and third.
    {task}
    categorical_features : array-like, "from_dtype" or None, default="from_dtype"
        Categorical columns: a boolean mask, positions or names; "from_dtype": the
        columns of a dataframe with a categorical dtype; None: no column. Their
        categories get the optimal coding for the target.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Absolute correlation of each feature, between 0 and 1; 0 for a constant one.
    ranking_ : ndarray of shape (n_features,)
        1 for the best feature; among equals the first goes first.
    {n_features_in}

    Notes
    -----
    Samples with a missing value of a feature are ignored in its score. Nonlinear
    dependence, such as that on the product of two features, is not detected.

    {complex_models_paper}

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
        **TABLE_CONSTRAINTS,
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

        {fit_weighted}
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


def _code(y, classes, weight, coding):
    """Return the columns to correlate with: numbers, or an indicator of each class."""
    if classes is not None and coding != "integer":
        return (y[:, None] == np.arange(len(classes))).astype(np.float64)
    from_first = y - y[0]  # a constant target becomes exactly 0
    return (from_first - np.average(from_first, weights=weight))[:, None]


def _largest_correlation(known, squares, products, totals, target_squares):
    """Return the maximum absolute correlation of each feature with any target."""
    spread = target_squares - divide(totals * totals, known)
    spread[spread <= _ROUNDING * target_squares] = 0.0
    shared = divide(products * products, squares * spread)
    return np.sqrt(np.minimum(shared.max(axis=1), 1.0))


def _correlation_ratio(known, squares, products, totals, target_squares):
    """Return the correlation of each feature with its class means."""
    between = divide(products * products, totals).sum(axis=1, keepdims=True)
    return np.sqrt(np.minimum(divide(between, squares)[:, 0], 1.0))


def _correlate_categories(column, weight, targets, by_ratio):
    """Correlate a categorical column, coded by mean targets, with the targets."""
    known = ~np.isnan(column)
    codes, weight, targets = column[known], weight[known], targets[known]
    if len(codes) == 0:
        return 0.0
    members = (codes[:, None] == np.unique(codes)).astype(np.float64) * weight[:, None]
    sizes, sums = members.sum(axis=0)[:, None], members.T @ targets
    totals = sums.sum(axis=0)
    if by_ratio:  # both codings are optimal: the first canonical correlation
        expected = sizes * totals / weight.sum()
        residual = divide(sums - expected, np.sqrt(sizes * totals))
        return min(np.linalg.norm(residual, 2), 1.0)
    overall = totals**2 / weight.sum()
    squares = weight @ (targets * targets)
    spread = squares - overall
    spread[spread <= _ROUNDING * squares] = 0.0
    between = (sums**2 / sizes).sum(axis=0) - overall
    return np.sqrt(np.clip(divide(between, spread).max(), 0.0, 1.0))
