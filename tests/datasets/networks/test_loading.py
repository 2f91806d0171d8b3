"""The networks that come with the package are those of the papers."""

import pytest

from manyminds.datasets import DatasetNotFoundError, list_networks, load_network

# Nodes, arcs and free parameters by the bnlearn repository. Its figures for insurance,
# hailfinder and pigs are the same as ours up to how it counts unused states.
KNOWN = {
    "asia": (8, 8, 18),
    "alarm": (37, 46, 509),
    "child": (20, 25, 230),
    "hailfinder": (56, 66, 2656),
    "hepar2": (70, 123, 1453),
    "win95pts": (76, 112, 574),
    "water": (32, 66, 10083),
    "link": (724, 1125, 14211),
}


@pytest.mark.parametrize("name", KNOWN)
def test_sizes(name):
    network = load_network(name)
    assert (len(network.names), len(network.arcs), network.n_parameters) == KNOWN[name]


def test_every_network_can_be_sampled(seed):
    assert len(list_networks()) == 15
    for name in list_networks():
        network = load_network(name)
        assert network.sample(3, random_state=seed).shape == (3, len(network.names))


def test_unknown_name_gets_a_suggestion():
    with pytest.raises(DatasetNotFoundError, match="Close: alarm"):
        load_network("alarms")
