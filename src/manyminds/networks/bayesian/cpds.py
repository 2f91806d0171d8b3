"""Conditional distributions of nodes: tables, and linear Gaussians by configuration."""

from dataclasses import dataclass
from math import prod

import numpy as np

_LOG_2_PI = np.log(2.0 * np.pi)


@dataclass(frozen=True, eq=False)
class TableCPD:
    """Probabilities of a categorical node given its categorical parents.

    Parameters
    ----------
    node : int
    parents : tuple of int
    table : ndarray of shape (n_states of each parent ..., n_states)
    """

    node: int
    parents: tuple
    table: np.ndarray

    @property
    def n_parameters(self):
        """Number of free parameters."""
        return self.table.size - self.table.size // self.table.shape[-1]

    def log_density(self, X):
        """Return the log probability of the node's state in each complete row."""
        places = tuple(X[:, j].astype(np.intp) for j in (*self.parents, self.node))
        with np.errstate(divide="ignore"):
            return np.log(self.table)[places]

    def draw(self, X, rng):
        """Draw the node's state for each row, whose parents are known."""
        places = tuple(X[:, j].astype(np.intp) for j in self.parents)
        bounds = np.cumsum(self.table, axis=-1)[places][..., :-1]
        return (rng.uniform(size=(len(X), 1)) >= bounds).sum(axis=1)


@dataclass(frozen=True, eq=False)
class LinearGaussianCPD:
    """A normal distribution, linear in numeric parents, by states of categorical ones.

    Parameters
    ----------
    node : int
    parents : tuple of int
        The categorical parents.
    numeric_parents : tuple of int
    intercept : ndarray of shape (n_states of each categorical parent ...)
    coefficients : ndarray of shape (..., n_numeric_parents)
    variance : ndarray of the shape of the intercept
    """

    node: int
    parents: tuple
    numeric_parents: tuple
    intercept: np.ndarray
    coefficients: np.ndarray
    variance: np.ndarray

    @property
    def n_parameters(self):
        """Number of free parameters."""
        return self.intercept.size + self.coefficients.size + self.variance.size

    def predict(self, X):
        """Return the mean and the variance of the node in each row."""
        places = tuple(X[:, j].astype(np.intp) for j in self.parents)
        slopes = self.coefficients[places]
        mean = self.intercept[places] + np.zeros(len(X))
        if self.numeric_parents:
            mean = mean + (X[:, list(self.numeric_parents)] * slopes).sum(axis=-1)
        return mean, self.variance[places] + np.zeros(len(X))

    def log_density(self, X):
        """Return the log density of the node's value in each complete row."""
        mean, variance = self.predict(X)
        rest = X[:, self.node] - mean
        return -0.5 * (_LOG_2_PI + np.log(variance) + rest**2 / variance)

    def draw(self, X, rng):
        """Draw the node's value for each row, whose parents are known."""
        mean, variance = self.predict(X)
        return rng.normal(mean, np.sqrt(variance))


def fit_cpds(X, weight, n_states, parents, *, prior_count, var_smoothing, spreads=()):
    """Fit the distributions of all nodes to complete rows.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_nodes)
        Complete rows: codes and numbers.
    weight : ndarray of shape (n_samples,)
    n_states : ndarray of int of shape (n_nodes,)
        0 for numeric nodes.
    parents : list of tuple of int
    prior_count : float
        Rows that are added to each cell of a table.
    var_smoothing : float
        Share of a column's variance that is added to its variances.
    spreads : sequence of (ndarray, float, ndarray), default=()
        Codes of a configuration, weight of its rows, and the covariance by which their
        numbers vary around those in ``X``: what EM knows of missing ones.

    Returns
    -------
    cpds : list of TableCPD or LinearGaussianCPD
    """
    return [
        fit_table(count_cells(X, weight, n_states, (*of_node, node)), node, of_node,
                  prior_count)
        if n_states[node] > 0
        else _fit_gaussian(X, weight, n_states, node, of_node, var_smoothing, spreads)
        for node, of_node in enumerate(parents)
    ]  # fmt: skip


