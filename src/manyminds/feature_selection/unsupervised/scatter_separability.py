"""Scatter separability: add the feature that separates its own clusters best."""

from numbers import Integral

import numpy as np

from manyminds._compat import Interval
from manyminds.feature_selection._parameters import PARAMETERS
from manyminds.feature_selection.unsupervised.base import (
    N_CLUSTERS,
    KMeansWrapper,
    cluster_columns,
)
from manyminds.utils.docstrings import fill_docstring

_RIDGE = 1e-9  # of the mean variance, so that collinear columns can be inverted


@fill_docstring(**PARAMETERS)
class ScatterSeparabilitySelector(KMeansWrapper):
    r"""Select features forward by the scatter of the clusters that they make.

    For each subset of features, k-means clusters the rows, and the criterion is
    :math:`\mathrm{trace}(S_w^{-1} S_b)` of the scatter within and between clusters. It
    grows with the number of features; subsets of different sizes are therefore
    compared by cross-projection: each criterion is multiplied by that of the same
    clusters in the features of the other subset [1]_.

    Parameters
    ----------
    n_clusters : int or "auto", default="auto"
        Number of clusters; "auto": for each subset the number, up to ten, with the
        least Davies-Bouldin index.
    max_features_to_select : int, default=None
        Largest number of features; None: until the criterion does not improve.
    random_state : int, RandomState instance or None, default=None
        Draws the starts of k-means.

    Attributes
    ----------
    order_ : ndarray of int64
        Selected features in the order in which they were added.
    {support}
    {n_features_in}

    References
    ----------
    .. [1] Dy and Brodley, "Feature selection for unsupervised learning", JMLR 5, 2004.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.feature_selection import ScatterSeparabilitySelector
    >>> X, y = load_iris(return_X_y=True)
    >>> selector = ScatterSeparabilitySelector(3, random_state=0).fit(X)
    >>> int(selector.order_[0])
    2
    """

    _parameter_constraints = {
        "n_clusters": N_CLUSTERS,
        "max_features_to_select": [Interval(Integral, 1, None, closed="left"), None],
        "random_state": ["random_state"],
    }

    def __init__(
        self, n_clusters="auto", *, max_features_to_select=None, random_state=None
    ):
        self.n_clusters = n_clusters
        self.max_features_to_select = max_features_to_select
        self.random_state = random_state

    def _search(self, points, rng):
        """Add features one by one while the criterion improves."""
        most = min(self.max_features_to_select or len(points), len(points))
        seed = rng.randint(2**31 - 1)
        chosen = np.zeros(len(points), dtype=bool)
        order, label = [], None
        while len(order) < most:
            feature, mask, found = self._add_best(points, chosen, seed)
            if order and not _improves(points, chosen, label, mask, found):
                break
            order.append(feature)
            chosen, label = mask, found
        self.order_ = np.array(order)
        return chosen

    def _add_best(self, points, chosen, seed):
        """Return the best feature to add, the subset with it, and its clusters."""
        best = None
        for feature in np.flatnonzero(~chosen):
            mask = chosen.copy()
            mask[feature] = True
            label = cluster_columns(points, mask, self.n_clusters, seed)[0]
            value = scatter_separability(points[mask], label)
            if best is None or value > best[0]:
                best = value, feature, mask, label
        return best[1:]


def scatter_separability(points, label):
    """Return the trace of between-cluster scatter over within-cluster scatter.

    Parameters
    ----------
    points : ndarray of shape (n_features, n_rows)
    label : ndarray of int of shape (n_rows,)

    Returns
    -------
    separability : float
    """
    n_columns, n_rows = points.shape
    sizes = np.bincount(label)
    sums = np.stack([np.bincount(label, row) for row in points], axis=1)
    means = sums / np.maximum(sizes, 1)[:, None]
    inside = points - means[label].T
    within = inside @ inside.T / n_rows
    outside = (means - points.mean(axis=1)) * np.sqrt(sizes / n_rows)[:, None]
    between = outside.T @ outside
    total = np.trace(within + between) / n_columns
    within += (_RIDGE * total or 1.0) * np.eye(n_columns)
    return float(np.trace(np.linalg.solve(within, between)))


def _improves(points, before, label_before, after, label_after):
    """Return whether a subset is better than a smaller one, by cross-projection."""
    old = scatter_separability(points[before], label_before)
    old *= scatter_separability(points[after], label_before)
    new = scatter_separability(points[after], label_after)
    new *= scatter_separability(points[before], label_after)
    return new > old
