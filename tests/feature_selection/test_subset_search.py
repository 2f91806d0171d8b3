"""Searches of subsets, on merits that are given as tables."""

from dataclasses import dataclass

import numpy as np

from manyminds.feature_selection.subset_search import (
    search_best_first,
    search_floating,
    search_forward,
)


@dataclass(frozen=True)
class Subset:
    members: tuple
    merit: float


class Table:
    """Merits from a function of the set of members; counts what is expanded."""

    def __init__(self, n_features, merit):
        self.n_features, self.merit, self.expanded = n_features, merit, []

    def start(self):
        return self._make(())

    def _make(self, members):
        return Subset(members, self.merit(frozenset(members)))

    def after_adding(self, subset):
        self.expanded.append(frozenset(subset.members))
        merits = np.full(self.n_features, -np.inf)
        for j in set(range(self.n_features)) - set(subset.members):
            merits[j] = self._make((*subset.members, j)).merit
        return merits

    def after_removing(self, subset):
        merits = np.full(self.n_features, -np.inf)
        for j in subset.members:
            merits[j] = self.remove(subset, j).merit
        return merits

    def add(self, subset, feature):
        return self._make((*subset.members, feature))

    def remove(self, subset, feature):
        return self._make(tuple(j for j in subset.members if j != feature))


def look_up(table):
    """Merits of named subsets; all others are worth 0.1 for each member less."""
    return lambda members: table.get(members, -0.1 * len(members))


# Feature 0 is best alone, but 1 and 2 are best together: forward steps miss them.
TRAP = {
    frozenset([0]): 1.0,
    frozenset([1]): 0.8,
    frozenset([2]): 0.7,
    frozenset([0, 1]): 0.95,
    frozenset([0, 2]): 0.9,
    frozenset([1, 2]): 2.0,
    frozenset([0, 1, 2]): 1.5,
}


def test_forward_falls_into_the_trap():
    path = search_forward(Table(3, look_up(TRAP)))
    assert [one.members for one in path] == [(), (0,)]


def test_best_first_goes_back_for_the_second_best():
    # {0} is in vain, then {0, 1} finds {0, 1, 2}, better than all before; that is in
    # vain, {0, 2} as well, and then {1} finds the pair.
    table = Table(3, look_up(TRAP))
    path = search_best_first(table, n_stale=3)
    assert [set(one.members) for one in path] == [set(), {0}, {0, 1, 2}, {1, 2}]
    assert len(table.expanded) == len(set(table.expanded))


def test_best_first_stops_after_expansions_in_vain():
    # Nothing is better than the empty subset: that expansion and two more are in vain.
    table = Table(6, look_up({}))
    assert [one.members for one in search_best_first(table, n_stale=3)] == [()]
    assert len(table.expanded) == 3


def test_best_first_ends_when_all_is_expanded():
    table = Table(3, look_up(TRAP))
    path = search_best_first(table, n_stale=100)
    assert path[-1].merit == 2.0
    assert len(table.expanded) == 8


def test_floating_removes_what_has_become_superfluous():
    # 0, then 1, then 2 come in; without 0, the pair is the best of its size.
    path = search_floating(Table(3, look_up(TRAP)))
    assert [set(one.members) for one in path] == [set(), {0}, {1, 2}, {0, 1, 2}]


def test_floating_looks_so_many_sizes_beyond():
    table = Table(9, look_up({frozenset([4]): 1.0}))
    assert len(search_floating(table, n_stale=2)) == 4  # sizes 0 to 3
    table = Table(9, look_up({frozenset([4]): 1.0}))
    assert len(search_floating(table, n_stale=50)) == 10  # all of them


def test_no_features_no_search():
    for search in (search_forward, search_best_first, search_floating):
        assert [one.members for one in search(Table(0, look_up({})))] == [()]
