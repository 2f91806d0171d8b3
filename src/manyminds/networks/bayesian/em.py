"""Fit parameters to a graph: counts and regressions, or EM where values are missing."""

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import logsumexp

from manyminds.networks.bayesian.completion import complete_rows, find_patterns
from manyminds.networks.bayesian.cpds import fit_cpds, fit_table
from manyminds.networks.bayesian.junction_tree import JunctionTree


@dataclass(frozen=True)
class FitOptions:
    """Priors and limits of a fit.

    Parameters
    ----------
    prior_count : float, default=1.0
        Rows that are added to each cell of a table.
    var_smoothing : float, default=1e-9
        Share of a column's variance that is added to its variances.
    tol : float, default=1e-4
        EM stops when the log likelihood rises by less than this share of itself.
    max_iter : int, default=200
        Maximum number of EM's iterations.
    n_init : int, default=10
        Number of random starts, if a column has no known value.
    """

    prior_count: float = 1.0
    var_smoothing: float = 1e-9
    tol: float = 1e-4
    max_iter: int = 200
    n_init: int = 10


@dataclass(frozen=True, eq=False)
class Fitted:
    """Fitted distributions, and the log likelihood before each iteration of EM.

    Parameters
    ----------
    cpds : list of TableCPD or LinearGaussianCPD
    log_likelihoods : list of float
        Penalized by the prior of the tables; empty if nothing is missing.
    has_converged : bool
    """

    cpds: list
    log_likelihoods: list
    has_converged: bool


def fit_parameters(X, weight, n_states, parents, options, rng):
    """Fit the distributions of all nodes, by EM if values are missing.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_nodes)
        Codes and numbers; NaN where missing. A categorical column may be hidden: it has
        no known value. A numeric column without known values gets the standard normal
        distribution, and no influence.
    weight : ndarray of shape (n_samples,)
    n_states : ndarray of int of shape (n_nodes,)
    parents : list of tuple of int
    options : FitOptions
    rng : RandomState

    Returns
    -------
    fitted : Fitted
        Of several starts, that with the greatest likelihood.
    """
    missing = np.isnan(X)
    if not missing.any():
        return Fitted(_fit(X, weight, n_states, parents, options), [], True)
    hidden = missing.all(axis=0)
    n_starts = options.n_init if (hidden & (n_states > 0)).any() else 1
    best = None
    for _ in range(n_starts):
        start = _guess(X, weight, n_states, missing, rng)
        cpds = _fit(start, weight, n_states, parents, options)
        for j in np.flatnonzero(hidden & (n_states == 0)):
            cpds[j] = _make_standard(cpds[j])
        fitted = improve(X, weight, n_states, parents, cpds, options)
        if best is None or fitted.log_likelihoods[-1] > best.log_likelihoods[-1]:
            best = fitted
    return best


def improve(X, weight, n_states, parents, cpds, options):
    """Run EM from given distributions; return a `Fitted`.

    The log likelihood never falls, apart from what ``var_smoothing`` adds.
    """
    step = _make_step(X, weight, n_states, parents, options)
    trace, has_converged = [], False
    for _ in range(options.max_iter):
        improved, log_likelihood = step(cpds)
        trace.append(log_likelihood + _log_prior(cpds, options.prior_count))
        if len(trace) > 1:
            gain = trace[-1] - trace[-2]
            has_converged = gain <= options.tol * abs(trace[-2])
        cpds = improved
        if has_converged:
            break
    return Fitted(cpds, trace, has_converged)


def _fit(X, weight, n_states, parents, options, spreads=()):
    return fit_cpds(
        X, weight, n_states, parents, spreads=spreads,
        prior_count=options.prior_count, var_smoothing=options.var_smoothing,
    )  # fmt: skip


def _guess(X, weight, n_states, missing, rng):
    """Fill missing values for a first fit.

    Values are drawn from those known in the column. The states of a hidden column are
    the nearest of as many random rows.
    """
    filled = X.copy()
    hidden = missing.all(axis=0)
    for j in np.flatnonzero(missing.any(axis=0) & ~hidden):
        known = X[~missing[:, j], j]
        filled[missing[:, j], j] = rng.choice(known, size=missing[:, j].sum())
    filled[:, hidden & (n_states == 0)] = 0.0
    for j in np.flatnonzero(hidden & (n_states > 0)):
        filled[:, j] = _label_nearest(filled[:, ~hidden], n_states, hidden, j, rng)
    return filled


