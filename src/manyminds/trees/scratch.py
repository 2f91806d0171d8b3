"""Large arrays, in memory or in a temporary file."""

import errno
import mmap
import os
import shutil
import tempfile
from math import prod

import numpy as np

from manyminds.utils.errors import WriteError

_FEW_BYTES = 2**17  # that are left to the C library, as it does itself at first

# Not shared with forked processes, where there are such.
_PRIVATE = (
    {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS}
    if hasattr(mmap, "MAP_PRIVATE")
    else {}
)


def reserve(shape, dtype):
    """Return an array without content, of which only touched parts take memory.

    A large one has pages of its own, which are the system's again when the array is
    deleted. An array of NumPy may be memory that was used before, all of which counts,
    and the C library keeps it afterwards: forests that are fitted one after the other
    took up to half as much again as the first.

    Parameters
    ----------
    shape : tuple of int
    dtype : dtype

    Returns
    -------
    array : ndarray

    Examples
    --------
    >>> from manyminds.trees.scratch import reserve
    >>> reserve((1000, 2000), "float64").shape
    (1000, 2000)
    """
    n_bytes = prod(shape) * np.dtype(dtype).itemsize
    if n_bytes < _FEW_BYTES:
        return np.empty(shape, dtype)
    try:
        pages = mmap.mmap(-1, n_bytes, **_PRIVATE)
    except OSError as error:
        raise MemoryError(f"There is no room for {n_bytes:,} bytes.") from error
    return np.frombuffer(pages, dtype).reshape(shape)


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

    Raises
    ------
    WriteError
        If there is no room for the file, all of which is allocated at once: a full disk
        would otherwise kill the process when the array is filled.

    Examples
    --------
    >>> from manyminds.trees.scratch import allocate
    >>> allocate(1000, "uint8", max_memory=10).shape
    (1000,)
    """
    dtype = np.dtype(dtype)
    if max_memory is None or length * dtype.itemsize <= max_memory:
        return reserve((length,), dtype)
    with tempfile.TemporaryFile(prefix="manyminds-") as file:
        _claim(file, length * dtype.itemsize)
        # A plain array of the same memory: for others, kernels would compile again.
        return np.asarray(np.memmap(file, dtype, "w+", shape=(length,)))


def _claim(file, n_bytes):
    """Allocate all blocks of a file; raise if there is no room for them."""
    folder = tempfile.gettempdir()
    try:
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(file.fileno(), 0, n_bytes)
            return
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EFBIG, errno.EDQUOT):
            raise _make_error(n_bytes, folder) from error
    # A system, or a file system, that cannot allocate: only ask.
    if shutil.disk_usage(folder).free < n_bytes:
        raise _make_error(n_bytes, folder)


def _make_error(n_bytes, folder):
    return WriteError(
        f"There is no room for a temporary file of {n_bytes:,} bytes in {folder!r}: "
        "free some, set TMPDIR to a folder of another disk, or raise max_memory."
    )
