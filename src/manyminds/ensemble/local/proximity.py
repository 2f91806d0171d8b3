"""Forest proximity: in how many trees two rows share a leaf."""

import numpy as np
from joblib import effective_n_jobs
from scipy.sparse import csr_array, vstack
from sklearn.utils import check_random_state
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted

from manyminds.kernels.shared_leaves import find_most_shared, list_members
from manyminds.trees.chunks import divide_rows
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import BREIMAN_2001, cite

_BLOCK_CELLS = 2**22  # of a proximity matrix that are made at a time: 32 MB
_BLOCK_ROWS = 2**13  # whose neighbors a thread finds at a time


@fill_docstring(references=cite(BREIMAN_2001))
def forest_proximity(forest, X, X_other=None):
    r"""Return the proximity of rows: the share of trees with both in one leaf.

    .. math:: s(x, x') = \frac{1}{T} \sum_{t=1}^T
       I(\mathrm{leaf}_t(x) = \mathrm{leaf}_t(x'))

    It is 1 for equal rows, symmetric and positive semidefinite, and does not depend
    on units: a kernel that depends on the classes [1]_.

    Parameters
    ----------
    forest : fitted forest
        Ours or scikit-learn's: ``apply`` returns the leaves of rows.
    X : array-like of shape (n_rows, n_features)
        Rows.
    X_other : array-like of shape (n_others, n_features), default=None
        Rows to compare them with; None: the same.

    Returns
    -------
    proximity : ndarray of shape (n_rows, n_others)
        Between 0 and 1.

    {references}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.ensemble import RandomForestClassifier
    >>> from manyminds.ensemble.local.proximity import forest_proximity
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = RandomForestClassifier(random_state=0).fit(X, y)
    >>> near = forest_proximity(forest, X[[0, 50]], X[[0, 1, 51]])
    >>> print(near[0, 0] == 1.0, near[0, 1] > 0.5, near[0, 2] == 0.0)
    True True True
    """
    check_is_fitted(forest)
    leaves = np.asarray(forest.apply(X))
    others = leaves if X_other is None else np.asarray(forest.apply(X_other))
    proximity = np.empty((len(leaves), len(others)))
    for rows, block in list_proximities(leaves, others):
        proximity[rows] = block.toarray()
    return proximity


@fill_docstring(references=cite(BREIMAN_2001))
def forest_neighbors(
    forest, X, X_other=None, *, n_neighbors=10, max_samples=None, random_state=None
):
    """Return the highest proximities of rows, as a sparse graph.

    Only pairs of rows that share a leaf are counted, row after row, on as many threads
    as ``forest.n_jobs`` says. Memory is linear in the number of rows; time is linear in
    the number of those pairs, some 10^8 per second and thread. Deep trees suit large
    tables: of rows that are 1,000 to a leaf in 30 trees, 1,000,000 have 3 * 10^10 pairs
    [1]_.

    Parameters
    ----------
    forest : fitted forest
        Ours or scikit-learn's: ``apply`` returns the leaves of rows.
    X : array-like of shape (n_rows, n_features)
        Rows.
    X_other : array-like of shape (n_others, n_features), default=None
        Rows to compare them with; None: the same, each without itself.
    n_neighbors : int, default=10
        Number of neighbors of each row, fewer if fewer share a leaf with it. Of equal
        proximities the first rows are kept.
    max_samples : int, default=None
        Maximum number of the other rows to compare with, drawn at random: for trees
        with so large leaves that there are too many pairs, whose number is
        proportional to it. None: all.
    random_state : int, RandomState instance or None, default=None
        Draws these rows.

    Returns
    -------
    graph : sparse CSR array of shape (n_rows, n_others)
        Proximities as those of `forest_proximity`; only columns of rows that were drawn
        have entries.

    {references}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.ensemble import RandomForestClassifier, forest_neighbors
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = RandomForestClassifier(random_state=0).fit(X, y)
    >>> graph = forest_neighbors(forest, X, n_neighbors=5)
    >>> graph.shape, graph.nnz
    ((150, 150), 750)
    >>> print((y[graph.indices].reshape(-1, 5) == y[:, None]).mean() > 0.95)
    True
    """
    check_is_fitted(forest)
    if n_neighbors < 1:
        raise ValueError(f"n_neighbors must be at least 1; got {n_neighbors!r}.")
    leaves = np.asarray(forest.apply(X))
    others = leaves if X_other is None else np.asarray(forest.apply(X_other))
    n_others, drawn = len(others), np.arange(len(others))
    if max_samples is not None and max_samples < n_others:
        rng = check_random_state(random_state)
        drawn = np.sort(rng.permutation(n_others)[:max_samples])
    own = np.full(len(leaves), -1)
    if X_other is None:
        own[drawn] = np.arange(len(drawn))
    n_jobs = getattr(forest, "n_jobs", None)
    graph = find_neighbors(leaves, others[drawn], n_neighbors, own, n_jobs)
    shape = len(leaves), n_others
    return csr_array((graph.data, drawn[graph.indices], graph.indptr), shape=shape)


