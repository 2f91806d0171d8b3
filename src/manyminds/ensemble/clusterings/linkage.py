"""Consensus by agglomeration of the co-association: average linkage, or evidence."""

import numpy as np
from scipy.cluster.hierarchy import linkage
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from manyminds.ensemble.clusterings.labelings import measure_distances


def link_average(labelings, candidates, *, normalize, n_jobs=None, **_):
    """Cut the tree of average linkage into each number of parts.

    Parameters
    ----------
    labelings : Labelings
    candidates : list of int
        Numbers of parts.
    normalize, n_jobs
        See `measure_distances`.

    Returns
    -------
    partitions : dict of int to ndarray of shape (n_rows,)
        By the number of parts.
    preferred : None
        The method has no rule of its own for the number of parts.
    """
    distances = measure_distances(labelings, normalize, n_jobs)
    return cut_tree(linkage(distances, "average"), candidates), None


def accumulate_evidence(labelings, candidates, *, normalize, n_jobs=None, **_):
    """Cut the tree of single linkage where the number of parts lives longest.

    The lifetime of a number of parts is the range of distances at which the tree has
    so many. Parameters and results are those of `link_average`; ``preferred`` is the
    candidate of the longest life.
    """
    distances = measure_distances(labelings, normalize, n_jobs)
    tree = linkage(distances, "single")
    heights = np.concatenate([[0.0], tree[:, 2]])  # of n, n - 1, ..., 1 parts
    n_rows = labelings.n_rows
    lives = [heights[n_rows - k + 1] - heights[n_rows - k] for k in candidates]
    return cut_tree(tree, candidates), candidates[int(np.argmax(lives))]


def cut_tree(tree, candidates):
    """Return the partitions of a linkage tree by their number of parts.

    Ties are cut, too: each partition has the number of parts that is asked for.

    Parameters
    ----------
    tree : ndarray of shape (n_rows - 1, 4)
        As `scipy.cluster.hierarchy.linkage` returns it.
    candidates : iterable of int

    Returns
    -------
    partitions : dict of int to ndarray of int64 of shape (n_rows,)
        Parts in the order of their first rows.

    Examples
    --------
    >>> from scipy.cluster.hierarchy import linkage
    >>> from manyminds.ensemble.clusterings.linkage import cut_tree
    >>> cut_tree(linkage([[0.0], [5.0], [1.0], [8.0]]), [2, 3])
    {2: array([0, 1, 0, 1]), 3: array([0, 1, 0, 2])}
    """
    n_rows = len(tree) + 1
    children = tree[:, :2].astype(np.int64)
    partitions = {}
    for k in candidates:
        kept = children[: n_rows - k]
        parents = np.repeat(np.arange(n_rows, n_rows + len(kept)), 2)
        graph = csr_array(
            (np.ones(len(parents)), (parents, kept.ravel())),
            shape=(2 * n_rows, 2 * n_rows),
        )
        part = connected_components(graph, directed=False)[1][:n_rows]
        partitions[k] = number_parts(part)
    return partitions


def number_parts(part):
    """Number parts 0, 1, ... in the order of their first rows."""
    _, first, code = np.unique(part, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[code]
