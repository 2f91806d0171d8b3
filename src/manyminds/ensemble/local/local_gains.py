"""Gains of single rows, added up over the splits of a forest."""

from itertools import pairwise

import numpy as np
from scipy.sparse import issparse
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted, column_or_1d

from manyminds.ensemble.forests.base import ForestClassifier
from manyminds.ensemble.forests.random_forest import RandomForestClassifier
from manyminds.kernels.relevance import add_gains
from manyminds.kernels.walking import find_parents

_BLOCK_LEAVES = 2**21  # leaf numbers held at once: 16 MB
_FEW_LEAVES = 100_000  # not worth a second thread


def make_uniform_forest(**options):
    """Make the forest that relevance is read from: one feature a node, by entropy."""
    return RandomForestClassifier(criterion="entropy", max_features=1, **options)


def check_forest(parameter, forest):
    """Raise if a forest is not one of ours that classifies."""
    if not isinstance(forest, ForestClassifier):
        raise ValueError(
            f"{parameter} must be a forest classifier of manyminds, such as "
            f"RandomForestClassifier; got {forest!r}."
        )


def read_forest_rows(forest, X, y):
    """Check and encode the rows that a forest was fitted on, and their classes."""
    check_is_fitted(forest)
    X, label = forest._read_same_rows(X, column_or_1d(y, warn=True))
    return X.toarray() if issparse(X) else X, label.astype(np.int64)


def count_draws(forest, some):
    """Return how often the trees of a slice drew each training row."""
    if forest.bootstrap:
        return forest._count_draws(some)
    return np.ones((some.stop - some.start, forest._n_rows), dtype=np.int32)


def sum_gains(forest, X, label, n_jobs=None):
    """Add up the gains of each row by each feature over all trees that drew the row.

    Parameters
    ----------
    forest : forest classifier
        Fitted.
    X : ndarray of shape (n_samples, n_features)
        The rows that it was fitted on, encoded.
    label : ndarray of shape (n_samples,), int64
        Numbers of their classes.
    n_jobs : int, default=None
        Number of threads, which share out the rows.

    Returns
    -------
    total : ndarray of shape (n_samples, n_features)
        Sums of gains, in bits.
    n_seen : ndarray of shape (n_samples, n_features), int32
        How many splits each is the sum of.
    """
    trees, n_samples = forest.trees_, len(label)
    parent, depth = np.empty_like(trees.left), np.empty_like(trees.left)
    find_parents(trees.left, trees.starts, parent, depth)
    with np.errstate(divide="ignore"):
        log_share = np.log2(trees.value)
    total = np.zeros((n_samples, trees.n_features))
    n_seen = np.zeros((n_samples, trees.n_features), dtype=np.int32)
    label = np.require(label, np.int64, "CW")

    is_small = n_samples * trees.n_trees <= _FEW_LEAVES
    run = Parallel(1 if is_small else n_jobs, require="sharedmem")
    bounds = np.linspace(0, n_samples, 1 if is_small else 17).astype(np.int64)
    bounds = np.unique(np.append(bounds, n_samples))
    step = max(1, _BLOCK_LEAVES // n_samples)
    for first in range(0, trees.n_trees, step):
        some = slice(first, min(first + step, trees.n_trees))
        leaf = trees.select(np.arange(some.start, some.stop)).apply(X, n_jobs=n_jobs)
        arrays = parent, trees.feature, log_share, trees.starts[some], leaf
        drawn = np.require(count_draws(forest, some), np.int32, "CW")
        run(
            delayed(add_gains)(*arrays, drawn, label, begin, end, total, n_seen)
            for begin, end in pairwise(bounds)
        )
    return total, n_seen


def average_gains(total, n_seen, unseen="zero"):
    """Divide sums of gains by how many they are of.

    Parameters
    ----------
    total, n_seen : ndarray of shape (n_samples, n_features)
        From `sum_gains`.
    unseen : {"zero", "mean"}, default="zero"
        What a row gets for a feature by which no tree that drew the row has split it:
        0, or the mean gain of all rows by that feature.

    Returns
    -------
    relevance : ndarray of shape (n_samples, n_features)
    """
    relevance = np.zeros_like(total)
    if unseen == "mean":
        by_feature = n_seen.sum(axis=0, dtype=np.int64)
        relevance[:] = total.sum(axis=0) / np.maximum(by_feature, 1)
    return np.divide(total, n_seen, out=relevance, where=n_seen > 0)
