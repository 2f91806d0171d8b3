"""Large arrays, in memory or in a temporary file."""

import tempfile

import numpy as np


def allocate(length, dtype, max_memory=None):
    """Return an array without content; beyond a limit, it is mapped from a file.

    Parameters
    ----------
    length : int
    dtype : dtype
    max_memory : int or None
        Bytes beyond which the array is stored in a temporary file, which is deleted
        with the array; None: never.

    Returns
    -------
    array : ndarray of shape (length,)

    Examples
    --------
    >>> from manyminds.trees.scratch import allocate
    >>> allocate(1000, "uint8", max_memory=10).shape
    (1000,)
    """
    dtype = np.dtype(dtype)
    if max_memory is None or length * dtype.itemsize <= max_memory:
        return np.empty(length, dtype)
    with tempfile.TemporaryFile(prefix="manyminds-") as file:
        # A plain array of the same memory: for others, kernels would compile again.
        return np.asarray(np.memmap(file, dtype, "w+", shape=(length,)))
