"""Agreement of a complexity index with the errors of a classifier."""

from dataclasses import dataclass, field

import numpy as np
from scipy.stats import rankdata
from sklearn.neighbors import NearestNeighbors
from sklearn.utils import check_array, column_or_1d
from sklearn.utils.validation import check_consistent_length

from manyminds.analysis.complexity.clustering import average_clusters
from manyminds.analysis.distance_space import DistanceSpace

MIN_CLUSTERS = 3  # two points are always on a line
MIN_CORRELATION = 0.8  # a success in the thesis


@dataclass(frozen=True, eq=False)
class ComplexityAgreement:
    """Agreement of a complexity index with the errors of a classifier.

    Parameters
    ----------
    correlation : float
        Pearson's correlation of the clusters' indices with their error rates; NaN if
        undefined, as for fewer than two clusters.
    rank_correlation : float
        Spearman's correlation of the same.
    auc : float
        Area under the ROC curve of the index as a score of errors, without clusters;
        NaN if all rows are errors, or none.
    n_clusters : int
        Number of non-empty clusters.
    is_monotone : bool
        Whether the error rate never decreases with the index; False for one cluster.
    is_success : bool
        Whether the correlation is at least 0.8, over at least three clusters.
    cluster_mri, cluster_error, cluster_sizes : ndarray of shape (n_clusters,)
        Mean index, error rate and size of the non-empty clusters, from the hardest to
        the easiest.
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
        """Correlation as in the thesis: 1 for one cluster, 0 if undefined.

        For two clusters it is always 1 or -1.
        """
        if self.n_clusters == 1:
            return 1.0
        return 0.0 if np.isnan(self.correlation) else self.correlation


def measure_complexity_agreement(mri, labels, is_error):
    """Compare a complexity index, and clusters, with the errors of a classifier.

    Parameters
    ----------
    mri : array-like of shape (n_samples,)
        Index of each row, such as ``mri_`` of `MultiResolutionComplexity`.
    labels : array-like of shape (n_samples,)
        Cluster of each row, from 0, such as its ``labels_``.
    is_error : array-like of shape (n_samples,)
        Out-of-fold errors of a classifier, ``cross_val_predict(...) != y``.

    Returns
    -------
    agreement : ComplexityAgreement

    Notes
    -----
    Both the index and the errors depend on the labels: samples that differ from their
    neighbors have a high index and are misclassified. Some agreement is certain;
    compare it with that of `disagreeing_neighbors`.

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
        raise ValueError(
            "labels must be the number of a cluster, from 0, for each row."
        )

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
        bool(n_found >= MIN_CLUSTERS and correlation >= MIN_CORRELATION),
        hardness,
        error,
        sizes,
    )


def disagreeing_neighbors(X, y, n_neighbors=5):
    """Return the fraction of nearest neighbors with another label (kDN).

    A simple complexity index, as a baseline for others [1]_.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Samples; columns are standardized first.
    y : array-like of shape (n_samples,)
        Classes.
    n_neighbors : int, default=5
        Number of neighbors; all other rows if there are fewer.

    Returns
    -------
    fractions : ndarray of shape (n_samples,)
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
        raise ValueError(f"n_neighbors must be at least 1; got {n_neighbors!r}.")
    points = DistanceSpace("standard").fit(X)
    index = NearestNeighbors(n_neighbors=min(n_neighbors, len(X) - 1)).fit(points)
    near = index.kneighbors(return_distance=False)
    return (y[near] != y[:, None]).mean(axis=1)


def _correlate(a, b):
    """Return Pearson's correlation, NaN if one side is constant."""
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
