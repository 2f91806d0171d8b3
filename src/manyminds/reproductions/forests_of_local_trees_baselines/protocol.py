"""How the thesis on local trees prepared tables, made folds and counted votes."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import csr_array, eye_array, hstack
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from manyminds.datasets import Dataset
from manyminds.experiments.splits import Split


@dataclass(frozen=True)
class FoldsOf2014:
    """Repeated cross-validation by class as scikit-learn made its folds in 2014.

    The rows of each class, in random order, are dealt out in blocks: of a class with
    fewer rows than folds, row ``i`` goes to fold ``i``. So the rare classes crowd into
    the first folds, and the last folds, which count as much, are easier. Today's
    scikit-learn spreads them.

    Parameters
    ----------
    n_splits : int, default=10
        Folds of one repetition.
    n_repeats : int, default=10
        Repetitions; repetition ``i`` orders the rows with seed ``i``.

    Examples
    --------
    >>> from manyminds.reproductions.forests_of_local_trees_baselines.protocol import (
    ...     FoldsOf2014,
    ... )
    >>> y = ["a", "a", "a", "a", "b", "c"]
    >>> folds = FoldsOf2014(n_splits=2, n_repeats=1).split(y, stratified=True)
    >>> [len(split.test) for split in folds]
    [4, 2]
    """

    n_splits: int = 10
    n_repeats: int = 10

    def __len__(self) -> int:
        return self.n_splits * self.n_repeats

    def split(self, y: Any, stratified: bool) -> Iterator[Split]:
        """Return the splits of rows with the classes ``y``."""
        y = np.asarray(y)
        for repeat in range(self.n_repeats):
            order = np.random.RandomState(repeat).permutation(len(y))
            fold_of = _deal_out(y[order], self.n_splits)
            for fold in range(self.n_splits):
                test = fold_of == fold
                yield Split(repeat, fold, order[~test], order[test])

    def describe(self) -> dict[str, Any]:
        """Return what the rows depend on besides the data."""
        return {"kind": "folds of 2014", "n_splits": self.n_splits}


def _deal_out(y: np.ndarray, n_splits: int) -> np.ndarray:
    """Return the fold of each row: a class in blocks, of which the first are larger."""
    fold_of = np.empty(len(y), dtype=np.intp)
    for label in np.unique(y):
        rows = np.flatnonzero(y == label)
        blocks = np.array_split(np.arange(max(len(rows), n_splits)), n_splits)
        fold = np.repeat(np.arange(n_splits), [len(block) for block in blocks])
        fold_of[rows] = fold[: len(rows)]
    return fold_of


class HardVote(ClassifierMixin, BaseEstimator):
    """Let each tree of a forest vote for one class, as the thesis did.

    Our forests, like scikit-learn's, average the class shares of their trees instead.

    Parameters
    ----------
    forest : forest
        Classifier with ``predict_all``, such as `RandomForestClassifier`.

    Attributes
    ----------
    forest_ : forest
        The fitted forest.
    classes_ : ndarray of shape (n_classes,)
        The class labels, sorted.
    """

    def __init__(self, forest: Any) -> None:
        self.forest = forest

    def fit(self, X: Any, y: Any) -> "HardVote":
        """Fit the forest."""
        self.forest_ = clone(self.forest).fit(X, y)
        self.classes_ = self.forest_.classes_
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return the class that most trees vote for; of equals, the first."""
        check_is_fitted(self)
        votes = np.searchsorted(self.classes_, self.forest_.predict_all(X))
        counts = np.zeros((votes.shape[1], len(self.classes_)), dtype=np.intp)
        for labels in votes:
            counts[np.arange(len(labels)), labels] += 1
        return self.classes_[counts.argmax(axis=1)]


def encode(data: Dataset) -> Dataset:
    """Turn a table into numbers as the thesis did.

    A nominal column becomes one column of 0 and 1 for each value, or a single one if
    it has two values and no gap; a missing value is 0 in all of them. Columns that are
    empty, or have one value and no gap, are dropped. Missing numbers stay missing.

    Parameters
    ----------
    data : Dataset

    Returns
    -------
    encoded : Dataset
    """
    columns: dict[str, np.ndarray] = {}
    for name in data.X.columns:
        column = data.X[name]
        n_missing = int(column.isna().sum())
        if n_missing == len(column) or (n_missing == 0 and column.nunique() == 1):
            continue
        if name in data.categorical:
            columns.update(_indicators(str(name), column, n_missing))
        else:
            columns[str(name)] = column.to_numpy(np.float64)
    X = pd.DataFrame(columns)
    return replace(data, X=X)


def fill_by_class(data: Dataset) -> Dataset:
    """Replace missing numbers by the mean of their class, over all rows.

    This is what the thesis did, before any split: the test rows' labels leak into
    their features. Where a class has no value at all, it is 0.

    Parameters
    ----------
    data : Dataset
        Of numbers only.

    Returns
    -------
    filled : Dataset
    """
    means = data.X.groupby(data.y).transform("mean")
    X = data.X.fillna(means).fillna(0.0)
    return replace(data, X=X)


def add_identifier(data: Dataset) -> Dataset:
    """Return every row a column that is 1 for it alone, as if each had a name.

    The thesis made 3178 columns of the names of the 3190 rows of splice, and 100 of the
    101 animals of zoo; our files are without the names.

    Parameters
    ----------
    data : Dataset
        Of numbers only.

    Returns
    -------
    named : Dataset
        With a sparse table, for it is nearly all zeros.
    """
    name_of_each = eye_array(data.n_samples, format="csr")
    X = csr_array(hstack([csr_array(data.X.to_numpy()), name_of_each], format="csr"))
    return replace(data, X=X)


def _indicators(name: str, column: pd.Series, n_missing: int) -> dict[str, np.ndarray]:
    values = list(column.cat.categories)
    if len(values) == 2 and n_missing == 0:
        values = values[1:]
    text = column.astype(object).to_numpy()
    return {f"{name}={value}": (text == value).astype(np.float64) for value in values}
