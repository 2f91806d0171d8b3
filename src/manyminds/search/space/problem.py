"""The problem of a search: size and dtypes of the table, and the task."""

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import issparse

from manyminds.datasets.model_input import list_dates
from manyminds.datasets.texts import list_texts
from manyminds.preprocessing import ColumnCleaner, DateEncoder
from manyminds.preprocessing.generation.text_scores import MAX_SCORED_CLASSES
from manyminds.utils.errors import InputError

__all__ = ["TEXT_COMPONENTS", "Problem", "UninformativeTableError", "check_informative"]

MAX_LEVELS = 60  # of a category column that are encoded by columns of their own
# Of a column of free text. Beside scores, 30 were worse on seven of eight tables.
TEXT_COMPONENTS = 10
MIN_ROWS = 10  # so many of a level, or other than the median, are in nearly every fold


class UninformativeTableError(InputError):
    """Raised for a table of which no column varies."""


@dataclass(frozen=True)
class Problem:
    """Describe a table and its target, so that options can check whether they suit it.

    Parameters
    ----------
    task : {"classification", "regression", "multilabel"}
    n_samples, n_features : int
        Size of the table.
    n_classes : int, default=0
        Number of classes; 0 unless there is one target of classes.
    smallest_class : int, default=0
        Rows of the rarest class, or of the rarest label or its absence.
    n_categorical : int, default=0
        Number of category columns.
    n_encoded : int, default=0
        Number of columns after one-hot encoding.
    n_numbers : int, default=0
        Numeric columns that are constant in hardly any fold.
    levels : tuple of int, default=()
        For each category column, the number of levels that occur in nearly every fold.
    has_missing : bool, default=False
    sparse : bool, default=False
    metric : str, default=""
        By which pipelines are scored.
    n_dates : int, default=0
        Number of date columns.
    texts : tuple of str, default=()
        Names of the columns of free text, which are not counted as categories.
    scores_texts : bool, default=False
        Whether a step scores the texts by their words; its scores of training rows are
        of models of other rows, drawn at random.
    n_labels : int, default=0
        Number of labels; 0 unless there are many.
    n_constant : int, default=0
        Numeric columns of a dense table without missing values that are constant; they
        are dropped, and not among ``n_encoded``.
    fit_share : float, default=0.4
        Least share of the rows that a step is fitted to: in a committee in a fold, two
        thirds of the rows, in one of two folds.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.search import Problem
    >>> problem = Problem.of(np.eye(4), np.array([0, 0, 0, 1]), "classification")
    >>> problem.n_classes, problem.smallest_class, problem.is_balanced
    (2, 1, False)
    """

    task: str
    n_samples: int
    n_features: int
    n_classes: int = 0
    smallest_class: int = 0
    n_categorical: int = 0
    n_encoded: int = 0
    n_numbers: int = 0
    levels: tuple[int, ...] = ()
    has_missing: bool = False
    sparse: bool = False
    metric: str = ""
    n_dates: int = 0
    n_labels: int = 0
    n_constant: int = 0
    texts: tuple[str, ...] = ()
    scores_texts: bool = False
    fit_share: float = 0.4

    @classmethod
    def of(
        cls,
        X: Any,
        y: np.ndarray,
        task: str,
        metric: str = "",
        *,
        is_in_time: bool = False,
    ) -> "Problem":
        """Return the problem of a table and its target.

        Parameters
        ----------
        X : ndarray, sparse matrix or DataFrame of shape (n_samples, n_features)
        y : ndarray of shape (n_samples,) or (n_samples, n_labels)
        task : {"classification", "regression", "multilabel"}
        metric : str, default=""
        is_in_time : bool, default=False
            Whether rows are in the order of time: texts are not scored then, since
            later rows would tell the target.

        Returns
        -------
        problem : Problem
        """
        n_classes, smallest = _count_classes(y, task)
        texts, n_dates = tuple(list_texts(X)), len(list_dates(X))
        scores_texts = bool(texts) and task != "multilabel" and not is_in_time
        encoded = _encode_dates(X.drop(columns=list(texts)) if texts else X)
        levels = _count_levels(encoded)
        n_scores = _count_scores(n_classes) if scores_texts else 0
        n_text_columns = len(texts) * (TEXT_COMPONENTS + n_scores)
        has_missing = _has_missing(X)
        n_constant = 0 if has_missing else _count_constant(_take_numbers(encoded))
        n_encoded = encoded.shape[1] - len(levels) + sum(levels) - n_constant
        return cls(
            task=task,
            n_samples=int(X.shape[0]),
            n_features=int(X.shape[1]),
            n_classes=n_classes,
            smallest_class=smallest,
            n_categorical=len(levels),
            n_encoded=int(max(1, n_encoded + n_text_columns)),
            n_numbers=_count_varying(_take_numbers(encoded))
            - n_constant
            + n_text_columns,
            levels=_count_common_levels(encoded),
            has_missing=has_missing,
            sparse=issparse(X),
            metric=metric,
            n_dates=n_dates,
            n_labels=y.shape[1] if task == "multilabel" else 0,
            n_constant=n_constant,
            texts=texts,
            scores_texts=scores_texts,
        )

    @property
    def is_balanced(self) -> bool:
        """Whether the rarest class has at least two thirds of an equal share."""
        if not self.n_classes:
            return True
        return self.smallest_class * self.n_classes * 1.5 >= self.n_samples


