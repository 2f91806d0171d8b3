"""Read sparse tables in svmlight's (LibSVM's) format."""

from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from sklearn.datasets import load_svmlight_file

from manyminds.datasets.errors import TableError
from manyminds.datasets.formats.text_format import open_file
from manyminds.datasets.sparse import shorten_indices

__all__ = ["read_svmlight"]

MAX_INDEX = 2**31 - 1  # of a column: positions are stored in 32 bits
MAX_SHOWN = 40  # characters of a cell that a message shows


def read_svmlight(
    path: str | PathLike[str], n_features: int | None = None
) -> tuple[csr_array, np.ndarray]:
    """Read a sparse table and its target.

    Each line is a target and pairs ``column:value``. Columns count from 1, or from 0 if
    column 0 occurs.

    Parameters
    ----------
    path : path
        File, which may be gzipped.
    n_features : int, default=None
        Number of columns; by default the largest that occurs. Set it where several
        files must have the same columns.

    Returns
    -------
    X : csr_array of shape (n_samples, n_features)
        Table of float64, with positions of 32 bits: some learners need them.
    y : ndarray of shape (n_samples,)
        Target of float64.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from manyminds.datasets.formats.svmlight import read_svmlight
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "tiny.svm"
    ...     _ = path.write_text("1 1:0.5 3:2\\n-1 2:1\\n")
    ...     X, y = read_svmlight(path, n_features=4)
    >>> X.toarray()
    array([[0.5, 0. , 2. , 0. ],
           [0. , 1. , 0. , 0. ]])
    >>> y
    array([ 1., -1.])
    """
    path = Path(path)
    try:
        X, y = load_svmlight_file(str(path), n_features=n_features, dtype=np.float64)
    except (ValueError, OverflowError) as error:
        _raise_first_mistake(path, error)
        raise
    return shorten_indices(csr_array(X)), y


def _raise_first_mistake(path: Path, error: Exception) -> None:
    """Raise for the first line that is not valid."""
    with open_file(path, "rb") as file:
        for number, line in enumerate(file, start=1):
            target, *pairs = line.partition(b"#")[0].split() or [b"0"]
            if (mistake := _find_mistake(target, pairs)) is not None:
                raise TableError(
                    f"line {number}: {mistake}", file=path.name, line=number
                ) from error


def _find_mistake(target: bytes, pairs: list[bytes]) -> str | None:
    """Return what is wrong in a line; None if it is valid."""
    if _number(target, float) is None:
        return f"the target must be a number; got {_show(target)}."
    last = -1
    for pair in pairs:
        column, colon, value = pair.partition(b":")
        if column == b"qid":
            continue
        index = _number(column, int)
        if not colon or index is None or index < 0 or _number(value, float) is None:
            return f"cells must be pairs column:value; got {_show(pair)}."
        if index > MAX_INDEX:
            return f"columns go up to {MAX_INDEX:,}; got {_show(pair)}."
        if index <= last:
            return (
                f"columns must be in ascending order, each once; got {index} after "
                f"{last}."
            )
        last = index
    return None


def _number(text: bytes, kind: Any) -> Any:
    try:
        return kind(text)
    except ValueError:
        return None


def _show(cell: bytes) -> str:
    text = cell.decode("utf-8", "backslashreplace")
    return repr(text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + "...")
