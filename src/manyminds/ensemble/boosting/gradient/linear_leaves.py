"""Linear leaves: a ridge regression on the columns of its path in each leaf."""

import numpy as np

from manyminds.kernels.boosting.bundles import (
    END,
    NODE,
    NODE_FEATURE,
    NODE_LEFT,
    NODE_SET,
    NODE_VALUE,
    START,
)
from manyminds.kernels.boosting.linear import add_linear_values

_ROWS_PER_SLOPE = 5  # fewer do not determine a line


class LinearLeaves:
    """Lines in the leaves of boosted trees, fitted after each round.

    In each leaf, the Newton step on the columns of the path to it: the weighted ridge
    regression of -gradient / hessian. Columns are centered, so that the constant stays
    free of the penalty, and clipped to their range in the leaf when predicting: lines
    do not run away.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_features)
        Rows of the binned table, as numbers.
    categorical : ndarray of bool of shape (n_features,)
        Columns that have no slope.
    ridge : float
        Penalty of squared slopes of columns scaled to a standard deviation of 1.
    """

    def __init__(self, X, categorical, ridge):
        self.X, self.categorical, self.ridge = X, categorical, ridge
        self.trees = []

    def adjust(self, booster, nodes, leaves, rows, gradients):
        """Fit the lines of a new tree, and correct the predictions of its rows.

        Parameters
        ----------
        booster : Booster
        nodes : Nodes
            With one tree.
        leaves : ndarray of shape (n_leaves, ...)
            Where the rows of leaves begin and end, and their nodes.
        rows : ndarray of shape (n_drawn,)
            Rows in the order of the leaves.
        gradients : ndarray of shape (2, n_rows)
            Gradients and hessians.
        """
        paths = _list_paths(nodes.ints[0], int(nodes.counts[0, 0]), self.categorical)
        constant = nodes.reals[0, :, NODE_VALUE]
        n_nodes = int(nodes.counts[0, 0])
        offsets, slopes = constant[:n_nodes].copy(), [[] for _ in range(n_nodes)]
        for leaf in leaves:
            node, inside = leaf[NODE], rows[leaf[START] : leaf[END]]
            line = self._fit_leaf(inside, paths[node], gradients, booster.learning_rate)
            if line is not None:
                offsets[node], slopes[node] = line
        self.trees.append(_pack(constant[:n_nodes], offsets, slopes))

    def _fit_leaf(self, rows, columns, gradients, rate):
        """Return the offset and (column, slope, least, greatest) of each line."""
        if not columns or len(rows) < _ROWS_PER_SLOPE * (len(columns) + 1):
            return None
        X = self.X[np.ix_(rows, columns)]
        complete = ~np.isnan(X).any(axis=1)
        X, rows = X[complete], rows[complete]
        gradient, hessian = gradients[:, rows].astype(np.float64)
        total = hessian.sum()
        if len(X) < _ROWS_PER_SLOPE * (len(columns) + 1) or total <= 0.0:
            return None
        mean = hessian @ X / total
        centered = X - mean
        scale = np.sqrt(hessian @ centered**2 / total)
        varies = scale > 1e-12 * np.maximum(np.abs(mean), 1e-300)
        if not varies.any():
            return None
        centered, scale = centered[:, varies] / scale[varies], scale[varies]
        left = (centered * hessian[:, None]).T @ centered
        left[np.diag_indices_from(left)] += self.ridge + 1e-9 * total
        slope = -np.linalg.solve(left, centered.T @ gradient) / scale * rate
        offset = -rate * gradient.sum() / total - slope @ mean[varies]
        X = X[:, varies]
        lines = zip(np.array(columns)[varies], slope, X.min(axis=0), X.max(axis=0))
        return offset, list(lines)

    def add_last(self, trees, rows, raw):
        """Add the newest tree to the raw predictions of some rows."""
        X = self.X[rows]
        total = np.zeros(len(rows))
        _add(self.trees[-1:], trees, X, total)
        raw[0, rows] += total

    def predict(self, trees, X, baseline):
        """Return raw predictions: (n_rows, 1)."""
        total = np.full(len(X), baseline[0])
        _add(self.trees[: trees.n_trees], trees, np.ascontiguousarray(X), total)
        return total[:, np.newaxis]

    def keep(self, n_trees):
        """Return the lines of the first trees, without the training rows."""
        kept = LinearLeaves(None, self.categorical, self.ridge)
        kept.trees = self.trees[:n_trees]
        return kept

    def extend(self, others):
        """Add the lines of more trees behind these."""
        self.trees = self.trees + others.trees
        return self


def _add(lines, trees, X, total, rows_at_a_time=16_384):
    """Add the values of linear leaves to totals, some rows at a time."""
    values, counts, columns, slopes = (np.concatenate(part, -1) for part in zip(*lines))
    first_slope = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    for at in range(0, len(X), rows_at_a_time):
        some = slice(at, at + rows_at_a_time)
        leaves = trees.apply(X[some]) + trees.starts[:-1]
        add_linear_values(
            leaves, values, first_slope, columns, slopes, X[some], total[some]
        )


def _list_paths(ints, n_nodes, categorical):
    """Return the columns of numbers on the path to each node."""
    paths = [[] for _ in range(n_nodes)]
    for node in range(n_nodes):
        left = ints[node, NODE_LEFT]
        if left < 0:
            continue
        column, path = int(ints[node, NODE_FEATURE]), paths[node]
        is_number = ints[node, NODE_SET] < 0 and not categorical[column]
        if is_number and column not in path:
            path = [*path, column]
        paths[left] = paths[left + 1] = path
    return paths


def _pack(constant, offsets, slopes):
    """Return values, numbers of slopes, columns and slopes of the nodes of a tree."""
    lines = [line for of_node in slopes for line in of_node]
    table = np.array(lines, dtype=np.float64).reshape(-1, 4)
    return (
        np.stack([constant, offsets]),
        np.array([len(of_node) for of_node in slopes]),
        table[:, 0].astype(np.int32),
        np.ascontiguousarray(table[:, 1:].T),
    )
