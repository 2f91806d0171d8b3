"""Structure by tests: bundled networks, sampled rows, limits, contradictions."""

import warnings

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from manyminds.datasets import load_network
from manyminds.kernels.network_search import ArcRules
from manyminds.networks import (
    ConstraintSearch,
    DSeparationTest,
    PermutationTest,
    compare_graphs,
    find_cpdag,
    read_graph,
)
from manyminds.networks.constraint.whole_graphs import GRAPH_METHODS
from manyminds.networks.constraint_search import impose_limits


def test_the_oracle_yields_a_member_of_the_class_of_asia():
    # The graph that is fitted is in the class of the true one, for every method.
    asia = load_network("asia")
    rows = asia.sample(20, random_state=0)
    true, names = read_graph(asia.to_networkx(), list(asia.names))
    oracle = DSeparationTest(true, count_paths=True)
    for method in GRAPH_METHODS:
        search = ConstraintSearch(
            method, test=lambda X: oracle, extension="strict", max_condition_size=None
        ).fit(rows)
        learned, _ = read_graph(search.graph_, names)
        assert_array_equal(find_cpdag(learned), find_cpdag(true))
        assert_array_equal(read_graph(search.pdag_, names)[0], find_cpdag(true))
        assert search.is_consistent_ and search.n_tests_ > 0


def test_sampled_rows_of_alarm():
    # 46 edges. Of 20 draws of 5,000 rows, PC missed 2 to 5 of them and added none.
    alarm = load_network("alarm")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        search = ConstraintSearch().fit(alarm.sample(5000, random_state=0))
    found = compare_graphs(search.graph_, alarm.to_networkx(), list(alarm.names))
    assert len(found.missing) <= 6 and len(found.extra) <= 2
    assert search.test_name_ == "g2"


def draw_mixed(seed, n=3000):
    """A category, two numbers that it shifts, and a child of these."""
    rng = np.random.default_rng(seed)
    group = rng.integers(3, size=n)
    a = group + rng.normal(size=n)
    b = 2.0 * (group == 1) + rng.normal(size=n)
    frame = pd.DataFrame({"a": a, "b": b, "c": a + b + rng.normal(size=n)})
    return frame.assign(group=pd.Categorical(np.array(["x", "y", "z"])[group]))


def test_categories_have_no_numeric_parents(seed):
    search = ConstraintSearch(alpha=1e-4).fit(draw_mixed(seed))
    assert search.test_name_ == "mixed"
    arcs = set(search.arcs_)
    assert {("group", "a"), ("group", "b")} <= arcs
    assert {frozenset(arc) for arc in arcs} == {
        frozenset(pair)
        for pair in (("group", "a"), ("group", "b"), ("a", "c"), ("b", "c"))
    }
    numeric = ConstraintSearch().fit(draw_mixed(seed)[["a", "b", "c"]])
    assert numeric.test_name_ == "fisher_z"


def test_required_and_forbidden_arcs(seed):
    # Of a chain without directions, one required arc determines all that follow.
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(2000, 4))
    for child in (1, 2, 3):
        x[:, child] += x[:, child - 1]
    free = ConstraintSearch(alpha=1e-4)
    assert len(free.fit(x).arcs_) == 3
    assert not any(d for *_, d in free.pdag_.edges(data="directed"))
    search = ConstraintSearch(alpha=1e-4, required_arcs=[(1, 2)]).fit(x)
    assert {(1, 2), (2, 3)} <= set(search.arcs_)
    search = ConstraintSearch(alpha=1e-4, forbidden_arcs=[(0, 1), (1, 0)]).fit(x)
    assert len(search.arcs_) == 2
    search = ConstraintSearch(alpha=1e-4, forbidden_arcs=[(1, 0)]).fit(x)
    assert set(search.arcs_) == {(0, 1), (1, 2), (2, 3)}


def test_limits_change_edges():
    nothing = np.zeros((3, 3), dtype=np.uint8)
    required = nothing.copy()
    required[0, 1] = 1
    chain = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], dtype=np.int8)
    pdag, fixed = impose_limits(chain, ArcRules(1 - np.eye(3), required, 3))
    assert pdag.tolist() == [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
    assert fixed.sum() == 1
    pdag, fixed = impose_limits(chain, ArcRules(1 - np.eye(3), nothing, 3))
    assert_array_equal(pdag, chain)
    assert not fixed.any()


class Square(DSeparationTest):
    """Verdicts that no network has: a square whose diagonals nothing must join."""

    def __init__(self):
        super().__init__(np.zeros((4, 4), dtype=int))

    def _is_separated(self, x, y, given):
        return abs(x - y) == 2 and len(given) == 2


def test_contradictions_warn_or_raise():
    X = np.random.default_rng(0).normal(size=(10, 4))
    search = ConstraintSearch(test=lambda X: Square())
    with pytest.warns(UserWarning, match="contradict each other"):
        search.fit(X)
    assert not search.is_consistent_ and len(search.arcs_) == 4
    with pytest.raises(ValueError, match="extension='nearest'"):
        search.set_params(extension="strict").fit(X)


def test_rows_with_missing_values_are_left_out(seed):
    asia = load_network("asia")
    rows = asia.sample(3000, random_state=seed)
    holes = rows.copy()
    holes.loc[1000:, "smoke"] = None
    one, two = ConstraintSearch().fit(rows[:1000]), ConstraintSearch().fit(holes)
    assert one.arcs_ == two.arcs_ and one.n_tests_ == two.n_tests_
    holes["smoke"] = pd.Categorical(["yes", *[None] * 2999])
    holes.loc[0, "lung"] = None
    with pytest.raises(ValueError, match="and there is none"):
        ConstraintSearch().fit(holes)


def test_weights_count_as_rows(seed):
    rows = load_network("asia").sample(1000, random_state=seed)
    twice = pd.concat([rows, rows])
    weighted = ConstraintSearch().fit(rows, sample_weight=np.full(1000, 2.0))
    assert weighted.arcs_ == ConstraintSearch().fit(twice).arcs_


def test_tests_of_users():
    rows = load_network("asia").sample(300, random_state=0)
    search = ConstraintSearch(test=PermutationTest).fit(rows)
    assert search.test_name_ == "PermutationTest"
    with pytest.raises(ValueError, match="IndependenceTest of the 8 columns"):
        ConstraintSearch(test=lambda X: 3).fit(rows)


def test_time_limit_warns():
    rows = load_network("asia").sample(300, random_state=0)
    with pytest.warns(UserWarning, match="time_limit=0.0"):
        search = ConstraintSearch("iamb", time_limit=0.0).fit(rows)
    assert not search.is_complete_


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"test": "g2"}, r"\['a', 'b', 'c'\] are numeric"),
        ({"test": "fisher_z"}, r"\['group'\] are categories"),
        ({"required_arcs": [("a", "group")]}, "numeric to a categorical"),
    ],
)
def test_wrong_choices_are_named(parameters, message):
    with pytest.raises(ValueError, match=message):
        ConstraintSearch(**parameters).fit(draw_mixed(0, 50))


def test_too_many_states():
    frame = pd.DataFrame({"a": np.arange(300), "b": [0, 1] * 150}, dtype="category")
    with pytest.raises(ValueError, match="'a' has 300"):
        ConstraintSearch().fit(frame)