def find_neighbors(leaves, others, n_neighbors, own=None, n_jobs=None):
    """Return the others that share the leaves of most trees with each row.

    Parameters
    ----------
    leaves : ndarray of shape (n_rows, n_trees)
        Number of each row's leaf, counted within the tree.
    others : ndarray of shape (n_others, n_trees)
        Those of the rows to compare with.
    n_neighbors : int
        Number of others; of equal proximities the first ones are kept.
    own : ndarray of shape (n_rows,), int64, default=None
        One of the others that does not count for a row, or -1.
    n_jobs : int, default=None
        Number of threads.

    Returns
    -------
    graph : sparse CSR array of shape (n_rows, n_others)
        Their proximities.
    """
    n_nodes = np.maximum(leaves.max(axis=0), others.max(axis=0)) + 1
    first = np.cumsum(n_nodes) - n_nodes
    places = np.ascontiguousarray(others + first)
    starts = np.zeros(n_nodes.sum() + 1, np.int64)
    np.cumsum(np.bincount(places.ravel(), minlength=len(starts) - 1), out=starts[1:])
    members = np.empty(places.size, np.uint32)
    list_members(places, starts, members)
    own = np.full(len(leaves), -1) if own is None else own
    n_kept = min(n_neighbors, len(others))

    def find(rows):
        where = np.ascontiguousarray(leaves[rows] + first)
        near = np.full((len(where), n_kept), len(others))
        shared = np.zeros(near.shape, np.int32)
        find_most_shared(where, own[rows], starts, members, len(others), near, shared)
        return _make_graph(near, shared, (len(where), len(others)), leaves.shape[1])

    longest = max(1, min(_BLOCK_ROWS, _BLOCK_CELLS // n_kept))
    blocks = divide_rows(len(leaves), longest, effective_n_jobs(n_jobs))
    run = Parallel(n_jobs=n_jobs, require="sharedmem")
    return csr_array(vstack(run(delayed(find)(rows) for rows in blocks)))


def _make_graph(near, shared, shape, n_trees):
    """Return the proximities of neighbors as a sparse array, in order."""
    order = np.argsort(near, axis=1)
    near, shared = (np.take_along_axis(one, order, 1) for one in (near, shared))
    found = shared > 0
    starts = np.append(0, np.cumsum(found.sum(axis=1)))
    return csr_array((shared[found] / n_trees, near[found], starts), shape=shape)


def list_proximities(leaves, others):
    """Yield a slice of rows and their proximities to all others, block by block.

    Parameters
    ----------
    leaves : ndarray of shape (n_rows, n_trees)
        Number of each row's leaf, counted within the tree.
    others : ndarray of shape (n_others, n_trees)
        Those of the rows to compare with.

    Yields
    ------
    rows : slice
        Which rows.
    proximity : sparse CSR array of shape (rows of the slice, n_others)
        Between 0 and 1. In deep trees, most pairs of rows share no leaf.
    """
    n_nodes = np.maximum(leaves.max(axis=0), others.max(axis=0)) + 1
    first = np.cumsum(n_nodes) - n_nodes
    by_leaf = _mark_leaves(others + first, n_nodes.sum()).T.tocsr()
    n_together = max(1, _BLOCK_CELLS // len(others))
    for begin in range(0, len(leaves), n_together):
        rows = slice(begin, min(begin + n_together, len(leaves)))
        marks = _mark_leaves(leaves[rows] + first, n_nodes.sum())
        proximity = marks @ by_leaf
        proximity.data /= leaves.shape[1]  # not times 1 / n, which may be below 1 / n
        yield rows, proximity


def _mark_leaves(places, n_places):
    """Make a sparse matrix with ones where a row is in a leaf."""
    n_rows, n_trees = places.shape
    starts = np.arange(0, n_rows * n_trees + 1, n_trees)
    ones = np.ones(n_rows * n_trees)
    return csr_array((ones, places.ravel(), starts), shape=(n_rows, n_places))
