"""Posteriors and densities of rows with missing values, by the method that suits."""

import numpy as np
from scipy.special import logsumexp

from manyminds.networks.bayesian.completion import complete_rows
from manyminds.networks.bayesian.em import make_evidence
from manyminds.networks.bayesian.junction_tree import JunctionTree


def log_densities(X, n_states, cpds):
    """Return the log density of what is known in each row.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_nodes)
        Codes and numbers; NaN where missing.
    n_states : ndarray of int of shape (n_nodes,)
    cpds : list of TableCPD or LinearGaussianCPD

    Returns
    -------
    log_density : ndarray of shape (n_samples,)
    """
    missing = np.isnan(X).any(axis=1)
    out = np.empty(len(X))
    if not missing.all():
        out[~missing] = sum(cpd.log_density(X[~missing]) for cpd in cpds)
    if not missing.any():
        return out
    if (n_states > 0).all():
        tree, tables = make_tree(n_states, cpds)
        evidence = make_evidence(X[missing], n_states)
        out[missing] = tree.log_evidence(tables, evidence)
        return out
    rows = np.flatnonzero(missing)
    for completions in complete_rows(X[rows], n_states, cpds):
        log_joint = [one.log_joint for one in completions]
        out[rows[completions[0].rows]] = logsumexp(log_joint, axis=0)
    return out


def find_posterior(X, n_states, cpds, node):
    """Return the posterior of a categorical node given the rest of each row.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_nodes)
        Codes and numbers; NaN where missing. What it has of the node is ignored.
    n_states : ndarray of int of shape (n_nodes,)
    cpds : list of TableCPD or LinearGaussianCPD
    node : int

    Returns
    -------
    posterior : ndarray of shape (n_samples, n_states of the node)
    """
    X = X.copy()
    X[:, node] = np.nan
    others = np.delete(np.arange(X.shape[1]), node)
    missing = np.isnan(X[:, others]).any(axis=1)
    log_joint = np.empty((len(X), n_states[node]))
    if not missing.all():
        log_joint[~missing] = _blanket(X[~missing], n_states, cpds, node)
    if missing.any() and (n_states > 0).all():
        tree, tables = make_tree(n_states, cpds)
        evidence = make_evidence(X[missing], n_states)
        (found,) = tree.posteriors(tables, evidence, [node])
        with np.errstate(divide="ignore"):
            log_joint[missing] = np.log(found)
    elif missing.any():
        rows = np.flatnonzero(missing)
        log_joint[missing] = -np.inf
        for completions in complete_rows(X[rows], n_states, cpds):
            for one in completions:
                places = rows[one.rows], one.X[:, node].astype(np.intp)
                log_joint[places] = np.logaddexp(log_joint[places], one.log_joint)
    return _normalize(log_joint)


def _blanket(X, n_states, cpds, node):
    """Return the log joint of each state with the node's Markov blanket."""
    touched = [
        cpd for cpd in cpds
        if cpd.node == node or node in cpd.parents
    ]  # fmt: skip
    log_joint = np.zeros((len(X), n_states[node]))
    for state in range(n_states[node]):
        X[:, node] = state
        for cpd in touched:
            log_joint[:, state] += cpd.log_density(X)
    return log_joint


def _normalize(log_joint):
    """Return probabilities; even ones where nothing is possible."""
    high = log_joint.max(axis=1, keepdims=True)
    joint = np.exp(log_joint - np.where(np.isfinite(high), high, 0.0))
    total = joint.sum(axis=1, keepdims=True)
    even = np.full(joint.shape, 1.0 / joint.shape[1])
    return np.divide(joint, total, out=even, where=total > 0.0)


def make_tree(n_states, cpds):
    """Return the junction tree of a network of categories, and its tables."""
    tree = JunctionTree([cpd.parents for cpd in cpds], n_states)
    return tree, [cpd.table for cpd in cpds]
