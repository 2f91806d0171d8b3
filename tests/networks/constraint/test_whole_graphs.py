"""Whole graphs: every method with an oracle, on random and on bundled networks."""

import pytest
from numpy.testing import assert_array_equal

from manyminds.datasets import load_network
from manyminds.networks.constraint.whole_graphs import GRAPH_METHODS, learn_graph
from manyminds.networks.graphs.equivalence import find_cpdag
from manyminds.networks.graphs.forms import make_adjacency
from manyminds.networks.independence.oracle import DSeparationTest


def learn(adjacency, method, **options):
    # TPDA assumes that more open paths carry more information.
    oracle = DSeparationTest(adjacency, count_paths=method == "tpda")
    return learn_graph(oracle, method, max_condition_size=None, **options)


@pytest.mark.parametrize("method", GRAPH_METHODS)
def test_the_oracle_yields_the_class_of_random_networks(random_dags, method):
    for adjacency in random_dags[:12]:
        learned = learn(adjacency, method)
        assert_array_equal(learned.adjacency, find_cpdag(adjacency))
        assert learned.is_complete and learned.n_tests > 0


@pytest.mark.slow
@pytest.mark.parametrize("method", sorted({*GRAPH_METHODS} - {"pc", "tpda"}))
def test_the_oracle_yields_the_class_of_200_networks(random_dags, method):
    for adjacency in random_dags:
        assert_array_equal(learn(adjacency, method).adjacency, find_cpdag(adjacency))


@pytest.mark.parametrize("method", GRAPH_METHODS)
def test_the_oracle_yields_the_class_of_asia(method):
    adjacency = make_adjacency(load_network("asia").parents)
    assert_array_equal(learn(adjacency, method).adjacency, find_cpdag(adjacency))


@pytest.mark.slow
@pytest.mark.parametrize("method", ["iamb", "inter_iamb", "grow_shrink"])
def test_the_oracle_yields_the_class_of_alarm(method):
    adjacency = make_adjacency(load_network("alarm").parents)
    learned = learn_graph(DSeparationTest(adjacency), method, max_condition_size=4)
    assert_array_equal(learned.adjacency, find_cpdag(adjacency))


@pytest.mark.parametrize("method", ["mmpc", "iamb"])
def test_time_limit(random_dags, method):
    assert not learn(random_dags[0], method, time_limit=0.0).is_complete


def test_wrong_method():
    with pytest.raises(ValueError, match="method must be one of"):
        learn_graph(DSeparationTest([[0, 1], [0, 0]]), "mmmb")
