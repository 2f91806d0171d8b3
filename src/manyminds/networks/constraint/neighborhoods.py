"""MMMB and HITON-MB: neighbors of neighbors, and which of them share a child."""

from manyminds.networks.constraint.hiton_pc import find_interleaved
from manyminds.networks.constraint.mmpc import find_by_max_min
from manyminds.networks.constraint.outcome import Blanket

FINDERS = {"mmpc": find_by_max_min, "hiton_pc": find_interleaved}


def find_neighborhood(test, target, clock, finder, max_size, *, with_spouses=True):
    """Find the neighbors of a target, and the other parents of its children.

    A neighbor counts only if the target is, in turn, among its own neighbors: without
    this check descendants of children can remain. A neighbor's neighbor is a spouse if
    it depends on the target given the set that separates them and the shared neighbor.

    Parameters
    ----------
    test : IndependenceTest
    target : int
    clock : Clock
    finder : {"mmpc", "hiton_pc"}
        How to find candidates for neighbors.
    max_size : int
        Maximum size of conditioning sets.
    with_spouses : bool, default=True

    Returns
    -------
    blanket : Blanket
    """
    n_before = test.n_tests
    search = Neighbors(test, FINDERS[finder], max_size, clock)
    neighbors, spouses = search.find(target), {}
    clock.report(f"{len(neighbors)} neighbors")
    for child in neighbors if with_spouses else ():
        for x in search.find(child):
            if clock.is_over():
                break
            if x != target and x not in neighbors and search.meet(target, child, x):
                spouses.setdefault(x, []).append(child)
    return Blanket(
        target, sorted({*neighbors, *spouses}), sorted(neighbors), spouses,
        test.n_tests - n_before, not clock.was_over,
    )  # fmt: skip


class Neighbors:
    """Candidates of variables, each searched once."""

    def __init__(self, test, finder, max_size, clock):
        self.test, self.finder, self.clock = test, finder, clock
        self.max_size = max_size
        self.candidates, self.separators = {}, {}

    def find(self, x):
        """Return the candidates of which a variable is a candidate, too."""
        return [z for z in self._search(x) if x in self._search(z, fallback=[x])]

    def meet(self, target, child, x):
        """Return whether a variable depends on the target once the child is given."""
        separator = self.find_separator(target, x)
        if separator is None or child in separator:
            return False
        result = self.test.test(x, target, (*separator, child))
        return result.reliable and not result.independent

    def find_separator(self, x, z):
        """Return the set that separates two variables, if one was found."""
        separator = self.separators.get(x, {}).get(z)
        if separator is None:
            separator = self.separators.get(z, {}).get(x)
        return separator

    def _search(self, x, fallback=()):
        if x not in self.candidates:
            if self.clock.is_over():
                return fallback
            found = self.separators.setdefault(x, {})
            self.candidates[x] = self.finder(
                self.test, x, self.max_size, found, self.clock
            )
        return self.candidates[x]
