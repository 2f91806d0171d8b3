"""Variable elimination: brute force, several targets, impossible evidence."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.datasets import load_network
from manyminds.networks.bayesian.elimination import eliminate


def test_agrees_with_brute_force(seed):
    rng, network = np.random.default_rng(seed), load_network("asia")
    joint, index = 1.0, np.indices((2,) * 8)
    for v, (parents, table) in enumerate(zip(network.parents, network.tables)):
        joint = joint * table[(*(index[p] for p in parents), index[v])]
    for _ in range(10):
        a, b, c, d = (int(v) for v in rng.permutation(8)[:4])
        evidence = {c: rng.uniform(0.1, 1.0, size=2), d: np.array([0.1, 0.9])}
        found = eliminate(network.tables, network.parents, [2] * 8, [a, b], evidence)
        expected = np.einsum(
            joint, range(8), evidence[c], [c], evidence[d], [d], [a, b]
        )
        assert_allclose(found, expected / expected.sum())


def test_no_evidence_is_the_marginal():
    tables = [np.array([0.2, 0.8]), np.array([[0.9, 0.1], [0.3, 0.7]])]
    found = eliminate(tables, [(), (0,)], [2, 2], [1], {})
    assert_allclose(found, [0.2 * 0.9 + 0.8 * 0.3, 0.2 * 0.1 + 0.8 * 0.7])


def test_impossible_evidence_is_an_error():
    tables = [np.array([1.0, 0.0]), np.array([[0.9, 0.1], [0.3, 0.7]])]
    with pytest.raises(ValueError, match="probability 0"):
        eliminate(tables, [(), (0,)], [2, 2], [1], {0: np.array([0.0, 1.0])})
