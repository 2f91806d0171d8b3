"""Random graphs."""

import pytest
from numpy.testing import assert_array_equal

from manyminds.networks.graphs.drawing import draw_dag
from manyminds.networks.graphs.forms import order_nodes


def test_random_dags(seed):
    adjacency = draw_dag(9, 12, max_parents=2, random_state=seed)
    assert adjacency.sum() == 12 and adjacency.sum(axis=0).max() <= 2
    order_nodes(adjacency)
    assert_array_equal(adjacency, draw_dag(9, 12, max_parents=2, random_state=seed))
    with pytest.raises(ValueError, match="n_edges must be between 0 and 3"):
        draw_dag(3, 4)
