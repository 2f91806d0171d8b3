"""Searches on tiny data, also as plain Python."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.kernels.network_scores import BIC, ScoreRules
from manyminds.kernels.network_search import ArcRules, anneal, climb
from manyminds.networks.bayesian.columns import make_family_data
from manyminds.networks.scores import make_memory, make_room
from manyminds.networks.structure import start_graph


def make_problem():
    rng = np.random.default_rng(0)
    x = rng.normal(size=40)
    X = np.column_stack([x, x + 0.3 * rng.normal(size=40), rng.normal(size=40)])
    data = make_family_data(X, np.zeros(3, np.int64), np.ones(40))
    none = np.zeros((3, 3), np.uint8)
    limits = ArcRules(1 - np.eye(3, dtype=np.uint8), none, 3)
    return data, ScoreRules(BIC, 1.0), limits, make_memory(3, 256), make_room(data)


@pytest.mark.no_jit
def test_climbing_and_annealing_find_the_one_edge():
    data, rules, limits, memory, room = make_problem()
    best = np.empty((3, 3), np.uint8)
    graph = start_graph(limits.required)
    tabu = np.empty(5, np.uint64)
    climb(data, rules, limits, memory, room, graph, tabu, 100, 3, best)
    expected = [[0, 1, 0], [1, 0, 0], [0, 0, 0]]
    assert_array_equal(best | best.T, expected)
    graph = start_graph(limits.required)
    schedule = np.array([150.0, 0.95, 20.0])
    anneal(
        data, rules, limits, memory, room, graph, np.array([7]), schedule, best,
        np.empty(0),
    )  # fmt: skip
    assert_array_equal(best | best.T, expected)
