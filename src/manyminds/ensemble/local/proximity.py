"""Forest proximity: in how many trees two rows share a leaf."""

import numpy as np
from scipy.sparse import csr_array, vstack
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import BREIMAN_2001, cite

_BLOCK_CELLS = 2**22  # of a proximity matrix that are made at a time: 32 MB
_BLOCK_PAIRS = 2**23  # of rows in one leaf that are counted at a time: 100 MB


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

    Only pairs of rows that share a leaf are counted, some thousand rows at a time:
    memory is linear in the number of rows, and so is time, times the mean number of
    rows in a leaf and the number of trees. Deep trees suit large tables [1]_.

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
        with so large leaves that there are too many pairs. None: all.
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
    n_others, drawn = len(others), None
    if max_samples is not None and max_samples < n_others:
        rng = check_random_state(random_state)
        drawn = np.sort(rng.permutation(n_others)[:max_samples])
        others = others[drawn]
    return _find_neighbors(
        leaves, others, n_neighbors, drawn, n_others, X_other is None
    )


def _find_neighbors(leaves, others, n_neighbors, drawn, n_others, without_self):
    """Return the graph of the highest proximities; ``drawn`` are columns of others."""
    found = []
    for rows, block in list_proximities(leaves, others, by_pairs=True):
        if drawn is not None:
            columns, shape = drawn[block.indices], (block.shape[0], n_others)
            block = csr_array((block.data, columns, block.indptr), shape=shape)
        if without_self:
            owner = np.repeat(np.arange(rows.start, rows.stop), np.diff(block.indptr))
            block.data[block.indices == owner] = 0.0
        found.append(keep_highest(block, n_neighbors))
    return csr_array(vstack(found))


def keep_highest(block, n_kept):
    """Keep the highest entries above 0 of each row of a sparse array.

    Parameters
    ----------
    block : sparse CSR array of shape (n_rows, n_others)
    n_kept : int
        Number of entries; of equal ones, the first are kept.

    Returns
    -------
    highest : sparse CSR array of shape (n_rows, n_others)
    """
    block.eliminate_zeros()
    block.sort_indices()
    row = np.repeat(np.arange(block.shape[0]), np.diff(block.indptr))
    order = np.lexsort((-block.data, row))
    rank = np.arange(len(order)) - block.indptr[row[order]]
    kept = order[rank < n_kept]
    return csr_array(
        (block.data[kept], (row[kept], block.indices[kept])), shape=block.shape
    )


def list_proximities(leaves, others, by_pairs=False):
    """Yield a slice of rows and their proximities to all others, block by block.

    Parameters
    ----------
    leaves : ndarray of shape (n_rows, n_trees)
        Number of each row's leaf, counted within the tree.
    others : ndarray of shape (n_others, n_trees)
        Those of the rows to compare with.
    by_pairs : bool, default=False
        Whether to limit the number of pairs in one leaf, rather than the size of a
        block as a dense array.

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
    if by_pairs:
        cost = np.diff(by_leaf.indptr)[leaves + first].sum(axis=1)
        blocks = _cut_rows(cost, _BLOCK_PAIRS)
    else:
        blocks = _cut_rows(np.full(len(leaves), len(others)), _BLOCK_CELLS)
    for rows in blocks:
        marks = _mark_leaves(leaves[rows] + first, n_nodes.sum())
        yield rows, (marks @ by_leaf) / leaves.shape[1]


def _cut_rows(cost, limit):
    """Split rows into slices whose costs add up to the limit at most, if possible."""
    total, begin = np.cumsum(cost), 0
    while begin < len(cost):
        before = total[begin - 1] if begin else 0
        end = int(np.searchsorted(total, before + limit, side="right"))
        end = max(end, begin + 1)
        yield slice(begin, end)
        begin = end


def _mark_leaves(places, n_places):
    """Make a sparse matrix with ones where a row is in a leaf."""
    n_rows, n_trees = places.shape
    starts = np.arange(0, n_rows * n_trees + 1, n_trees)
    ones = np.ones(n_rows * n_trees)
    return csr_array((ones, places.ravel(), starts), shape=(n_rows, n_places))
