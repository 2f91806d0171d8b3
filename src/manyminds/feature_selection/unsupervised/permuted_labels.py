"""Importance of a column: out-of-bag rows that change clusters if it is permuted."""

import numpy as np

from manyminds.ensemble.base import run_on_members
from manyminds.kernels.kmeans import mark_changed_labels


def count_changes(members, points, seeds, n_jobs=None):
    """Count how often permuted columns change the clusters of out-of-bag rows.

    Parameters
    ----------
    members : BaseClusterings
    points : ndarray of shape (n_features, n_rows), C order
        The training rows as the members see them, transposed.
    seeds : ndarray of int of shape (n_members,)
        Draw the permutations.
    n_jobs : int or None, default=None
        Number of threads.

    Returns
    -------
    changed : ndarray of uint16 of shape (n_rows, n_features)
        Clusterings that did not draw the row, and put it into another cluster after
        the column is permuted among such rows.
    tested : ndarray of uint16 of shape (n_rows, n_features)
        Clusterings that did not draw the row, and see the column.
    """
    n_features, n_rows = points.shape
    changed = np.zeros((n_rows, n_features), dtype=np.uint16)
    tested = np.zeros((n_rows, n_features), dtype=np.uint16)
    found = run_on_members(
        mark_changes,
        ((members, q, points, int(seeds[q])) for q in range(len(members))),
        n_jobs,
    )
    for q, (rows, marks) in enumerate(found):
        place = np.ix_(rows, members.features[q])
        changed[place] += marks.T
        tested[place] += np.uint16(1)
    return changed, tested


def mark_changes(members, q, points, seed):
    """Permute each column of clustering ``q``, and mark the rows that change clusters.

    Returns
    -------
    rows : ndarray of int64
        The rows that it did not draw.
    changed : ndarray of bool of shape (n_columns, n_rows)
        Which of them change, for each column that it sees.
    """
    rows = np.flatnonzero(~members.labelings.drawn[q])
    features, centers = members.features[q], members.centers[q]
    view = np.ascontiguousarray(points[features][:, rows])
    order = draw_orders(len(features), len(rows), seed)
    changed = np.zeros(view.shape, dtype=np.bool_)
    mark_changed_labels(view, centers, order, changed)
    return rows, changed


def draw_orders(n_columns, n_rows, seed):
    """Draw a permutation of the rows for each column."""
    identity = np.tile(np.arange(n_rows), (n_columns, 1))
    return np.random.default_rng(seed).permuted(identity, axis=1)
