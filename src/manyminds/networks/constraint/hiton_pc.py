"""HITON-PC: add variables by their dependence on the target, remove separated ones."""

import numpy as np

from manyminds.networks.constraint.mmpc import drop_separated


def find_interleaved(test, target, max_size, separators, clock):
    """Return candidates for the neighbors of a target by interleaved HITON-PC.

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
    order = np.lexsort([-results.strength, results.log_p])
    members = []
    for x in others[order[results.is_dependent[order]]].tolist():
        if clock.is_over():
            return members
        (separator,) = test.search([(x, target)], [members], 1, max_size).found
        if separator is not None:
            separators[x] = separator
            continue
        # Only sets with the new member have not been tested for the others.
        pairs = [(z, target) for z in members]
        sets = [[x, *(w for w in members if w != z)] for z in members]
        found = test.search(pairs, sets, 1, max_size, required=True).found
        for z, separator in zip(list(members), found):
            if separator is not None:
                separators[z] = separator
                members.remove(z)
        members.append(x)
    return drop_separated(test, target, members, max_size, separators, clock)
