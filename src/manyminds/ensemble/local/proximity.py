"""Forest proximity: in how many trees two rows share a leaf."""

import numpy as np
from scipy.sparse import csr_array
from sklearn.utils.validation import check_is_fitted

from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import BREIMAN_2001, cite

_BLOCK_CELLS = 2**22  # of a proximity matrix that are made at a time: 32 MB


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
    n_rows = max(1, _BLOCK_CELLS // len(others))
    for begin in range(0, len(leaves), n_rows):
        rows = slice(begin, min(begin + n_rows, len(leaves)))
        marks = _mark_leaves(leaves[rows] + first, n_nodes.sum())
        yield rows, (marks @ by_leaf) / leaves.shape[1]


def _mark_leaves(places, n_places):
    """Make a sparse matrix with ones where a row is in a leaf."""
    n_rows, n_trees = places.shape
    starts = np.arange(0, n_rows * n_trees + 1, n_trees)
    ones = np.ones(n_rows * n_trees)
    return csr_array((ones, places.ravel(), starts), shape=(n_rows, n_places))
