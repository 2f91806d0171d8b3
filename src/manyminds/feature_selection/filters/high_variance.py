"""High variance: select the features that vary enough."""

from numbers import Integral, Real

import numpy as np
from scipy.sparse import issparse

from manyminds._compat import Interval, StrOptions
from manyminds.feature_selection._parameters import PARAMETERS
from manyminds.feature_selection.base import (
    N_TO_SELECT,
    Selector,
    count_to_select,
    rank_scores,
    read_weight,
)
from manyminds.feature_selection.filters.centered_sums import divide, sum_centered
from manyminds.utils.docstrings import fill_docstring

_BLOCK_CELLS = 2**20  # cells of a table that are compared at a time


@fill_docstring(**PARAMETERS)
class HighVarianceSelector(Selector):
    """Select the features of high variance, independently of the target.

    A constant feature has no information, and one that is nonzero in few samples of a
    sparse table has little. Since the target is ignored, the selector may be fitted
    once, before a cross-validation [1]_.

    Parameters
    ----------
    threshold : float, default=0.0
        Select features of higher variance.
    min_count : int, default=None
        Minimum number of samples in which a selected feature is nonzero, for sparse
        data such as words or chemical groups. The paper selects features with *more*
        than ``p`` ones: its ``p = 11`` is ``min_count=12``.
    n_features_to_select : int, float or None, default=None
        Maximum number of these features to select, or the share of all features: those
        of highest variance.
    categorical_features : array-like, "from_dtype" or None, default="from_dtype"
        Categorical columns: a boolean mask, positions or names; "from_dtype": the
        columns of a dataframe with a categorical dtype; None: no column. Their variance
        is half the probability that two samples differ (for 0 and 1, the variance);
        samples outside the most frequent category count as nonzero.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Variance of each feature.
    counts_ : ndarray of shape (n_features,)
        Number, or total weight, of the samples in which it is nonzero.
    ranking_ : ndarray of shape (n_features,)
        1 for the highest variance; among equals the first goes first.
    {support}
    {n_features_in}

    Notes
    -----
    Missing values are ignored; they do not count as 0.

    {complex_models_paper}

    Examples
    --------
    >>> from manyminds.feature_selection import HighVarianceSelector
    >>> X = [[0, 1, 5], [0, 0, 5], [1, 0, 5], [0, 1, 5]]
    >>> HighVarianceSelector().fit(X).get_support()
    array([ True,  True, False])
    >>> HighVarianceSelector(min_count=2).fit_transform(X)
    array([[1],
           [0],
           [0],
           [1]])
    """

    _parameter_constraints = {
        "threshold": [Interval(Real, 0.0, None, closed="left")],
        "min_count": [Interval(Integral, 1, None, closed="left"), None],
        "n_features_to_select": [*N_TO_SELECT, None],
        "categorical_features": ["array-like", StrOptions({"from_dtype"}), None],
    }

    def __init__(
        self,
        threshold=0.0,
        *,
        min_count=None,
        n_features_to_select=None,
        categorical_features="from_dtype",
    ):
        self.threshold = threshold
        self.min_count = min_count
        self.n_features_to_select = n_features_to_select
        self.categorical_features = categorical_features

    def fit(self, X, y=None, sample_weight=None):
        """Compute the variance of each feature.

        Parameters
        ----------
        {x}
        y : None
            Ignored.
        {sample_weight}

        Returns
        -------
        {fitted}
        """
        self._validate_params()
        X, is_categorical = self._read_features(X, self.categorical_features)
        weight = read_weight(X, sample_weight)

        if weight.min() == 0.0:
            X, weight = X[weight > 0.0], weight[weight > 0.0]
        known, squares, *_ = sum_centered(X, weight, np.empty((X.shape[0], 0)))
        self.scores_ = divide(squares, known)[:, 0]
        self.counts_ = _count_nonzeros(X, weight)
        for j in np.flatnonzero(is_categorical):
            measured = _measure_categories(X[:, j], weight)
            self.scores_[j], self.counts_[j] = measured
        self.ranking_ = rank_scores(self.scores_)
        self.support_ = self.scores_ > self.threshold
        if self.min_count is not None:
            self.support_ &= self.counts_ >= self.min_count
        if self.n_features_to_select is not None:
            most = count_to_select(self.n_features_to_select, self.n_features_in_)
            place = np.cumsum(self.support_[np.argsort(self.ranking_)])
            self.support_ &= place[self.ranking_ - 1] <= most
        return self

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        return tags


def _count_nonzeros(X, weight):
    """Return the weight of the samples where each column is neither 0 nor missing."""
    if issparse(X):
        column = np.repeat(np.arange(X.shape[1]), np.diff(X.indptr))
        counted = np.where(np.isnan(X.data), 0.0, X.data) != 0.0
        return np.bincount(column, weight[X.indices] * counted, X.shape[1])
    counts, n_rows = np.zeros(X.shape[1]), max(1, _BLOCK_CELLS // X.shape[1])
    for first in range(0, len(X), n_rows):
        block = X[first : first + n_rows]
        counts += weight[first : first + n_rows] @ ((block != 0.0) & (block == block))
    return counts


def _measure_categories(column, weight):
    """Return half the probability that two samples differ, and the non-modal weight."""
    known = ~np.isnan(column)
    sizes = np.bincount(column[known].astype(np.int64), weight[known], 1)
    total = max(sizes.sum(), np.finfo(float).tiny)
    share = sizes / total
    return (1.0 - share @ share) / 2.0 * known.any(), sizes.sum() - sizes.max()
