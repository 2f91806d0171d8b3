"""Garbage collection: none while modules are imported."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["no_collection"]


@contextmanager
def no_collection() -> Iterator[None]:
    """Collect no garbage while modules are imported, and leave them alone later.

    What modules define stays, and collections would walk over it again and again, for a
    sixth of the time, to find next to nothing. At the end all objects are frozen: later
    collections skip them, and forked processes share their memory. Only once in a
    process: a second command would freeze the garbage of the first one, for good.

    For commands and processes of ours, which decide on all of their memory; never while
    the library is imported into a process of somebody else.

    Examples
    --------
    >>> import gc
    >>> from manyminds.utils.collection import no_collection
    >>> with no_collection():
    ...     import json
    ...
    ...     gc.isenabled()
    False
    >>> gc.isenabled()
    True
    """
    if not gc.isenabled():  # by the caller, who may have a reason, or around this one
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        if not gc.get_freeze_count():
            gc.freeze()
        gc.enable()
