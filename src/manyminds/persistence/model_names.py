"""Names of columns in a model file: one array of text instead of a node for each."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from manyminds.persistence.model_trees import list_parts

__all__ = ["compact_names", "restore_names"]

NAMES = "feature_names_in_"
MAX_BYTES = 50_000_000  # that names take with as many characters as the longest


@contextmanager
def compact_names(model: Any) -> Iterator[None]:
    """Let the estimators of a model have their names as arrays of text meanwhile.

    skops describes each element of an array of objects by itself, which takes seconds
    for tens of thousands of names, to write and to read.

    Parameters
    ----------
    model : estimator
    """
    changed, made = [], {}
    for part in list(list_parts(model)):
        names = getattr(part, "__dict__", {}).get(NAMES)
        if isinstance(names, np.ndarray) and names.dtype == object:
            if id(names) not in made:  # skops writes shared arrays once
                made[id(names)] = _compact(names)
            changed.append((part, names))
            part.__dict__[NAMES] = made[id(names)]
    try:
        yield
    finally:
        for part, names in changed:
            part.__dict__[NAMES] = names


def restore_names(model: Any) -> None:
    """Let the estimators of a model have their names as scikit-learn stores them.

    Parameters
    ----------
    model : estimator
        Changed in place.
    """
    for part in list(list_parts(model)):
        names = getattr(part, "__dict__", {}).get(NAMES)
        if isinstance(names, np.ndarray) and names.dtype.kind == "U":
            part.__dict__[NAMES] = names.astype(object)


def _compact(names: np.ndarray) -> np.ndarray:
    """Return the same names as text, or as they are where text is not the same."""
    longest = max((len(str(name)) for name in names), default=0)
    if 4 * longest * len(names) > MAX_BYTES:
        return names
    text = names.astype(str)
    return text if (text.astype(object) == names).all() else names
