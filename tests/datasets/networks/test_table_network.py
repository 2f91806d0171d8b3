"""Networks with tables: ancestral sampling, checks, topological order."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.datasets import TableNetwork
from manyminds.datasets.networks.table_network import sort_topologically

RAIN = np.array([0.2, 0.8])
WET = np.array([[0.9, 0.1], [0.3, 0.7]])


def make_rain():
    states = (("yes", "no"), ("yes", "no"))
    return TableNetwork(("wet", "rain"), states, ((1,), ()), (WET, RAIN))


def test_frequencies_of_rows_are_the_tables(seed):
    # The standard error of a share among 40,000 is at most 0.0025; of 4 shares none
    # is off by five of them more than once in 400,000 seeds.
    codes = make_rain().sample(40_000, random_state=seed, as_frame=False)
    joint = np.bincount(codes[:, 1] * 2 + codes[:, 0], minlength=4) / len(codes)
    assert_allclose(joint.reshape(2, 2), RAIN[:, None] * WET, atol=0.0125)


def test_frame_and_codes_agree(seed):
    network = make_rain()
    frame = network.sample(50, random_state=seed)
    codes = network.sample(50, random_state=seed, as_frame=False)
    assert (np.column_stack([frame[n].cat.codes for n in frame]) == codes).all()
    assert network.arcs == [("rain", "wet")] and network.n_parameters == 3
    assert list(network.to_networkx().edges) == network.arcs


def test_order_puts_parents_first_and_finds_cycles():
    assert sort_topologically([[2], [0], []]) == [2, 0, 1]
    with pytest.raises(ValueError, match=r"cycle.*\[0, 1\]"):
        sort_topologically([[1], [0], []])


def test_wrong_tables_are_rejected():
    states = (("yes", "no"), ("yes", "no"))
    with pytest.raises(ValueError, match=r"'wet' must have shape \(2, 2\)"):
        TableNetwork(("wet", "rain"), states, ((1,), ()), (RAIN, RAIN))
    with pytest.raises(ValueError, match="'rain' must have rows"):
        TableNetwork(("wet", "rain"), states, ((1,), ()), (WET, 2 * RAIN))
