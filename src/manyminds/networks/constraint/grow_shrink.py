"""Grow-Shrink: add dependent variables in a fixed order, remove superfluous ones."""

import numpy as np

from manyminds.networks.constraint.outcome import Blanket

FIRST_BLOCK = 16  # variables tested at a time; doubled as long as none is dependent


def grow_and_shrink(test, target, clock):
    """Find a Markov blanket by the Grow-Shrink algorithm; see `find_blanket`."""
    n_before, others = test.n_tests, _list_others(test, target)
    results = test.test_many(others, target)
    order = others[np.argsort(-results.strength, kind="stable")].tolist()
    members, n_then = [], -1
    while len(members) > n_then and not clock.is_over():
        n_then = len(members)
        sweep(test, target, members, order, clock)
        clock.report(f"{len(members)} members after a sweep")
    shrink(test, target, members, clock)
    return Blanket(
        target, sorted(members), n_tests=test.n_tests - n_before,
        is_complete=not clock.was_over,
    )  # fmt: skip


def _list_others(test, target):
    return np.array([x for x in range(test.n_variables) if x != target])


def sweep(test, target, members, order, clock):
    """Go once through the order; add each variable that depends on the target.

    Variables are tested in blocks, up to the first one that is added: those after it
    are tested again, given one member more.
    """
    at, size = 0, FIRST_BLOCK
    while at < len(order) and not clock.is_over():
        block = [x for x in order[at : at + size] if x not in members]
        results = test.test_many(block, target, members)
        dependent = np.flatnonzero(results.is_dependent)
        if len(dependent) == 0:
            at, size = at + size, 2 * size
            continue
        added = block[dependent[0]]
        members.append(added)
        at, size = order.index(added) + 1, FIRST_BLOCK


def shrink(test, target, members, clock):
    """Remove members that are independent of the target given the others, in place."""
    changed = True
    while changed and not clock.is_over():
        changed = False
        for x in list(members):
            rest = [z for z in members if z != x]
            if test.test(x, target, rest).independent:
                members.remove(x)
                changed = True
