"""Variable elimination: the posterior of some nodes, the others summed out in turn."""

import numpy as np

from manyminds.networks.bayesian.elimination_order import order_elimination
from manyminds.networks.graphs.forms import make_adjacency
from manyminds.networks.graphs.separation import find_ancestors, moralize


def eliminate(tables, parents, n_states, targets, evidence):
    """Return the joint posterior of some nodes of a network of categories.

    Nodes that are no ancestors of the targets or of the evidence have no influence and
    are left out.

    Parameters
    ----------
    tables : list of ndarray
        Probabilities of each node's states, in the last axis, given its parents'.
    parents : list of tuple of int
    n_states : sequence of int
    targets : sequence of int
    evidence : dict of int to ndarray of shape (n_states,)
        Likelihood of each state of a node; 1 for a known state and 0 for the others.

    Returns
    -------
    posterior : ndarray
        An axis for each target, in their order.

    References
    ----------
    .. [1] Zhang and Poole, "A simple approach to Bayesian network computations",
       Canadian Conference on AI, 1994.
    """
    arcs = make_adjacency(parents)
    is_needed = find_ancestors(arcs)[[*targets, *evidence]].any(axis=0)
    needed = np.flatnonzero(is_needed).tolist()
    factors = [((*parents[v], v), np.asarray(tables[v])) for v in needed]
    factors += [((v,), np.asarray(likelihood)) for v, likelihood in evidence.items()]
    moral = moralize(arcs * is_needed[:, None] * is_needed)
    for v, _ in order_elimination(moral, n_states, set(needed) - set(targets)):
        touched = [factor for factor in factors if v in factor[0]]
        factors = [factor for factor in factors if v not in factor[0]]
        nodes = sorted({u for of_factor, _ in touched for u in of_factor} - {v})
        factors.append((tuple(nodes), _multiply(touched, nodes)))
    joint = _multiply(factors, targets)
    total = joint.sum()
    if total <= 0.0:
        raise ValueError("The evidence has the probability 0 in this network.")
    return joint / total


def _multiply(factors, nodes):
    """Multiply factors; sum over all nodes but those listed."""
    labels = {}
    for of_factor, _ in factors:
        for v in of_factor:
            labels.setdefault(v, len(labels))
    operands = []
    for of_factor, values in factors:
        operands += [values, [labels[v] for v in of_factor]]
    return np.einsum(*operands, [labels[v] for v in nodes], optimize="greedy")