def _make_standard(cpd):
    """Return the standard normal distribution, whatever the parents."""
    return replace(
        cpd,
        intercept=np.zeros_like(cpd.intercept),
        coefficients=np.zeros_like(cpd.coefficients),
        variance=np.ones_like(cpd.variance),
    )


def _label_nearest(values, n_states, hidden, j, rng):
    """Return for each row the nearest of ``n_states[j]`` random rows."""
    if values.shape[1] == 0 or len(values) < n_states[j]:
        return rng.randint(n_states[j], size=len(values))
    scale = np.where(n_states[~hidden] == 0, values.std(axis=0), 1.0)
    scale[scale == 0.0] = 1.0
    centers = values[rng.choice(len(values), size=n_states[j], replace=False)]
    distance = np.zeros((len(values), n_states[j]))
    for k, is_numeric in enumerate(n_states[~hidden] == 0):
        apart = (values[:, k, None] - centers[:, k]) / scale[k]
        distance += apart**2 if is_numeric else apart != 0.0
    return distance.argmin(axis=1)


def _log_prior(cpds, prior_count):
    """Return the log density of the tables under the prior, up to a constant."""
    if prior_count == 0.0:
        return 0.0
    tables = [cpd.table for cpd in cpds if hasattr(cpd, "table")]
    return prior_count * sum(float(np.log(table).sum()) for table in tables)


# ---------------------------------------------------------------- one iteration


def _make_step(X, weight, n_states, parents, options):
    """Return a function from distributions to better ones and the log likelihood."""
    if (n_states > 0).all():
        # Equal rows have the same posteriors.
        X, which = np.unique(X, axis=0, return_inverse=True)
        weight = np.bincount(which.ravel(), weight)
        tree = JunctionTree(parents, n_states)
        evidence = make_evidence(X, n_states)
        return lambda cpds: _step_tables(cpds, tree, evidence, weight, options)
    patterns = find_patterns(X, n_states)
    return lambda cpds: _step_rows(
        X, weight, n_states, parents, patterns, cpds, options
    )


def _step_tables(cpds, tree, evidence, weight, options):
    """Count expected configurations by a junction tree."""
    tables = [cpd.table for cpd in cpds]
    counts, log_evidence = tree.expected_counts(tables, evidence, weight)
    improved = [
        fit_table(of_node, cpd.node, cpd.parents, options.prior_count)
        for of_node, cpd in zip(counts, cpds)
    ]
    return improved, float(weight @ log_evidence)


def _step_rows(X, weight, n_states, parents, patterns, cpds, options):
    """Replace each row by its completions, weighted by their posteriors."""
    total, filled, weights, spreads = 0.0, [], [], []
    for completions in complete_rows(X, n_states, cpds, patterns):
        log_joint = np.stack([one.log_joint for one in completions])
        log_evidence = logsumexp(log_joint, axis=0)
        total += float(weight[completions[0].rows] @ log_evidence)
        posterior = np.exp(log_joint - log_evidence)
        for one, share in zip(completions, posterior):
            of_rows = weight[one.rows] * share
            filled.append(one.X)
            weights.append(of_rows)
            spreads += [
                (one.X[places[0]], float(of_rows[places].sum()), covariance)
                for places, covariance in one.groups
            ]
    X, weights = np.concatenate(filled), np.concatenate(weights)
    return _fit(X, weights, n_states, parents, options, spreads), total


def make_evidence(X, n_states):
    """Return the likelihoods of states in each row: 1 for all of a missing value."""
    evidence = []
    for column, n in zip(X.T, n_states):
        missing = np.isnan(column)
        if missing.all():
            evidence.append(None)
            continue
        likelihood = np.eye(n)[np.where(missing, 0, column).astype(np.intp)]
        likelihood[missing] = 1.0
        evidence.append(likelihood)
    if all(one is None for one in evidence) and len(evidence) > 0:
        evidence[0] = np.ones((len(X), n_states[0]))
    return evidence
