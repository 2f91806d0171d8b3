"""Computing on some trees or rows at a time, on threads and in bounded memory."""

from itertools import pairwise

import numpy as np
from sklearn.utils.parallel import Parallel, delayed

from manyminds.kernels.bundles import Splits

_MAX_CELLS = 2**23  # tree by row, that one thread holds at a time


def map_chunks(function, n_trees, n_rows, n_jobs=None):
    """Yield ``function(chunk)`` for consecutive slices of trees, in their order.

    The chunks depend on the data alone, so that sums over them do not depend on
    ``n_jobs``, not even by rounding.
    """
    size = max(1, min(-(-n_trees // 16), _MAX_CELLS // max(n_rows, 1)))
    chunks = [
        slice(first, min(first + size, n_trees)) for first in range(0, n_trees, size)
    ]
    run = Parallel(n_jobs=n_jobs, require="sharedmem", return_as="generator")
    return run(delayed(function)(chunk) for chunk in chunks)


def divide_rows(n_rows, longest, n_threads):
    """Divide the rows into slices of about equal length, equally many per thread.

    No slice has more than ``longest`` rows, and none is empty.
    """
    n_blocks = -(-n_rows // longest)
    n_blocks += -n_blocks % n_threads
    bounds = [n_rows * i // n_blocks for i in range(n_blocks + 1)] if n_rows else []
    return [slice(a, b) for a, b in pairwise(bounds) if a < b]


def take_chunk(per_tree, chunk, dtype):
    """Return the rows of ``per_tree`` for a slice of trees, as an array for kernels.

    It is in C order and writable: kernels are compiled for no other.

    Parameters
    ----------
    per_tree : ndarray of shape (n_trees or 1, n_rows) or callable
        A single row, or a flat array, is for all trees. A callable takes the slice and
        returns its rows, so that they need not be in memory all at once.
    chunk : slice
        Which trees.
    dtype : type
        Of the array to return.

    Returns
    -------
    rows : ndarray of shape (n_trees of the chunk or 1, n_rows)
        The rows of these trees.
    """
    if callable(per_tree):
        return np.require(per_tree(chunk), dtype, "CW")
    per_tree = np.atleast_2d(per_tree)
    if len(per_tree) > 1:
        per_tree = per_tree[chunk]
    return np.require(per_tree, dtype, "CW")


def make_splits(trees):
    """Return the splits of all trees in the form that kernels take."""
    return Splits(
        feature=trees.feature,
        threshold=np.where(trees.category_set >= 0, np.nan, trees.threshold),
        left=trees.left,
        missing_left=trees.missing_left,
        category_set=trees.category_set,
        category_sets=trees.category_sets,
    )


def predict_nodes(trees, kind):
    """Return what each node predicts as a leaf, and whether errors are squared."""
    is_squared = kind == "regression" or (kind is None and trees.n_values == 1)
    prediction = trees.value[:, 0] if is_squared else trees.value.argmax(axis=1)
    return np.require(prediction, np.float64, "CW"), is_squared
