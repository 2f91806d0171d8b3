"""Random graphs that tests of several files share."""

import numpy as np
import pytest

from manyminds.networks.graphs.drawing import draw_dag


@pytest.fixture(scope="session")
def random_dags(pytestconfig):
    """Return 200 random DAGs of 8 to 10 nodes."""
    rng = np.random.RandomState(pytestconfig.option.seed)
    dags = []
    for _ in range(200):
        n_nodes = rng.randint(8, 11)
        n_edges = rng.randint(n_nodes // 2, 3 * n_nodes // 2)
        dags.append(draw_dag(n_nodes, n_edges, max_parents=3, random_state=rng))
    return dags
