"""Sum over what is missing in a row: states one by one, numbers by their Gaussian."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from manyminds.datasets.networks.table_network import sort_topologically
from manyminds.networks.bayesian.cpds import LinearGaussianCPD

MAX_CONFIGURATIONS = 4096  # of the missing categories of a row
_LOG_2_PI = np.log(2.0 * np.pi)


@dataclass(frozen=True, eq=False)
class Completion:
    """One way to fill the missing categories of some rows, and the numbers' means.

    Parameters
    ----------
    rows : ndarray of int of shape (n_rows,)
        Which rows.
    X : ndarray of shape (n_rows, n_nodes)
        These rows without missing values.
    log_joint : ndarray of shape (n_rows,)
        Log of the joint density of what is known and of the categories filled in.
    groups : list of (ndarray of int, ndarray)
        Positions in ``rows``, and the covariance of the numbers that were filled in.
    """

    rows: np.ndarray
    X: np.ndarray
    log_joint: np.ndarray
    groups: list


def find_patterns(X, n_states):
    """Group rows by which of their values are missing.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_nodes)
    n_states : ndarray of int of shape (n_nodes,)

    Returns
    -------
    patterns : list of (rows, hidden, numbers)
        Positions of rows, of the missing categories and of the missing numbers.
    """
    patterns, which = np.unique(np.isnan(X), axis=0, return_inverse=True)
    which = which.ravel()
    return [
        (
            np.flatnonzero(which == p),
            np.flatnonzero(pattern & (n_states > 0)),
            np.flatnonzero(pattern & (n_states == 0)),
        )
        for p, pattern in enumerate(patterns)
    ]


def complete_rows(X, n_states, cpds, patterns=None):
    """Yield all completions of rows, those of one pattern of missing values together.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_nodes)
        Codes and numbers; NaN where missing.
    n_states : ndarray of int of shape (n_nodes,)
    cpds : list of TableCPD or LinearGaussianCPD
    patterns : list, default=None
        What `find_patterns` returns, if it is known.

    Yields
    ------
    completions : list of Completion
        One for each configuration of the missing categories of a pattern. The
        posterior of a row is the softmax of its ``log_joint`` over the list.
    """
    patterns = find_patterns(X, n_states) if patterns is None else patterns
    for rows, hidden, numbers in patterns:
        yield [
            _complete(X, rows, hidden, states, numbers, n_states, cpds)
            for states in _list_configurations(n_states[hidden])
        ]


def _list_configurations(sizes):
    """Return all states of some nodes, a row for each configuration."""
    if np.prod(sizes.astype(float)) > MAX_CONFIGURATIONS:
        raise ValueError(
            f"A row has {len(sizes)} missing categories, with more than "
            f"{MAX_CONFIGURATIONS} configurations to sum over. Impute some of them; a "
            "network of categories only has no such limit."
        )
    if len(sizes) == 0:
        return np.empty((1, 0))
    return np.indices(tuple(sizes)).reshape(len(sizes), -1).T


def _complete(X, rows, hidden, states, numbers, n_states, cpds):
    """Fill the hidden categories of rows with states, numbers with their means."""
    filled = X[rows].copy()
    filled[:, hidden] = states
    if len(numbers) == 0:
        log_joint = sum(cpd.log_density(filled) for cpd in cpds)
        return Completion(rows, filled, log_joint, [])
    tables = [cpd for cpd in cpds if n_states[cpd.node] > 0]
    log_joint = sum((cpd.log_density(filled) for cpd in tables), np.zeros(len(rows)))
    groups, switches = [], _find_switches(cpds)
    _, label = np.unique(filled[:, switches], axis=0, return_inverse=True)
    label = label.ravel()
    for g in range(label.max() + 1):
        places = np.flatnonzero(label == g)
        mean, covariance = join_gaussians(filled[places[0]], n_states, cpds)
        log_density, spread = _condition(filled, places, numbers, mean, covariance)
        log_joint[places] += log_density
        groups.append((places, spread))
    return Completion(rows, filled, log_joint, groups)


def _find_switches(cpds):
    """Return the categorical parents of numeric nodes, as positions."""
    of_numbers = [cpd.parents for cpd in cpds if isinstance(cpd, LinearGaussianCPD)]
    return sorted({parent for parents in of_numbers for parent in parents})


def join_gaussians(row, n_states, cpds):
    """Return mean and covariance of the numeric nodes given the categories of a row.

    Parameters
    ----------
    row : ndarray of shape (n_nodes,)
        Codes of the categories; its numbers are not looked at.
    n_states : ndarray of int of shape (n_nodes,)
    cpds : list of TableCPD or LinearGaussianCPD

    Returns
    -------
    mean : ndarray of shape (n_nodes,)
        0 for categorical nodes.
    covariance : ndarray of shape (n_nodes, n_nodes)
    """
    n_nodes = len(n_states)
    mean, covariance = np.zeros(n_nodes), np.zeros((n_nodes, n_nodes))
    numeric = [getattr(cpd, "numeric_parents", ()) for cpd in cpds]
    for node in sort_topologically(numeric):
        if n_states[node] > 0:
            continue
        cpd, parents = cpds[node], list(numeric[node])
        place = tuple(int(row[j]) for j in cpd.parents)
        slopes = cpd.coefficients[place]
        mean[node] = cpd.intercept[place] + slopes @ mean[parents]
        across = covariance[:, parents] @ slopes
        covariance[node] = covariance[:, node] = across
        covariance[node, node] = cpd.variance[place] + slopes @ across[parents]
    return mean, covariance


def _condition(filled, places, numbers, mean, covariance):
    """Fill missing numbers with their means given the others.

    Returns the log density of the known numbers, and the covariance of the others.
    """
    unknown = np.zeros(len(mean), dtype=bool)
    unknown[numbers] = True
    known = np.flatnonzero(~unknown & (np.diagonal(covariance) > 0.0))
    spread = np.zeros_like(covariance)
    inner = covariance[np.ix_(numbers, numbers)]
    if len(known) == 0:
        filled[np.ix_(places, numbers)] = mean[numbers]
        spread[np.ix_(numbers, numbers)] = inner
        return np.zeros(len(places)), spread
    factor = cho_factor(covariance[np.ix_(known, known)], lower=True)
    across = covariance[np.ix_(known, numbers)]
    weights = cho_solve(factor, across)
    rest = filled[np.ix_(places, known)] - mean[known]
    filled[np.ix_(places, numbers)] = mean[numbers] + rest @ weights
    spread[np.ix_(numbers, numbers)] = inner - across.T @ weights
    squares = (rest * cho_solve(factor, rest.T).T).sum(axis=1)
    log_determinant = 2.0 * np.log(np.diagonal(factor[0])).sum()
    return -0.5 * (len(known) * _LOG_2_PI + log_determinant + squares), spread
