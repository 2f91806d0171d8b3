"""A file that lists what has been compiled, so that nothing is loaded to find out."""

import os
from pathlib import Path

from manyminds.kernels._jit import find_cache_folder, identify_build
from manyminds.utils.errors import UserError
from manyminds.utils.files import write_atomically

__all__ = ["add_to_stamp", "read_stamp"]


def read_stamp() -> set[str]:
    """Return the lines of the stamp: what this build of the kernels has compiled."""
    path = _find_stamp()
    try:
        return set() if path is None else set(path.read_text("utf-8").splitlines())
    except (OSError, UnicodeDecodeError):
        return set()


def add_to_stamp(lines: set[str]) -> None:
    """Add lines to the stamp, where there is a cache on disk."""
    path = _find_stamp()
    if path is None or not path.parent.is_dir():
        return
    try:
        text = "\n".join(sorted(read_stamp() | lines))
        write_atomically(path, text.encode())
    except (UserError, OSError):  # the next search looks again
        return


def _find_stamp() -> Path | None:
    """Return the path of the stamp, beside the compiled code; None without a cache.

    Its name changes with the kernels, Numba and the processor.
    """
    folder = find_cache_folder()
    if folder is None or not os.access(folder, os.W_OK):
        return None
    return folder / f"search-{identify_build()}.compiled"
