"""Hash the content of a table and its target, independent of their storage."""

from hashlib import sha256
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import csr_array, issparse

__all__ = ["fingerprint"]


class _Digest:
    """Hash of a sequence of items, each preceded by its length."""

    def __init__(self) -> None:
        self._sha = sha256()

    def add_bytes(self, content: bytes | memoryview) -> None:
        self._sha.update(len(content).to_bytes(8, "little"))
        self._sha.update(content)

    def add_text(self, *texts: str) -> None:
        for text in texts:
            self.add_bytes(text.encode("utf-8", "surrogatepass"))

    def add_integers(self, values: Any) -> None:
        self.add_text("integers")
        self.add_bytes(np.asarray(values).astype("<i8").tobytes())

    def add_numbers(self, values: Any) -> None:
        # Adding zero turns -0.0 into 0.0; all NaNs become the same one.
        values = np.asarray(values, dtype="<f8") + 0.0
        values[np.isnan(values)] = np.nan
        self.add_text("numbers")
        self.add_bytes(values.astype("<f8", copy=False).tobytes())

    def add_categories(self, codes: np.ndarray, texts: list[str]) -> None:
        """Add cells as codes, positions in ``texts``; -1 is missing.

        Only texts that occur count, in alphabetical order: the hash does not depend on
        the order of the codes nor on unused categories.
        """
        counts = np.bincount(codes + 1, minlength=len(texts) + 1)[1:]
        used = sorted(np.flatnonzero(counts).tolist(), key=texts.__getitem__)
        rank = np.full(len(texts) + 1, -1)
        rank[used] = np.arange(len(used))
        self.add_text("categories", str(len(used)), *(texts[code] for code in used))
        self.add_integers(rank[codes])

    def hexdigest(self) -> str:
        return self._sha.hexdigest()


def fingerprint(X: Any, y: Any, task: str) -> str:
    """Hash a table and its target into 32 hexadecimal digits.

    Parameters
    ----------
    X : DataFrame or csr_array of shape (n_samples, n_features)
        Columns of float64, dates and categories, or a sparse table.
    y : ndarray of shape (n_samples,) or DataFrame of shape (n_samples, n_labels)
        Target.
    task : str
        Type of the target.

    Returns
    -------
    digits : str
        First half of the SHA-256 hash of names, dtypes and values.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from manyminds.datasets.fingerprint import fingerprint
    >>> X, y = pd.DataFrame({"a": [1.0, 2.0]}), np.array([0, 1])
    >>> fingerprint(X, y, "classification") == fingerprint(X + 1, y, "classification")
    False
    """
    digest = _Digest()
    digest.add_text("manyminds data set, form 1", task)
    (_add_sparse if issparse(X) else _add_frame)(digest, X)
    if isinstance(y, pd.DataFrame):
        _add_frame(digest, y)
    else:
        _add_target(digest, y)
    return digest.hexdigest()[:32]


def _add_frame(digest: _Digest, X: pd.DataFrame) -> None:
    digest.add_text("frame", str(X.shape[0]), str(X.shape[1]))
    # A table of numbers is converted as one array: wide tables have many columns.
    numeric = all(
        isinstance(dtype, np.dtype) and dtype.kind != "M" for dtype in X.dtypes
    )
    columns = (
        X.to_numpy().T if numeric else (X.iloc[:, j].array for j in range(X.shape[1]))
    )
    for name, column in zip(X.columns, columns):
        digest.add_text(str(name))
        if isinstance(column, pd.Categorical):
            codes = column.codes.astype(np.int64)
            digest.add_categories(codes, [str(c) for c in column.categories])
        elif column.dtype.kind == "M":
            moments = np.asarray(column).astype("datetime64[us]")
            digest.add_text("dates")
            digest.add_integers(moments.astype(np.int64))
        else:
            digest.add_numbers(column)


def _add_sparse(digest: _Digest, X: csr_array) -> None:
    X = X.astype(np.float64, copy=True)
    X.sum_duplicates()
    X.eliminate_zeros()
    X.sort_indices()
    digest.add_text("sparse", str(X.shape[0]), str(X.shape[1]))
    digest.add_integers(X.indptr)
    digest.add_integers(X.indices)
    digest.add_numbers(X.data)


def _add_target(digest: _Digest, y: np.ndarray) -> None:
    digest.add_text("target", str(len(y)))
    if y.dtype.kind in "iu":
        digest.add_integers(y)
    elif y.dtype.kind == "f":
        digest.add_numbers(y)
    else:
        codes, labels = pd.factorize(np.asarray(y, dtype=object))
        digest.add_categories(codes, [str(label) for label in labels])
