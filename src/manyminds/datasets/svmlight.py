"""Read sparse tables in svmlight's (LibSVM's) format."""

from os import PathLike

import numpy as np
from scipy.sparse import csr_array
from sklearn.datasets import load_svmlight_file

__all__ = ["read_svmlight"]


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
        Number of columns; the largest that occurs if None. Give it when several files
        are to have the same columns.

    Returns
    -------
    X : csr_array of shape (n_samples, n_features)
        Table of float64.
    y : ndarray of shape (n_samples,)
        Target of float64.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from manyminds.datasets.svmlight import read_svmlight
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
    X, y = load_svmlight_file(str(path), n_features=n_features, dtype=np.float64)
    return csr_array(X), y
