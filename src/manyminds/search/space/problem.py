"""What a search looks at before it starts: size, kinds of columns, task."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import issparse

from manyminds.preprocessing import DateEncoder
from manyminds.search.tables import list_dates

__all__ = ["Problem"]


@dataclass(frozen=True)
class Problem:
    """Describe a table and its target, for options to tell whether they suit it.

    Parameters
    ----------
    task : {"classification", "regression"}
    n_samples, n_features : int
        Size of the table.
    n_classes : int, default=0
        Number of classes; 0 for regression.
    smallest_class : int, default=0
        Rows of the rarest class.
    n_categorical : int, default=0
        Number of category columns.
    n_encoded : int, default=0
        Columns that there are when each level of a category has its own.
    has_missing : bool, default=False
    sparse : bool, default=False
    metric : str, default=""
        What counts.
    n_dates : int, default=0
        Number of columns of dates.

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
    has_missing: bool = False
    sparse: bool = False
    metric: str = ""
    n_dates: int = 0

    @classmethod
    def of(cls, X: Any, y: np.ndarray, task: str, metric: str = "") -> "Problem":
        """Look at a table and its target.

        Parameters
        ----------
        X : ndarray, sparse matrix or DataFrame of shape (n_samples, n_features)
        y : ndarray of shape (n_samples,)
        task : {"classification", "regression"}
        metric : str, default=""

        Returns
        -------
        problem : Problem
        """
        counts = np.unique(y, return_counts=True)[1]
        has_classes = task == "classification"
        levels, n_dates = _count_levels(X), len(list_dates(X))
        # As many parts as vary in all rows stand for each date.
        n_parts = DateEncoder().fit(X).transform(X).shape[1] if n_dates else X.shape[1]
        return cls(
            task=task,
            n_samples=int(X.shape[0]),
            n_features=int(X.shape[1]),
            n_classes=len(counts) if has_classes else 0,
            smallest_class=int(counts.min()) if has_classes else 0,
            n_categorical=len(levels),
            n_encoded=int(n_parts - len(levels) + sum(levels)),
            has_missing=_has_missing(X),
            sparse=issparse(X),
            metric=metric,
            n_dates=n_dates,
        )

    @property
    def is_balanced(self) -> bool:
        """Whether the rarest class has at least two thirds of an equal share."""
        if not self.n_classes:
            return True
        return self.smallest_class * self.n_classes * 1.5 >= self.n_samples


def _count_levels(X: Any) -> list[int]:
    """Count the levels of each category column that occur."""
    if not isinstance(X, pd.DataFrame):
        return []
    kinds = X.dtypes
    names = [c for c in X if isinstance(kinds[c], pd.CategoricalDtype)]
    return [int(X[name].nunique(dropna=False)) for name in names]


def _has_missing(X: Any) -> bool:
    if issparse(X):
        return bool(np.isnan(X.data).any())
    if isinstance(X, pd.DataFrame):
        return bool(X.isna().to_numpy().any())
    return bool(np.isnan(X).any())
