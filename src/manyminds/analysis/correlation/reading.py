"""Convert an encoding to floats and its labels to codes."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, column_or_1d

from manyminds.trees.columns import encode_table


@dataclass(frozen=True)
class Labels:
    """Class labels as codes.

    Parameters
    ----------
    codes : ndarray of int of shape (n_samples,)
        Class of each sample: 0, 1, 2 ...; each occurs.
    numbers : ndarray of float of shape (n_classes,)
        Numeric value of each class: itself, or its position if it is not a number.
    """

    codes: np.ndarray
    numbers: np.ndarray

    @property
    def counts(self):
        """Number of samples of each class."""
        return np.bincount(self.codes)

    def split(self):
        """Return binary labels for each label column: a class against the rest.

        Two classes have one column.
        """
        if len(self.numbers) < 3:
            return [self]
        return [
            Labels((self.codes == k).astype(np.intp), np.array([0.0, 1.0]))
            for k in range(len(self.numbers))
        ]

    def take(self, codes):
        """Return the labels of other samples, which may lack some classes."""
        kept, codes = np.unique(codes, return_inverse=True)
        return Labels(codes, self.numbers[kept])


class _Table(BaseEstimator):
    """Estimator for functions of scikit-learn that need one for its name."""


def read_encoding(X, categorical_features="from_dtype"):
    """Convert an encoding to floats; categories become indicator columns.

    A categorical column with two values and no missing ones becomes one column, any
    other a column for each value; a missing category is 0 in all of them.

    Parameters
    ----------
    X : array-like or dataframe of shape (n_samples, n_features)
    categorical_features : array-like, "from_dtype" or None, default="from_dtype"
        Categorical columns; see ``ColumnEncoder.fit``.

    Returns
    -------
    X : ndarray of float of shape (n_samples, n_columns)
    """
    X, encoder = encode_table(_Table(), X, None, categorical_features, reset=True)
    if issparse(X):
        raise TypeError(
            "X is a sparse matrix, which correlation scores do not take. Pass "
            "X.toarray() if it fits in memory."
        )
    is_categorical = encoder.is_categorical
    if is_categorical is None:
        is_categorical = np.zeros(X.shape[1], dtype=bool)
    n_missing = np.isnan(X).sum(axis=0)
    if n_missing[~is_categorical].any():
        column = int(np.flatnonzero((n_missing > 0) & ~is_categorical)[0])
        raise ValueError(
            f"X has {int(n_missing[~is_categorical].sum())} missing numbers (NaN), the "
            f"first in column {column}. Impute them first, for example by "
            "sklearn.impute.SimpleImputer."
        )
    if not is_categorical.any():
        return X
    blocks = [
        _indicators(X[:, j], n_missing[j]) if is_categorical[j] else X[:, [j]]
        for j in range(X.shape[1])
    ]
    return np.hstack(blocks)


def read_labels(X, y):
    """Check class labels, and encode them.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Table of the labels.
    y : array-like of shape (n_samples,)

    Returns
    -------
    labels : Labels
    """
    y = column_or_1d(y, warn=True)
    check_consistent_length(X, y)
    check_classification_targets(y)
    classes, codes = np.unique(y, return_inverse=True)
    is_number = classes.dtype.kind in "biuf"
    numbers = classes if is_number else np.arange(len(classes))
    return Labels(codes, numbers.astype(np.float64))


def _indicators(codes, n_missing):
    n_values = int(np.nanmax(codes)) + 1 if n_missing < len(codes) else 0
    values = np.arange(n_values)
    if n_values == 2 and n_missing == 0:
        values = values[1:]
    return (codes[:, None] == values).astype(np.float64)
