"""One door to all methods; what it refuses."""

import pytest

from manyminds.networks.constraint.blankets import METHODS, find_blanket
from manyminds.networks.independence.oracle import DSeparationTest

# 0 -> 2 <- 1, 2 -> 3
GRAPH = [[0, 0, 1, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0]]


@pytest.mark.parametrize("method", METHODS)
def test_every_method(method, capsys):
    oracle = DSeparationTest(GRAPH)
    found = find_blanket(oracle, 0, method, max_condition_size=None, verbose=1)
    assert found.members == ([2] if method in ("mmpc", "hiton_pc") else [1, 2])
    assert found.n_tests == oracle.n_tests > 0
    assert method in capsys.readouterr().err


def test_refused():
    oracle = DSeparationTest(GRAPH)
    with pytest.raises(ValueError, match="method must be one of"):
        find_blanket(oracle, 0, "mb")
    with pytest.raises(ValueError, match="target must be between 0 and 3; got 4"):
        find_blanket(oracle, 4)
