"""Random prototype oracle: one classifier for each random prototype's cell."""

from numbers import Integral

import numpy as np

from manyminds._compat import Interval, StrOptions
from manyminds.ensemble.experts._parameters import PARAGRAPHS
from manyminds.ensemble.experts.base import (
    LocalClassifier,
    fit_point_scaler,
    group_rows,
    look_up_regions,
    number_regions,
    scale_points,
)
from manyminds.ensemble.experts.prototypes import (
    WAYS,
    draw_prototypes,
    measure_distances,
)
from manyminds.utils.docstrings import fill_docstring


@fill_docstring(**PARAGRAPHS)
class RandomPrototypeOracleClassifier(LocalClassifier):
    """Classify each row by the model of the nearest of some random training rows.

    Some training rows, the prototypes, are drawn; a model is fitted to the rows that
    are nearest to each of them, and predicts new rows that are nearest to it. All
    models together cost no more than one on all rows. Alone, this is seldom better
    than that one: use it as ``estimator`` of an ensemble, whose members it makes
    diverse [1]_.

    Parameters
    ----------
    estimator : classifier, default=None
        Estimator to clone for each prototype; None: a logistic regression of
        standardized columns. A cell with one class gets a constant.
    n_prototypes : int, default=3
        Number of prototypes; at most that of rows.
    {oracle_prototypes}
    {scale}
    {run}

    Attributes
    ----------
    prototypes_ : ndarray of shape (n_prototypes, n_features)
        The prototypes, as rows of X.
    scaler_ : StandardScaler or None
        Scales the columns for distances.
    {local}
    {class_names}

    See Also
    --------
    RandomOracleClassifier : Two prototypes, also for dataframes with categories and
        missing values.
    MRPEClassifier : Experts that share samples by distance.

    {hme_references}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.ensemble import BaggingClassifier
    >>> from manyminds.ensemble import RandomPrototypeOracleClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> oracle = RandomPrototypeOracleClassifier(random_state=0)
    >>> oracle.fit(X, y).prototypes_.shape
    (3, 4)
    >>> bagging = BaggingClassifier(oracle, random_state=0).fit(X[::2], y[::2])
    >>> print(bagging.score(X[1::2], y[1::2]) > 0.9)
    True
    """

    _parameter_constraints = {
        "estimator": LocalClassifier._parameter_constraints["estimator"],
        "n_prototypes": [Interval(Integral, 1, None, closed="left")],
        "prototypes": [StrOptions(set(WAYS)), "array-like"],
        "metric": [str, callable],
        "scale": [StrOptions({"standard"}), None],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator=None,
        n_prototypes=3,
        *,
        prototypes="random",
        metric="euclidean",
        scale="standard",
        n_jobs=None,
        random_state=None,
    ):
        self.estimator = estimator
        self.n_prototypes = n_prototypes
        self.prototypes = prototypes
        self.metric = metric
        self.scale = scale
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Draw prototypes; fit an expert to the rows nearest to each.

        {fit_table}
        """
        X, label, weight, rng = self._start(X, y, sample_weight)

        self.scaler_ = fit_point_scaler(X, weight, self.scale)
        if isinstance(self.prototypes, str):
            n_drawn = min(self.n_prototypes, X.shape[0])
            points = scale_points(self.scaler_, X)
            drawn = draw_prototypes(
                points, label, weight, n_drawn, self.prototypes, rng
            )
            found = X[drawn]
            self.prototypes_ = found.toarray() if hasattr(found, "toarray") else found
        else:
            self.prototypes_ = read_prototypes(self.prototypes, X.shape[1])
        self._names, region = number_regions(self._find_nearest(X))
        regions = group_rows(region, len(self._names))
        return self._fit_experts(X, label, weight, regions, rng)

    def _find_nearest(self, X):
        distances = measure_distances(
            scale_points(self.scaler_, X),
            scale_points(self.scaler_, self.prototypes_),
            self.metric,
        )
        return distances.argmin(axis=1)

    def _route(self, X):
        return look_up_regions(self._find_nearest(X), self._names, self.n_rows_)


def read_prototypes(prototypes, n_features):
    """Return given prototypes as an array; check the number of columns."""
    points = np.array(prototypes, dtype=np.float64)
    if (
        points.ndim != 2
        or points.shape[1] != n_features
        or not np.isfinite(points).all()
    ):
        raise ValueError(
            f"prototypes must be finite numbers of shape (n_prototypes, {n_features}), "
            f"like rows of X; got an array of shape {points.shape}."
        )
    return points
