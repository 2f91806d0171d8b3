"""Correlation scores of many subsets of columns, from products computed once."""

import numpy as np
from sklearn.utils import check_random_state

from manyminds.analysis._checks import check_not_negative
from manyminds.analysis.correlation.preparing import check_preparers, prepare
from manyminds.analysis.correlation.projection import (
    SAFE_PIVOT,
    column_space,
    compress,
    indicators,
    standardize,
)
from manyminds.analysis.correlation.reading import read_encoding, read_labels
from manyminds.analysis.correlation.score import (
    PROJECTED,
    UNCERTAINTIES,
    check_method,
    measure,
    read_projection,
)

__all__ = ["SubsetScorer", "draw_subsets"]

_BLOCK_CELLS = 200_000  # size of the small matrices of a block


class SubsetScorer:
    """Score subsets of the columns of a table, many at once.

    Rows are compressed once to as many as there are columns, which preserves angles.
    Then a subset of t columns costs the elimination of one small matrix, whatever the
    number of rows, and thousands of them are eliminated together: a fitness function
    for searches over subsets. Subsets with (nearly) dependent columns are decomposed
    one by one, by QR.

    Parameters
    ----------
    X : array-like or dataframe of shape (n_samples, n_features)
        Encoded vectors. A categorical column becomes one or more indicator columns,
        which count as columns here.
    y : array-like of shape (n_samples,)
        Class labels.
    method : str, default="r2"
        Coefficient, see `correlation_score`. Those that are not functions of scatter
        ("cross_validated_r2", uncertainty, "distance") are computed subset by subset.
    label_encoder, preparers, categorical_features, tol, clip, random_state
        See `correlation_score`. Preparers are applied once, to all columns.

    Attributes
    ----------
    n_columns_ : int
        Number of columns, with those of categories.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.analysis import SubsetScorer
    >>> scorer = SubsetScorer(*load_iris(return_X_y=True))
    >>> scorer.score([[0, 1], [2, 3], [0, 1, 2, 3]]).round(3)
    array([0.473, 0.523, 0.596])
    """

    def __init__(
        self,
        X,
        y,
        method="r2",
        *,
        label_encoder="auto",
        preparers="auto",
        categorical_features="from_dtype",
        tol=None,
        clip=True,
        random_state=None,
    ):
        self._one_hot = check_method(method, label_encoder)
        if tol is not None:
            check_not_negative("tol", tol)
        preparers = check_preparers(preparers, method in UNCERTAINTIES)
        X = read_encoding(X, categorical_features)
        labels = read_labels(X, y)

        self._X, self._labels = prepare(X, labels, preparers, random_state)
        self._method, self._tol, self._clip = method, tol, clip
        self.n_columns_ = X.shape[1]
        if method in PROJECTED:
            self._compress()

    def score(self, subsets):
        """Return the score of each subset.

        Parameters
        ----------
        subsets : sequence of array-likes of int, or of bool of shape (n_columns,)
            Positions of the columns of each subset, or masks.

        Returns
        -------
        scores : ndarray of shape (n_subsets,)
            Means over the label columns.
        """
        subsets = [self._read(subset) for subset in subsets]
        scores = np.empty(len(subsets))
        sizes = np.array([len(subset) for subset in subsets])
        for size in np.unique(sizes):
            places = np.flatnonzero(sizes == size)
            step = max(1, _BLOCK_CELLS // size**2)
            for first in range(0, len(places), step):
                some = places[first : first + step]
                scores[some] = self._score_block(np.array([subsets[i] for i in some]))
        return scores

    def _read(self, subset):
        subset = np.asarray(subset)
        if subset.dtype == bool and subset.shape == (self.n_columns_,):
            subset = np.flatnonzero(subset)
        is_whole = subset.ndim == 1 and subset.size and subset.dtype.kind in "iu"
        if not is_whole or subset.min() < 0 or subset.max() >= self.n_columns_:
            raise ValueError(
                "subsets must hold positions from 0 to "
                f"{self.n_columns_ - 1}, one or more in each, or masks of "
                f"{self.n_columns_} columns; got {subset!r}."
            )
        return subset

    def _compress(self):
        X, tolerance = standardize(self._X)
        self._rows, self._classes = compress(X, indicators(self._labels))
        self._products = self._rows.T @ self._rows
        self._class_products = self._rows.T @ self._classes
        self._tolerance = tolerance if self._tol is None else self._tol

    def _score_block(self, subsets):
        """Return the scores of subsets of equal size."""
        if self._method in PROJECTED:
            values = self._measure_together(subsets)
        else:
            values = np.array([self._measure(self._X[:, one]) for one in subsets])
        if self._clip:
            values = np.clip(values, 0.0, 1.0)
        return values.mean(axis=1)

    def _measure(self, X):
        return measure(X, self._labels, self._method, self._one_hot, self._tol)

    def _measure_together(self, subsets):
        products = self._products[subsets[:, :, None], subsets[:, None, :]]
        M, is_safe = _eliminate(products, self._class_products[subsets])
        values = self._read_projection(M)
        if self._tol is not None:  # a tolerance applies to the QR decomposition
            is_safe[:] = False
        for i in np.flatnonzero(~is_safe):
            basis = column_space(self._rows[:, subsets[i]], self._tolerance)
            values[i] = self._read_projection(basis.T @ self._classes)
        return values

    def _read_projection(self, M):
        return read_projection(M, self._labels, self._method, self._one_hot)


def draw_subsets(n_columns, size, n_subsets=10, *, random_state=None):
    """Draw random subsets of columns, each without replacement.

    Parameters
    ----------
    n_columns : int
        Number of columns to draw from.
    size : int
        Number of columns of each subset.
    n_subsets : int, default=10
        Number of subsets.
    random_state : int, RandomState instance or None, default=None
        Determines random number generation.

    Returns
    -------
    subsets : ndarray of int of shape (n_subsets, size)

    Examples
    --------
    >>> from manyminds.analysis import draw_subsets
    >>> draw_subsets(5, 2, n_subsets=3, random_state=0).shape
    (3, 2)
    """
    if not 1 <= size <= n_columns:
        raise ValueError(f"size must be from 1 to {n_columns}; got {size!r}.")
    rng = check_random_state(random_state)
    return np.array(
        [rng.choice(n_columns, size=size, replace=False) for _ in range(n_subsets)]
    ).reshape(n_subsets, size)


def _eliminate(products, class_products):
    """Eliminate columns of all subsets together.

    Parameters
    ----------
    products : ndarray of shape (n_subsets, size, size)
        Products of columns of length one; is overwritten.
    class_products : ndarray of shape (n_subsets, size, n_classes)
        Products of columns with the classes; becomes M.

    Returns
    -------
    M : ndarray of shape (n_subsets, size, n_classes)
        See `project_labels`.
    is_safe : ndarray of bool of shape (n_subsets,)
        False if a column is nearly a linear combination of earlier ones: M is not
        accurate.
    """
    M, is_safe = class_products, np.ones(len(products), dtype=bool)
    for j in range(products.shape[1]):
        pivot = products[:, j, j]
        is_safe &= pivot > SAFE_PIVOT
        root = np.sqrt(np.maximum(pivot, SAFE_PIVOT))[:, None]
        M[:, j] /= root
        row = products[:, j, j + 1 :] / root
        products[:, j + 1 :, j + 1 :] -= row[:, :, None] * row[:, None, :]
        M[:, j + 1 :] -= row[:, :, None] * M[:, j, None, :]
    return M, is_safe
