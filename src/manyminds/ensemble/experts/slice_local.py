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
        known = known if len(known) > 0 else np.zeros(1)
        share = np.arange(1, self.n_regions) / self.n_regions
        self.edges_ = known.min() * (1.0 - share) + known.max() * share
        names, region = number_regions(np.digitize(known, self.edges_))
        places = np.arange(self.n_regions)
        self.slices_ = np.abs(places[:, np.newaxis] - names).argmin(axis=1)
        self._expert_of_missing = int(np.bincount(region).argmax())
        regions = group_rows(self._route(X), len(names))
        return self._fit_experts(X, label, weight, regions, rng)

    def _find_feature(self, X):
        """Return the place of the column that is sliced."""
        if self.feature is not None:
            return find_column(self, self.feature)
        for j in range(X.shape[1]):
            column = take_column(X, j)
            if len(np.unique(column[~np.isnan(column)])) >= MIN_VALUES:
                return j
        return 0

    def _route(self, X):
        column = take_column(X, self.feature_)
        missing = np.isnan(column)
        found = np.digitize(np.where(missing, 0.0, column), self.edges_)
        expert = self.slices_[found]
        return np.where(missing, self._expert_of_missing, expert)


def find_column(model, feature):
    """Return the place of a column that is given by its place or its name."""
    names = getattr(model, "feature_names_in_", np.array([], dtype=object)).tolist()
    if not isinstance(feature, str):
        if feature >= model.n_features_in_:
            raise ValueError(
                f"feature={feature} must be less than the number of columns, "
                f"{model.n_features_in_}."
            )
        return int(feature)
    if feature not in names:
        raise ValueError(
            f"feature={feature!r} is not a column of X, whose names are {names}."
        )
    return names.index(feature)


def take_column(X, j):
    """Return a column of an array or of a sparse matrix as an array."""
    return X[:, [j]].toarray()[:, 0] if issparse(X) else X[:, j]
