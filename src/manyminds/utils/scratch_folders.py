"""Temporary folders, and the removal of those that killed processes left."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from manyminds.utils.leases import is_alive, name_owner

__all__ = ["remove_orphans", "scratch_folder"]

PREFIX = "manyminds-"
OWNER = "owner.txt"  # names the process that uses a folder
MAX_OWNER = 1_000  # bytes of that file


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Make a temporary folder that only this user can read, and remove it.

    A process that is killed leaves its folder behind; the next one that makes a folder,
    or calls `remove_orphans`, removes it.

    Examples
    --------
    >>> from manyminds.utils.scratch_folders import scratch_folder
    >>> with scratch_folder() as folder:
    ...     _ = (folder / "table.bin").write_bytes(b"...")
    >>> folder.exists()
    False
    """
    remove_orphans()
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    try:
        (folder / OWNER).write_text(name_owner(), encoding="utf-8")
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def remove_orphans() -> None:
    """Remove the folders of this user whose processes have ended."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        try:
            if _is_orphan(folder):
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:  # somebody else removes it, or may not be asked
            continue


def _is_orphan(folder: Path) -> bool:
    """Return whether a folder is ours and names an owner that has ended."""
    file = folder / OWNER
    if folder.is_symlink() or not file.is_file() or file.is_symlink():
        return False
    if hasattr(os, "getuid") and folder.stat().st_uid != os.getuid():
        return False
    with file.open("rb") as stream:
        owner = stream.read(MAX_OWNER).decode("utf-8", "replace")
    return not is_alive(owner)
