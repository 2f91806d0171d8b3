"""Growing trees with many targets: sets of labels, or vectors of numbers."""

import numpy as np
from scipy.sparse import csr_matrix

from manyminds.kernels.bundles import IS_CATEGORICAL, N_BINS, Labels
from manyminds.trees.growing import grow

MAX_LABELS = 65_535  # what uint16 can number
_MAX_PACKED = 64  # labels; more are moved one by one, at the cost of those a row has


def grow_on_labels(table, Y, rules, sampling, seeds, *, n_jobs=None, watch=None):
    """Grow trees whose splits decrease the mean gini over all labels.

    A label that most rows have is stored by the rows that have it not, which changes no
    score: the time grows with the number of labels that a row has, not with the number
    of labels.

    Parameters
    ----------
    table : Table
        Binned columns, from ``bin_table``.
    Y : ndarray of shape (n_samples, n_labels)
        1 if a row has a label, otherwise 0.
    rules : Rules
        From ``make_rules``, for ``n_labels`` classes and the criterion "gini".
    sampling, seeds, n_jobs, watch : object
        As of ``manyminds.trees.growing.grow``.

    Returns
    -------
    trees : Trees
        The value of a node is the share of its rows that have each label.
    """
    is_common = Y.mean(axis=0) > 0.5
    is_whole = sampling.n_draws > 0 or (sampling.weights % 1.0 == 0.0).all()
    labels = _list_labels(table, (Y != 0) ^ is_common, is_whole)
    trees = grow(
        table, np.zeros(len(Y)), rules, sampling, seeds, labels=labels, n_jobs=n_jobs,
        watch=watch,
    )  # fmt: skip
    if is_common.any():
        trees.value[:, is_common] = 1.0 - trees.value[:, is_common]
    return trees


def grow_on_targets(table, Y, rules, sampling, seeds, *, n_jobs=None, watch=None):
    """Grow trees whose splits decrease the mean squared error over all targets.

    Parameters
    ----------
    table : Table
        Binned columns, from ``bin_table``.
    Y : ndarray of shape (n_samples, n_targets)
        Targets as float64.
    rules : Rules
        From ``make_rules``, for ``n_targets`` classes and "squared_error".
    sampling, seeds, n_jobs, watch : object
        As of ``manyminds.trees.growing.grow``.

    Returns
    -------
    trees : Trees
        The value of a node is the mean of each target.
    """
    mean = np.average(Y, axis=0, weights=sampling.weights.mean(axis=0))
    labels = Labels(
        first=np.empty(0, np.uint32),
        label=np.empty(0, np.uint16),
        words=np.empty((len(Y), 0), np.uint64),
        numbers=np.ascontiguousarray(Y - mean),  # near zero, squares lose no digits
        main_bin=_find_main_bins(table, len(Y)),
    )
    trees = grow(
        table, np.zeros(len(Y)), rules, sampling, seeds, labels=labels, n_jobs=n_jobs,
        watch=watch,
    )  # fmt: skip
    trees.value[:] += mean
    return trees


def _list_labels(table, Y, is_whole):
    """List the labels of each row; Y is of bool."""
    sets = csr_matrix(Y)
    packed = is_whole and Y.shape[1] <= _MAX_PACKED
    return Labels(
        first=sets.indptr.astype(np.uint32),
        label=sets.indices.astype(np.uint16),
        words=_pack(Y) if packed else np.empty((len(Y), 0), np.uint64),
        numbers=np.empty((0, 0)),
        main_bin=_find_main_bins(table, len(Y)),
    )


def _pack(Y):
    """Pack four labels into a word, in lanes of 16 bits."""
    n_samples, n_labels = Y.shape
    lanes = np.zeros((n_samples, n_labels + -n_labels % 4), np.uint16)
    lanes[:, :n_labels][Y] = 0xFFFF
    return lanes.view(np.uint64)


def _find_main_bins(table, n_samples):
    """Return the bin that holds half of each column or more; -1 where none does."""
    main = np.full(len(table.columns), -1)
    for j in np.flatnonzero(table.columns[:, IS_CATEGORICAL] == 0):
        counts = np.bincount(table.codes[j * n_samples : (j + 1) * n_samples])
        values = counts[: table.columns[j, N_BINS]]  # without the missing ones
        if 2 * values.max(initial=0) >= n_samples:
            main[j] = values.argmax()
    return main
