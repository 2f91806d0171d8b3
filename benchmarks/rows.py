"""The rows of a workload in a folder, for the processes that are timed.

It imports nothing that a library could be charged for.
"""

import numpy as np

NAMES = ("X", "y", "X_test", "y_test")


def write_rows(rows, folder):
    """Save ``X, y, X_test, y_test``, each an array or a dataframe."""
    for name, part in zip(NAMES, rows, strict=True):
        if hasattr(part, "to_pickle"):
            part.to_pickle(folder / f"{name}.pkl")
        else:
            np.save(folder / f"{name}.npy", part)


def read_rows(folder):
    """Return what ``write_rows`` has saved."""
    return [_read(folder, name) for name in NAMES]


def _read(folder, name):
    file = folder / f"{name}.npy"
    if file.exists():
        return np.load(file)
    import pandas as pd

    return pd.read_pickle(file.with_suffix(".pkl"))
