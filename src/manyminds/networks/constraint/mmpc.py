"""MMPC: add the variable whose weakest dependence on the target is strongest."""

import numpy as np

from manyminds.kernels.conditional_tables import LOG_P, STRENGTH


def find_by_max_min(test, target, max_size, separators, clock):
    """Return candidates for the neighbors of a target by the max-min heuristic.

    Parameters
    ----------
    test : IndependenceTest
    target : int
    max_size : int
        Maximum size of conditioning sets.
    separators : dict
        Gets the separating set of each variable that is not returned.
    clock : Clock

    Returns
    -------
    members : list of int
    """
    others = np.array([x for x in range(test.n_variables) if x != target])
    results = test.test_many(others, target)
    separators.update((x, ()) for x in others[results.is_independent].tolist())
    weakest = {
        x: row
        for x, row, is_in in zip(others.tolist(), results.table, results.is_dependent)
        if is_in
    }
    members = []
    while weakest and not clock.is_over():
        best = min(weakest, key=lambda x: (weakest[x][LOG_P], -weakest[x][STRENGTH], x))
        del weakest[best]
        rest = list(weakest)
        sets = [[best, *members]] * len(rest)
        found = test.search(
            [(x, target) for x in rest], sets, 1, max_size, required=True
        )
        for x, row, separator in zip(rest, found.table, found.found):
            if separator is not None:
                separators[x] = separator
                del weakest[x]
            elif row[LOG_P] < 0.0 or row[STRENGTH] > 0.0:  # something was tested
                weakest[x] = max(weakest[x], row, key=_rank)
        members.append(best)
    return drop_separated(test, target, members, max_size, separators, clock)


def _rank(row):
    """Return what is larger for a weaker dependence."""
    return row[LOG_P], -row[STRENGTH]


def drop_separated(test, target, members, max_size, separators, clock):
    """Return the members that no set of the others separates from the target."""
    kept = list(members)
    for x in members:
        if clock.is_over():
            break
        rest = [z for z in kept if z != x]
        (separator,) = test.search([(x, target)], [rest], 0, max_size).found
        if separator is not None:
            separators[x] = separator
            kept.remove(x)
    return kept