def _count_classes(y: np.ndarray, task: str) -> tuple[int, int]:
    """Return the number of classes, and the rows of the rarest class or label."""
    if task == "multilabel":
        counts = y.sum(axis=0)
        return 0, int(np.minimum(counts, len(y) - counts).min())
    if task == "regression":
        return 0, 0
    counts = np.unique(y, return_counts=True)[1]
    return len(counts), int(counts.min())


def _count_scores(n_classes: int) -> int:
    """Return the number of scores of a text."""
    return min(n_classes, MAX_SCORED_CLASSES) if n_classes > 2 else 1


def check_informative(X: Any) -> None:
    """Check that at least one column of a table varies.

    Parameters
    ----------
    X : ndarray, sparse matrix or DataFrame of shape (n_samples, n_features)

    Raises
    ------
    UninformativeTableError
    """
    if not ColumnCleaner().fit(_encode_dates(X)).support_.any():
        raise UninformativeTableError(
            f"X has nothing to learn from: each of its {X.shape[1]} columns is "
            "constant or has no values."
        )


def _encode_dates(X: Any) -> Any:
    """Return the table with its dates encoded as numbers."""
    return DateEncoder().fit(X).transform(X) if list_dates(X) else X


def _count_levels(X: Any) -> list[int]:
    """Count the levels of each category column that occur."""
    if not isinstance(X, pd.DataFrame):
        return []
    dtypes = X.dtypes
    names = [c for c in X if isinstance(dtypes[c], pd.CategoricalDtype)]
    return [int(X[name].nunique(dropna=False)) for name in names]


def _count_common_levels(X: Any) -> tuple[int, ...]:
    if not isinstance(X, pd.DataFrame):
        return ()
    n_rows = [
        column.value_counts(dropna=False).to_numpy()
        for _, column in X.select_dtypes(include="category").items()
    ]
    return tuple(min(int((rows >= MIN_ROWS).sum()), MAX_LEVELS) for rows in n_rows)


def _take_numbers(X: Any) -> Any:
    if not isinstance(X, pd.DataFrame):
        return X
    return X.select_dtypes(exclude="category").to_numpy(dtype=np.float64)


def _count_constant(X: Any) -> int:
    """Count the constant columns of a dense table."""
    if issparse(X) or not X.size:
        return 0
    return int((X.min(axis=0) == X.max(axis=0)).sum())


def _count_varying(X: Any) -> int:
    """Count the columns that are not constant in nearly every fold."""
    if issparse(X) or not np.isnan(X).any():
        return int(X.shape[1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of columns without values
        median = np.nanmedian(X, axis=0)
    n_others = ((X != median) & ~np.isnan(X)).sum(axis=0)
    return int((n_others >= MIN_ROWS).sum())


def _has_missing(X: Any) -> bool:
    if issparse(X):
        return bool(np.isnan(X.data).any())
    if isinstance(X, pd.DataFrame):
        return bool(X.isna().to_numpy().any())
    return bool(np.isnan(X).any())
