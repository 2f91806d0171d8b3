"""FEA: cut the range of one column into slices, and fit one classifier to each."""

from numbers import Integral

import numpy as np
from scipy.sparse import issparse

from manyminds._compat import Interval
from manyminds.ensemble.experts._parameters import PARAGRAPHS
from manyminds.ensemble.experts.base import (
    LocalClassifier,
    group_rows,
    number_regions,
)
from manyminds.utils.docstrings import fill_docstring

MIN_VALUES = 4  # of the column that is taken if none is given


@fill_docstring(**PARAGRAPHS)
class FeatureSliceLocalClassifier(LocalClassifier):
    """Classify each row by the model of its slice of one column.

    The range of a column among the training rows is cut into slices of equal width,
    each of which has a model [1]_. Values outside the range belong to the first or the
    last slice; a slice without rows is merged with the nearest one that has some.

    Parameters
    ----------
    {estimator}
    n_regions : int, default=4
        Number of slices.
    feature : int or str, default=None
        Place or name of the column; None: the first with four different values or
        more, as in the paper, or the first of all.
    {correction}
    {run}

    Attributes
    ----------
    feature_ : int
        Place of the column.
    edges_ : ndarray of shape (n_regions - 1,)
        Where the slices of equal width meet; a value on an edge is in the upper one.
    slices_ : ndarray of int of shape (n_regions,)
        Expert of each slice.
    {local}
    {class_names}

    See Also
    --------
    ClusterLocalClassifier : Regions by clusters.

    Notes
    -----
    If the experts take missing values, so does this classifier; a missing value of the
    column itself belongs to the expert with most rows.

    {local_references}

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.ensemble import FeatureSliceLocalClassifier
    >>> X = np.arange(80.0).reshape(-1, 1)
    >>> y = (X[:, 0] // 10 % 2).astype(int)
    >>> local = FeatureSliceLocalClassifier(n_regions=4).fit(X, y)
    >>> local.edges_
    array([19.75, 39.5 , 59.25])
    >>> local.route([[-5.0], [30.0], [500.0]])
    array([0, 1, 3])
    """

    _gates_take_missing = True
    _parameter_constraints = {
        **LocalClassifier._parameter_constraints,
        "feature": [Interval(Integral, 0, None, closed="left"), str, None],
    }

    def __init__(
        self,
        estimator=None,
        n_regions=4,
        *,
        feature=None,
        prior_correction="none",
        n_jobs=None,
        random_state=None,
    ):
        self.estimator = estimator
        self.n_regions = n_regions
        self.feature = feature
        self.prior_correction = prior_correction
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Cut a column into slices; fit an expert to each.

        {fit_table}
        """
        X, label, weight, rng = self._start(X, y, sample_weight)
        self.feature_ = self._find_feature(X)

        column = take_column(X, self.feature_)
        known = column[~np.isnan(column)]
        low, high = (known.min(), known.max()) if len(known) > 0 else (0.0, 0.0)
        # Halves first: the width of the greatest range of floats would overflow.
        parts = np.arange(1, self.n_regions) / self.n_regions
        self.edges_ = low * (1.0 - parts) + high * parts
        found = np.digitize(known, self.edges_) if high > low else np.zeros(len(known))
        names, _ = number_regions(found.astype(np.intp) if len(known) else [0])
        places = np.arange(self.n_regions)
        nearest = np.abs(places[:, np.newaxis] - names).argmin(axis=1)
        self.slices_ = nearest
        self._expert_of_missing = int(
            np.bincount(nearest[self._slice(known)], minlength=1).argmax()
        )
        regions = group_rows(self._route(X), len(names))
        return self._fit_experts(X, label, weight, regions, rng)

    def _find_feature(self, X):
        """Return the place of the column that is sliced."""
        if isinstance(self.feature, str):
            names = getattr(self, "feature_names_in_", np.array([], dtype=object))
            place = np.flatnonzero(names == self.feature)
            if len(place) == 0:
                raise ValueError(
                    f"feature={self.feature!r} is not a column of X, whose names are "
                    f"{names.tolist()}."
                )
            return int(place[0])
        if self.feature is not None:
            if self.feature >= X.shape[1]:
                raise ValueError(
                    f"feature={self.feature} must be less than the number of columns, "
                    f"{X.shape[1]}."
                )
            return int(self.feature)
        for j in range(X.shape[1]):
            column = take_column(X, j)
            if len(np.unique(column[~np.isnan(column)])) >= MIN_VALUES:
                return j
        return 0

    def _slice(self, values):
        """Return the slice of equal width of each value."""
        return np.digitize(values, self.edges_)

    def _route(self, X):
        column = take_column(X, self.feature_)
        missing = np.isnan(column)
        expert = self.slices_[self._slice(np.where(missing, 0.0, column))]
        return np.where(missing, self._expert_of_missing, expert)


def take_column(X, j):
    """Return a column of an array or of a sparse matrix as an array."""
    return X[:, [j]].toarray()[:, 0] if issparse(X) else X[:, j]
