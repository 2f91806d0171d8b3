"""Whether rows that are said to be hard are those that a classifier gets wrong."""

from dataclasses import dataclass, field

import numpy as np
from scipy.stats import rankdata
from sklearn.neighbors import NearestNeighbors
from sklearn.utils import check_array, column_or_1d
from sklearn.utils.validation import check_consistent_length

from manyminds.analysis.complexity.clustering import average_clusters
from manyminds.analysis.complexity.space import DistanceSpace

FEWEST_CLUSTERS = 3  # two points are always on a line
STRONG = 0.8  # the correlation that the thesis calls a success


@dataclass(frozen=True, eq=False)
class ComplexityAgreement:
    """How an index of complexity goes with the errors of a classifier.

    Parameters
    ----------
    correlation : float
        Pearson's correlation of the clusters' indices with their shares of errors;
        NaN where there is none, as in fewer than two clusters.
    rank_correlation : float
        Spearman's, likewise.
    auc : float
        How probable it is that a row with an error has a higher index than a row
        without; NaN if all rows are alike. No clusters are needed for it.
    n_clusters : int
        Clusters with rows in them.
    is_monotone : bool
        Whether a harder cluster never has fewer errors; False for a single cluster.
    is_success : bool
        Whether the correlation is 0.8 or more, over three clusters or more.
    cluster_mri, cluster_error, cluster_sizes : ndarray of shape (n_clusters,)
        Mean index, share of errors and size of the clusters with rows in them, from
        the hardest to the easiest.
    """

    correlation: float
    rank_correlation: float
    auc: float
    n_clusters: int
    is_monotone: bool
    is_success: bool
    cluster_mri: np.ndarray = field(repr=False)
    cluster_error: np.ndarray = field(repr=False)
    cluster_sizes: np.ndarray = field(repr=False)

    @property
    def thesis_correlation(self):
        """The correlation as the thesis counts it: 1 for one cluster, 0 if undefined.

        Two clusters give 1 or -1, whatever they are.
        """
        if self.n_clusters == 1:
            return 1.0
        return 0.0 if np.isnan(self.correlation) else self.correlation


def measure_complexity_agreement(mri, labels, is_error):
    """Hold an index of complexity, and clusters, against a classifier's errors.

    Parameters
    ----------
    mri : array-like of shape (n_samples,)
        Index of each row, such as ``mri_`` of `MultiResolutionComplexity`.
    labels : array-like of shape (n_samples,)
        Cluster of each row, from 0, such as its ``labels_``.
    is_error : array-like of shape (n_samples,)
        Which rows a classifier gets wrong that was not fitted on them, as by
        ``cross_val_predict(...) != y``.

    Returns
    -------
    agreement : ComplexityAgreement

    Notes
    -----
    Both sides look at the labels: rows unlike their neighbors have a high index and
    are misclassified. Some agreement is sure; hold it against that of
    `disagreeing_neighbors`.

    Examples
    --------
    >>> from manyminds.analysis import measure_complexity_agreement
    >>> found = measure_complexity_agreement(
    ...     [0.9, 0.9, 0.5, 0.5, 0.1, 0.1], [0, 0, 1, 1, 2, 2], [1, 1, 1, 0, 0, 0]
    ... )
    >>> found.correlation, found.n_clusters, found.is_success
    (1.0, 3, True)
    """
    mri, labels = np.asarray(mri, dtype=np.float64), column_or_1d(labels)
    is_error = column_or_1d(is_error).astype(bool)
    check_consistent_length(mri, labels, is_error)
    if len(mri) == 0 or labels.dtype.kind not in "iu" or labels.min() < 0:
        raise ValueError("labels takes the number of a cluster, from 0, for each row.")

    n_clusters = labels.max() + 1
    hardness, sizes = average_clusters(mri, labels, n_clusters)
    error, _ = average_clusters(is_error.astype(np.float64), labels, n_clusters)
    order = np.argsort(-hardness, kind="stable")
    order = order[sizes[order] > 0]
    hardness, error, sizes = hardness[order], error[order], sizes[order]
    correlation, n_found = _correlate(hardness, error), len(order)
    return ComplexityAgreement(
        correlation,
        _correlate(rankdata(hardness), rankdata(error)),
        _area_under_curve(mri, is_error),
        n_found,
        bool(n_found > 1 and (np.diff(error) <= 0.0).all()),
        bool(n_found >= FEWEST_CLUSTERS and correlation >= STRONG),
        hardness,
        error,
        sizes,
    )


def disagreeing_neighbors(X, y, n_neighbors=5):
    """Return the share of the nearest neighbors of each row that have another label.

    The plain index of complexity (kDN) that a cleverer one should beat.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Rows of numbers; columns are standardized first.
    y : array-like of shape (n_samples,)
        Their classes.
    n_neighbors : int, default=5
        Nearest other rows; all of them if there are fewer.

    Returns
    -------
    shares : ndarray of shape (n_samples,)
        1 is the hardest.

    References
    ----------
    .. [1] Smith, Martinez and Giraud-Carrier, "An instance level analysis of data
       complexity", Machine Learning 95, 2014.

    Examples
    --------
    >>> from manyminds.analysis import disagreeing_neighbors
    >>> disagreeing_neighbors([[0.0], [1.0], [5.0], [6.0]], [0, 0, 1, 0], n_neighbors=1)
    array([0., 0., 1., 1.])
    """
    X, y = check_array(X, dtype=np.float64, ensure_min_samples=2), column_or_1d(y)
    check_consistent_length(X, y)
    if n_neighbors < 1:
        raise ValueError(f"n_neighbors takes a number from 1 on; got {n_neighbors!r}.")
    points = DistanceSpace("standard").fit(X)
    index = NearestNeighbors(n_neighbors=min(n_neighbors, len(X) - 1)).fit(points)
    near = index.kneighbors(return_distance=False)
    return (y[near] != y[:, None]).mean(axis=1)


def _correlate(a, b):
    """Return Pearson's correlation, NaN if one side does not vary."""
    if len(a) < 2 or np.ptp(a) == 0.0 or np.ptp(b) == 0.0:
        return float("nan")
    a, b = a - a.mean(), b - b.mean()
    return float(np.clip(a @ b / np.sqrt((a @ a) * (b @ b)), -1.0, 1.0))


def _area_under_curve(scores, is_error):
    n_errors = int(is_error.sum())
    n_right = len(scores) - n_errors
    if n_errors == 0 or n_right == 0:
        return float("nan")
    above = rankdata(scores)[is_error].sum() - n_errors * (n_errors + 1) / 2
    return float(above / (n_errors * n_right))
