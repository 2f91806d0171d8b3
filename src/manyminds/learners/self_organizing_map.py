"""Self-organizing map: clusters on a grid, near ones alike."""

from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from manyminds._compat import DocLinkMixin, Interval
from manyminds.kernels.kmeans import label_by_center

SIDE = Interval(Integral, 1, None, closed="left")


class SelfOrganizingMap(ClusterMixin, DocLinkMixin, BaseEstimator):
    r"""Cluster rows by the units of a map, where near units are alike.

    Units stand on a rectangular grid, and each has a center. In each pass, all rows go
    to their nearest centers, and a center becomes the mean of all rows, weighted by
    :math:`\exp(-d^2 / 2 \sigma^2)` of the distance on the grid between the two units:
    the batch map [1]_. The radius :math:`\sigma` shrinks from pass to pass.

    Parameters
    ----------
    n_rows, n_columns : int, default=3
        Sides of the grid.
    radius : float, default=None
        Radius of the first pass; None: half of the longer side.
    final_radius : float, default=0.3
        Radius of the last pass. At 0.3, a neighbor weighs 0.004: nearly k-means.
    n_passes : int, default=30
        Number of passes.
    random_state : int, RandomState instance or None, default=None
        Draws the rows at which centers begin.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_units, n_features)
        Centers, one row of the grid after the other.
    labels_ : ndarray of int64 of shape (n_samples,)
        Unit of each row; a unit may have no rows.

    References
    ----------
    .. [1] Kohonen, "Self-organizing maps", Springer, 2001.

    Examples
    --------
    >>> from manyminds.learners import SelfOrganizingMap
    >>> model = SelfOrganizingMap(1, 2, random_state=0).fit([[0.0], [0.1], [5.0]])
    >>> bool(model.labels_[0] == model.labels_[1] != model.labels_[2])
    True
    """

    _parameter_constraints = {
        "n_rows": [SIDE],
        "n_columns": [SIDE],
        "radius": [Interval(Real, 0.0, None, closed="neither"), None],
        "final_radius": [Interval(Real, 0.0, None, closed="neither")],
        "n_passes": [SIDE],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_rows=3,
        n_columns=3,
        *,
        radius=None,
        final_radius=0.3,
        n_passes=30,
        random_state=None,
    ):
        self.n_rows = n_rows
        self.n_columns = n_columns
        self.radius = radius
        self.final_radius = final_radius
        self.n_passes = n_passes
        self.random_state = random_state

    def fit(self, X, y=None):
        """Find the centers of the units.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)
            Training samples.
        y : None
            Ignored.

        Returns
        -------
        self : object
            The fitted map.
        """
        self._validate_params()
        X = validate_data(self, X, dtype=np.float64)
        rng = check_random_state(self.random_state)

        points = np.ascontiguousarray(X.T)
        n_units = self.n_rows * self.n_columns
        gaps = _measure_grid(self.n_rows, self.n_columns)
        centers = X[rng.randint(len(X), size=n_units)].copy()
        for radius in self._list_radii():
            label = _find_nearest(points, centers)
            size = np.bincount(label, minlength=n_units)
            sums = np.zeros_like(centers)
            np.add.at(sums, label, X)
            weight = np.exp(-gaps / (2.0 * radius**2))
            total = weight @ size
            reached = total > 0.0  # another unit's rows may be too far for any weight
            centers[reached] = (weight @ sums)[reached] / total[reached, None]
        self.cluster_centers_ = centers
        self.labels_ = _find_nearest(points, centers)
        return self

    def _list_radii(self):
        """Return the radius of each pass, shrinking by a constant factor."""
        first = self.radius
        if first is None:
            first = max(self.n_rows, self.n_columns) / 2.0
        return np.geomspace(first, self.final_radius, self.n_passes)

    def predict(self, X):
        """Return the unit with the nearest center.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        labels : ndarray of int64 of shape (n_samples,)
            Their units.
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return _find_nearest(np.ascontiguousarray(X.T), self.cluster_centers_)


def _find_nearest(points, centers):
    """Return the nearest center of each row; rows are the columns of ``points``."""
    label = np.zeros(points.shape[1], dtype=np.int32)
    label_by_center(points, np.ascontiguousarray(centers), label)
    return label.astype(np.int64)


def _measure_grid(n_rows, n_columns):
    """Return the squared distances between all units on the grid."""
    place = np.stack(np.divmod(np.arange(n_rows * n_columns), n_columns), axis=1)
    gap = place[:, None] - place
    return (gap**2).sum(axis=2).astype(np.float64)