def count_cells(X, weight, n_states, nodes):
    """Return the weight of each configuration of some categorical nodes."""
    cell, sizes = find_cells(X, n_states, nodes)
    return np.bincount(cell, weight, minlength=prod(sizes)).reshape(sizes)


def find_cells(X, n_states, nodes):
    """Return the configuration of some nodes in each row, and their sizes."""
    sizes = tuple(int(n_states[j]) for j in nodes)
    cell = np.zeros(len(X), dtype=np.intp)
    for j, size in zip(nodes, sizes):
        cell = cell * size + X[:, j].astype(np.intp)
    return cell, sizes


def fit_table(counts, node, parents, prior_count):
    """Return a table from counts; a row without any is even."""
    counts = counts + prior_count
    total = counts.sum(axis=-1, keepdims=True)
    even = np.full(counts.shape, 1.0 / counts.shape[-1])
    table = np.divide(counts, total, out=even, where=total > 0.0)
    return TableCPD(node, tuple(parents), table)


def _fit_gaussian(X, weight, n_states, node, parents, var_smoothing, spreads):
    """Regress a node on its numeric parents, for each configuration of the others."""
    categorical = tuple(j for j in parents if n_states[j] > 0)
    numeric = tuple(j for j in parents if n_states[j] == 0)
    cell, sizes = find_cells(X, n_states, categorical)
    columns = [*numeric, node]
    center = np.average(X[:, columns], axis=0, weights=weight)
    moments = _sum_products(X[:, columns] - center, weight, cell, prod(sizes))
    for codes, total, covariance in spreads:
        place = find_cells(codes[None], n_states, categorical)[0][0]
        moments[place, 1:, 1:] += total * covariance[np.ix_(columns, columns)]
    variances = np.diagonal(moments[:, 1:, 1:].sum(axis=0)) / weight.sum()
    variances = np.maximum(variances, 1e-300)
    intercept, slopes, variance = _solve(moments, variances, var_smoothing)
    intercept = intercept + center[-1] - slopes @ center[:-1]
    return LinearGaussianCPD(
        node, categorical, numeric, intercept.reshape(sizes),
        slopes.reshape(*sizes, len(numeric)), variance.reshape(sizes),
    )  # fmt: skip


def _sum_products(values, weight, cell, n_cells):
    """Sum the products of 1 and the columns, in each cell."""
    columns = np.column_stack([np.ones(len(values)), values])
    size = columns.shape[1]
    moments = np.empty((n_cells, size, size))
    for a in range(size):
        for b in range(a + 1):
            product = weight * columns[:, a] * columns[:, b]
            total = np.bincount(cell, product, minlength=n_cells)
            moments[:, a, b] = moments[:, b, a] = total
    return moments


def _solve(moments, variances, var_smoothing):
    """Return intercepts, slopes and variances; of cells without rows, those of all."""
    n_cells, size, _ = moments.shape
    n_rows = moments[:, 0, 0]
    intercept, slopes = np.zeros(n_cells), np.zeros((n_cells, size - 2))
    variance = np.full(n_cells, variances[-1] * (1.0 + var_smoothing))
    for c in np.flatnonzero(n_rows > 1e-10):
        left, right = moments[c, :-1, :-1].copy(), moments[c, :-1, -1]
        left[np.arange(1, size - 1), np.arange(1, size - 1)] += (
            max(var_smoothing, 1e-12) * n_rows[c] * variances[:-1]
        )
        found = np.linalg.lstsq(left, right, rcond=None)[0]
        rest = moments[c, -1, -1] - 2.0 * found @ right
        rest += found @ moments[c, :-1, :-1] @ found
        intercept[c], slopes[c] = found[0], found[1:]
        variance[c] = max(rest, 0.0) / n_rows[c] + var_smoothing * variances[-1]
    return intercept, slopes, np.maximum(variance, 1e-300)
