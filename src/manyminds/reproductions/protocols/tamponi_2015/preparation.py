"""Encode tables, fill missing values and count votes as the thesis did."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import csr_array, eye_array, hstack
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from manyminds.datasets import Dataset


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
    it has two values and none is missing; a missing value is 0 in all of them. Empty
    columns, and those of one value without missing ones, are dropped. Missing numbers
    stay missing.

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
    """Add for every row a column that is 1 for it alone, as if each had a name.

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
