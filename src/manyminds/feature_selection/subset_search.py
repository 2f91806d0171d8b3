"""Search through subsets of features: best first, floating, forward.

The searches take an object that computes merits. It has ``n_features``; ``start()``,
which returns the empty subset; ``after_adding(subset)`` and ``after_removing(subset)``,
which return the merits of all subsets with one feature more or fewer, minus infinity
where there is no such subset; ``add(subset, feature)`` and ``remove(subset, feature)``.
A subset has ``members``, in the order of addition, and a ``merit``.
"""

from heapq import heappop, heappush

import numpy as np

ROUNDING = 1e-10  # merits that differ by less are equal: the first feature goes first


def search_forward(merits):
    """Add the best feature as long as this raises the merit.

    Parameters
    ----------
    merits : object
        See the docstring of this module.

    Returns
    -------
    path : list of subsets
        From the empty one to the last; every step is better than the one before.
    """
    path = [merits.start()]
    while len(path[-1].members) < merits.n_features:
        child = _add_best(merits, path[-1])
        if child.merit <= path[-1].merit + ROUNDING:
            break
        path.append(child)
    return path


def search_best_first(merits, n_stale=5):
    """Expand the best subset not yet expanded, until there is no more improvement.

    To expand a subset is to evaluate all subsets with one feature more. Unlike a
    forward search this returns to the second best subset, the third best and so on
    when an expansion brings no improvement.

    Parameters
    ----------
    merits : object
        See the docstring of this module.
    n_stale : int, default=5
        Number of successive expansions without improvement after which to stop.

    Returns
    -------
    path : list of subsets
        From the empty one to the best; each was the best so far when it was found.
    """
    subset = merits.start()
    path, seen, open_subsets, stale = [subset], set(), [], 0
    while subset is not None and stale < n_stale:
        children = merits.after_adding(subset)
        stale += 1
        if children.max(initial=-np.inf) > path[-1].merit + ROUNDING:
            path.append(merits.add(subset, _first_best(children)))
            stale = 0
        _keep_open(open_subsets, len(seen), subset, children)
        seen.add(frozenset(subset.members))
        subset = _pop_best(merits, open_subsets, seen)
    return path


def search_floating(merits, n_stale=5):
    """Add the best feature, then remove features as long as this improves the size.

    A record is the best subset of its size so far. The search ends when all features
    are in, or ``n_stale`` sizes beyond that of the best subset.

    Parameters
    ----------
    merits : object
        See the docstring of this module.
    n_stale : int, default=5
        Number of sizes beyond that of the best subset to evaluate.

    Returns
    -------
    path : list of subsets
        The record of each size that was reached, from the empty one up.
    """
    current = merits.start()
    records = [current]
    best = current
    while len(current.members) < min(merits.n_features, len(best.members) + n_stale):
        current = _set_record(records, _add_best(merits, current))
        while len(current.members) > 1:
            without = merits.after_removing(current)
            feature = _first_best(without)
            if without[feature] <= records[len(current.members) - 1].merit + ROUNDING:
                break
            current = _set_record(records, merits.remove(current, feature))
        best = records[_first_best(np.array([one.merit for one in records]))]
    return records


def _add_best(merits, subset):
    """Return the best subset with one feature more."""
    return merits.add(subset, _first_best(merits.after_adding(subset)))


def _first_best(values):
    """Return the position of the highest value; among equals the first."""
    return int(np.flatnonzero(values >= values.max() - ROUNDING)[0])


def _keep_open(open_subsets, number, subset, children):
    """Push the best child of a subset on the heap; others remain in ``children``."""
    if len(children) and children.max() > -np.inf:
        place = -round(float(children.max()), 10), number
        heappush(open_subsets, (*place, subset, children))


def _pop_best(merits, open_subsets, seen):
    """Pop the best subset that was not yet expanded; None if there is none."""
    while open_subsets:
        _, number, parent, children = heappop(open_subsets)
        feature = _first_best(children)
        children[feature] = -np.inf
        _keep_open(open_subsets, number, parent, children)
        if frozenset((*parent.members, feature)) not in seen:
            return merits.add(parent, feature)
    return None


def _set_record(records, subset):
    """Store a subset if it is the best of its size; return the best of its size."""
    size = len(subset.members)
    if size == len(records):
        records.append(subset)
    elif subset.merit > records[size].merit + ROUNDING:
        records[size] = subset
    return records[size]
