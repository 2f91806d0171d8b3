"""Hill climbing: a naive twin, recovery, constraints."""

from itertools import permutations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.datasets import load_network
from manyminds.datasets.networks.table_network import sort_topologically
from manyminds.networks import FamilyScores, HillClimbingSearch


def is_acyclic(parents):
    try:
        sort_topologically(parents)
    except ValueError:
        return False
    return True


def climb_naively(scores, n_nodes):
    """Try every change of every arc; make the best; stop when none is better."""
    parents = [set() for _ in range(n_nodes)]
    while True:
        best, total = None, scores.total(parents)
        for u, v in permutations(range(n_nodes), 2):
            options = []
            new = [set(p) for p in parents]
            new[v] ^= {u}
            options.append(new)
            if u in parents[v]:
                reverse = [set(p) for p in new]
                reverse[u] |= {v}
                options.append(reverse)
            for option in options:
                gain = scores.total(option) - total
                if is_acyclic(option) and gain > 1e-9:
                    if best is None or gain > best[0] + 1e-9:
                        best = gain, option
        if best is None:
            return total
        parents = best[1]


@pytest.mark.parametrize("name", ["asia", "cancer"])
@pytest.mark.parametrize("score", ["bic", "bdeu"])
def test_greedy_score_agrees_with_a_naive_twin(name, score, seed):
    network = load_network(name)
    rows = network.sample(500, random_state=seed)
    search = HillClimbingSearch(score, tabu_length=0, max_worse=0).fit(rows)
    codes = np.column_stack([rows[c].cat.remove_unused_categories().cat.codes
                             for c in rows]).astype(float)  # fmt: skip
    scores = FamilyScores(codes, codes.max(axis=0) + 1, scoring=score)
    assert_allclose(search.score_, scores.total(search.parents_))
    assert_allclose(search.score_, climb_naively(scores, len(network.names)))


def test_tabu_is_no_worse_and_result_is_acyclic(seed):
    rows = load_network("insurance").sample(1000, random_state=seed)
    greedy = HillClimbingSearch(tabu_length=0, max_worse=0).fit(rows)
    tabu = HillClimbingSearch(max_worse=30).fit(rows)
    assert tabu.score_ >= greedy.score_ - 1e-6
    assert is_acyclic(tabu.parents_)
    assert tabu.n_steps_ > greedy.n_steps_
    assert sorted(tabu.graph_.edges) == sorted(tabu.arcs_)


def test_recovers_alarm():
    # Over seeds 0 to 9, between 40 and 44 of the 46 edges, and at most 6 extra ones.
    alarm = load_network("alarm")
    search = HillClimbingSearch().fit(alarm.sample(5000, random_state=0))
    found = {frozenset(arc) for arc in search.arcs_}
    true = {frozenset(arc) for arc in alarm.arcs}
    assert len(found & true) >= 39 and len(found - true) <= 8


def test_constraints_are_kept(seed):
    rows = load_network("asia").sample(1000, random_state=seed)
    required, forbidden = [("xray", "smoke")], [("smoke", "bronc"), ("bronc", "smoke")]
    search = HillClimbingSearch(
        required_arcs=required, forbidden_arcs=forbidden, max_parents=1
    ).fit(rows)
    assert ("xray", "smoke") in search.arcs_
    assert not set(forbidden) & set(search.arcs_)
    assert max(map(len, search.parents_)) <= 1


def test_categories_have_no_numeric_parents(seed):
    rng = np.random.default_rng(seed)
    state = rng.integers(2, size=400)
    X = np.column_stack([3.0 * state + rng.normal(size=400), state])
    search = HillClimbingSearch(categorical_features=[1]).fit(X)
    assert search.arcs_ == [(1, 0)]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"required_arcs": [(0, 1), (1, 0)]}, "acyclic"),
        ({"required_arcs": [(0, 9)]}, "has 9, which is no column"),
        ({"forbidden_arcs": [(0, 0)]}, "to itself"),
        ({"forbidden_arcs": [5]}, r"pairs \(parent, child\)"),
        ({"required_arcs": [(0, 1)], "forbidden_arcs": [(0, 1)]}, "is forbidden"),
    ],
)
def test_wrong_constraints_are_named(parameters, message):
    with pytest.raises(ValueError, match=message):
        HillClimbingSearch(**parameters).fit(np.eye(4))
