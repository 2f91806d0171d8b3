"""Pruning by clusters: one member of each group that predicts alike."""

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform


def pick_from_clusters(distance, quality, size):
    """Return the best member of each of some clusters.

    Members are clustered by average linkage.

    Parameters
    ----------
    distance : ndarray of shape (n_members, n_members)
        How differently members predict.
    quality : ndarray of shape (n_members,)
        Higher is better.
    size : int
        Number of clusters; there may be fewer if members are equal.

    Returns
    -------
    members : ndarray of int
        The best first.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.ensemble.pruning.clustering import pick_from_clusters
    >>> place = np.array([0.0, 0.1, 5.0, 5.1])
    >>> distance = np.abs(place[:, None] - place)
    >>> pick_from_clusters(distance, np.array([0.7, 0.8, 0.6, 0.5]), 2).tolist()
    [1, 2]
    """
    if size >= len(quality):
        return np.argsort(-quality, kind="stable")
    distance = (distance + distance.T) / 2.0
    np.fill_diagonal(distance, 0.0)
    tree = linkage(squareform(distance, checks=False), method="average")
    cluster = fcluster(tree, size, criterion="maxclust")
    order = np.argsort(-quality, kind="stable")
    _, first = np.unique(cluster[order], return_index=True)
    return order[np.sort(first)]
