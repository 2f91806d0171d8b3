"""Consensus by partitioning a graph: CSPA, MCLA and HBGF.

Their papers partition by METIS; here the parts are found by k-means on the leading
eigenvectors of the normalized graph, which needs no further package.
"""

import warnings

import numpy as np
from scipy.sparse import diags_array, issparse
from scipy.sparse.linalg import eigsh, svds
from sklearn.cluster import KMeans

from manyminds.ensemble.clusterings.labelings import coassociation
from manyminds.ensemble.clusterings.linkage import number_parts
from manyminds.utils.threads import limit_threads

MAX_NODES = 8_000  # base clusters that MCLA compares by pairs: half a gigabyte
_N_STARTS = 5
_FEW_NODES = 200  # whose eigenvectors are computed all at once
_TOL = 1e-6  # of eigenvalues
_TINY = 1e-12  # degree of a node without edges


def partition_rows(labelings, candidates, *, normalize, rng, n_jobs=None, **_):
    """Partition the graph of rows, weighted by their co-association: CSPA.

    Parameters
    ----------
    labelings : Labelings
    candidates : list of int
        Numbers of parts.
    normalize, n_jobs
        See `measure_distances`.
    rng : RandomState

    Returns
    -------
    partitions : dict of int to ndarray of shape (n_rows,)
        By the number of parts.
    preferred : None
    """
    vectors = embed_graph(
        coassociation(labelings, normalize, n_jobs), max(candidates), rng
    )
    return {k: number_parts(group_nodes(vectors, k, rng)) for k in candidates}, None


def partition_clusters(labelings, candidates, *, rng, **_):
    """Group the base clusters by their rows in common; rows vote: MCLA.

    The weight of two base clusters is the Jaccard index of their rows. A row goes to
    the group of whose clusters the largest share contains it. Parameters and results
    are those of `partition_rows`.
    """
    marks = labelings.indicator()
    if marks.shape[1] > MAX_NODES:
        raise ValueError(
            f"consensus='mcla' compares base clusters by pairs, {MAX_NODES} at most; "
            f"there are {marks.shape[1]}. Take fewer members or base clusters, or "
            "another consensus."
        )
    shared = (marks.T @ marks).toarray()
    size = shared.diagonal()
    jaccard = shared / np.maximum(size[:, None] + size - shared, 1.0)
    vectors = embed_graph(jaccard, max(candidates), rng)
    partitions = {}
    for k in candidates:
        group = group_nodes(vectors, k, rng)
        mean = (np.arange(k) == group[:, None]) / np.maximum(
            np.bincount(group, minlength=k), 1
        )
        partitions[k] = number_parts((marks @ mean).argmax(axis=1))
    return partitions, None


def partition_both(labelings, candidates, *, rng, **_):
    """Partition the graph between rows and base clusters: HBGF.

    Parameters and results are those of `partition_rows`.
    """
    marks = labelings.indicator()
    marks = marks[:, np.flatnonzero(marks.sum(axis=0))]
    by_row, by_cluster = (
        1.0 / np.sqrt(np.maximum(marks.sum(axis=axis), 1.0)) for axis in (1, 0)
    )
    scaled = diags_array(by_row) @ marks @ diags_array(by_cluster)
    n_vectors = min(max(candidates), min(scaled.shape) - 1)
    start = rng.uniform(-1.0, 1.0, size=min(scaled.shape))
    left, values, right = svds(scaled.tocsr(), k=n_vectors, v0=start)
    order = np.argsort(-values)
    rows = left[:, order] * by_row[:, None]
    clusters = right[order].T * by_cluster[:, None]
    nodes = np.concatenate([rows, clusters])
    return {
        k: number_parts(group_nodes(nodes, k, rng)[: len(rows)]) for k in candidates
    }, None


def embed_graph(weights, n_vectors, rng):
    """Return the leading eigenvectors of the normalized graph.

    Parameters
    ----------
    weights : ndarray or sparse array of shape (n_nodes, n_nodes)
        Symmetric.
    n_vectors : int
    rng : RandomState
    """
    root = np.sqrt(np.maximum(np.asarray(weights.sum(axis=1)).ravel(), _TINY))
    if issparse(weights):
        scaled = diags_array(1.0 / root) @ weights @ diags_array(1.0 / root)
    else:
        scaled = weights / root[:, None] / root
    n_nodes = len(root)
    if n_nodes <= max(_FEW_NODES, n_vectors + 1):
        dense = scaled.toarray() if issparse(scaled) else scaled
        vectors = np.linalg.eigh(dense)[1][:, ::-1][:, :n_vectors]
    else:
        start = rng.uniform(-1.0, 1.0, size=n_nodes)
        values, vectors = eigsh(scaled, n_vectors, which="LA", v0=start, tol=_TOL)
        vectors = vectors[:, np.argsort(-values)]
    return vectors / root[:, None]


def group_nodes(vectors, n_parts, rng):
    """Group nodes by k-means on as many eigenvectors as there are parts."""
    seed = rng.randint(2**31 - 1)
    model = KMeans(n_parts, n_init=_N_STARTS, random_state=seed)
    with warnings.catch_warnings(), limit_threads(1):
        warnings.filterwarnings("ignore", message="Number of distinct clusters")
        return model.fit_predict(vectors[:, :n_parts])
