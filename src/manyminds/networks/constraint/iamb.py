"""IAMB: add the variable with most information about the target given those so far."""

import numpy as np

from manyminds.networks.constraint.grow_shrink import shrink
from manyminds.networks.constraint.outcome import Blanket


def add_and_remove(test, target, clock, interleave=False):
    """Find a Markov blanket by IAMB, or by inter-IAMB; see `find_blanket`.

    Interleaved, members are removed after each addition: conditioning sets stay small.
    """
    n_before, members = test.n_tests, []
    visited = {frozenset()}
    while not clock.is_over():
        rest = [x for x in range(test.n_variables) if x != target and x not in members]
        if not rest:
            break
        results = test.test_many(rest, target, members)
        if not results.is_dependent.any():
            break
        strength = np.where(results.is_dependent, results.strength, -np.inf)
        members.append(rest[int(strength.argmax())])
        clock.report(f"{len(members)} members")
        if interleave:
            shrink(test, target, members, clock)
            if frozenset(members) in visited:  # errors of tests can lead in circles
                break
            visited.add(frozenset(members))
    shrink(test, target, members, clock)
    return Blanket(
        target, sorted(members), n_tests=test.n_tests - n_before,
        is_complete=not clock.was_over,
    )  # fmt: skip
