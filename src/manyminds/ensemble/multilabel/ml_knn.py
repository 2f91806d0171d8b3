"""ML-kNN: Bayes' rule on how many of the nearest neighbors have a label."""

from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import (
    check_consistent_length,
    check_is_fitted,
    validate_data,
)

from manyminds._compat import DocLinkMixin, Interval
from manyminds.ensemble.multilabel._parameters import PARAGRAPHS
from manyminds.ensemble.multilabel.base import MultiLabelMixin
from manyminds.ensemble.neighbors import Neighbors
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import ZHANG_2007, cite

_BLOCK_CELLS = 2**24  # labels of neighbors held at once


@fill_docstring(**PARAGRAPHS, references=cite(ZHANG_2007))
class MLkNNClassifier(MultiLabelMixin, DocLinkMixin, BaseEstimator):
    """Predict a label from the number of nearest neighbors that have it.

    For each label, Bayes' rule on that number: how often rows with the label, and rows
    without it, have so many neighbors with it is counted on the training rows, none of
    which is its own neighbor [1]_. Distances are Euclidean; scale the columns first.

    Parameters
    ----------
    n_neighbors : int, default=10
        Number of neighbors; all other rows if there are fewer.
    smoothing : float, default=1.0
        Number of rows added to each count; 1: Laplace.
    n_jobs : int, default=None
        Number of threads of the search for neighbors.

    Attributes
    ----------
    {label_names}

    {references}

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> from manyminds.ensemble import MLkNNClassifier
    >>> X, y = make_multilabel_classification(n_classes=3, random_state=0)
    >>> MLkNNClassifier().fit(X, y).predict(X[:2]).shape
    (2, 3)
    """

    _parameter_constraints = {
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "smoothing": [Interval(Real, 0.0, None, closed="neither")],
        "n_jobs": [Integral, None],
    }

    def __init__(self, n_neighbors=10, *, smoothing=1.0, n_jobs=None):
        self.n_neighbors = n_neighbors
        self.smoothing = smoothing
        self.n_jobs = n_jobs

    def fit(self, X, y):
        """Count neighbors with each label among the training rows.

        {fit_finite}
        """
        self._validate_params()
        X = validate_data(self, X, dtype=np.float64, ensure_min_samples=2)
        Y = self._read_labels(y)
        check_consistent_length(X, Y)

        n_near = min(self.n_neighbors, len(Y) - 1)
        self._neighbors = Neighbors(X, n_near, self.n_jobs)
        self._labels, s = Y, self.smoothing
        counts = self._count_labels(self._neighbors.find())
        table = count_by_label(counts, Y, n_near)
        n_with = Y.sum(axis=0, dtype=np.float64)
        self._prior = (s + n_with) / (2.0 * s + len(Y))
        self._likelihood = (s + table) / (
            s * (n_near + 1) + table.sum(axis=2, keepdims=True)
        )
        return self

    def _count_labels(self, near):
        """Count the neighbors of each row that have each label."""
        n_near, n_labels = near.shape[1], self._labels.shape[1]
        counts = np.empty((len(near), n_labels), np.intp)
        step = max(1, _BLOCK_CELLS // max(1, n_near * n_labels))
        for first in range(0, len(near), step):
            some = slice(first, first + step)
            counts[some] = self._labels[near[some]].sum(axis=1, dtype=np.intp)
        return counts

    def _score_labels(self, X):
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return self._score_counts(self._count_labels(self._neighbors.find(X)))

    def _score_counts(self, counts):
        """Return the scores of rows by how many neighbors have each label."""
        columns = np.arange(self.n_labels_)
        has = self._prior * self._likelihood[1, columns, counts]
        has_not = (1.0 - self._prior) * self._likelihood[0, columns, counts]
        return has / (has + has_not)


def count_by_label(counts, Y, n_near):
    """Count the rows without and with a label by their neighbors that have it.

    Parameters
    ----------
    counts : ndarray of shape (n_samples, n_labels)
        Number of neighbors that have each label.
    Y : ndarray of shape (n_samples, n_labels)
        1 if a row has a label, otherwise 0.
    n_near : int
        Number of neighbors.

    Returns
    -------
    table : ndarray of shape (2, n_labels, n_near + 1)
        Number of rows.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.ensemble.multilabel.ml_knn import count_by_label
    >>> count_by_label(np.array([[2], [2], [0]]), np.array([[1], [0], [0]]), 2)
    array([[[1, 0, 1]],
    <BLANKLINE>
           [[0, 0, 1]]])
    """
    n_labels = Y.shape[1]
    cells = (Y * n_labels + np.arange(n_labels)) * (n_near + 1) + counts
    table = np.bincount(cells.ravel(), minlength=2 * n_labels * (n_near + 1))
    return table.reshape(2, n_labels, n_near + 1)
