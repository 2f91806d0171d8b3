"""Work that is done for some trees at a time, on threads and in bounded memory."""

import numpy as np
from sklearn.utils.parallel import Parallel, delayed

_MAX_CELLS = 2**23  # tree by row, that one thread holds at a time


def map_chunks(function, n_trees, n_rows, n_jobs=None):
    """Yield ``function(chunk)`` for consecutive slices of trees, in their order.

    How the trees are cut depends on the data alone: so do sums over the chunks, down
    to their rounding, whatever ``n_jobs`` is.
    """
    size = max(1, min(-(-n_trees // 16), _MAX_CELLS // max(n_rows, 1)))
    chunks = [
        slice(first, min(first + size, n_trees)) for first in range(0, n_trees, size)
    ]
    run = Parallel(n_jobs=n_jobs, require="sharedmem", return_as="generator")
    return run(delayed(function)(chunk) for chunk in chunks)


def take_chunk(per_tree, chunk, dtype):
    """Return the rows of ``per_tree`` for a slice of trees, as an array for kernels.

    It is in C order and not read-only: kernels are compiled for no other.

    Parameters
    ----------
    per_tree : ndarray of shape (n_trees or 1, n_rows) or callable
        A single row, also when it comes as a flat array, is for all trees. A callable
        gets the slice and returns the rows: they need never be held all at once.
    chunk : slice
        Which trees.
    dtype : type
        Of the array to return.

    Returns
    -------
    rows : ndarray of shape (n_trees of the chunk or 1, n_rows)
        What belongs to these trees.
    """
    if callable(per_tree):
        return np.require(per_tree(chunk), dtype, "CW")
    per_tree = np.atleast_2d(per_tree)
    if len(per_tree) > 1:
        per_tree = per_tree[chunk]
    return np.require(per_tree, dtype, "CW")


def list_split_arrays(trees):
    """List the arrays by which a row finds its way, in the order of all kernels.

    The kernels know a categorical split by its threshold, NaN, which no value compares
    with: so that other splits need not be asked about their categories.
    """
    return (
        trees.feature,
        np.where(trees.category_set >= 0, np.nan, trees.threshold),
        trees.left,
        trees.missing_left,
        trees.category_set,
        trees.category_sets,
    )


def list_answers(trees, kind):
    """Return what each node would say as a leaf, and whether errors are squared."""
    is_squared = kind == "regression" or (kind is None and trees.n_values == 1)
    answer = trees.value[:, 0] if is_squared else trees.value.argmax(axis=1)
    return np.require(answer, np.float64, "CW"), is_squared
