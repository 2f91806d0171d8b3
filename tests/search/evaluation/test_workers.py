import inspect

import pytest

from manyminds.search.evaluation.cluster_pool import ClusterPool
from manyminds.search.evaluation.worker_pool import WorkerPool
from manyminds.search.evaluation.workers import Workers


@pytest.mark.parametrize("kind", [WorkerPool, ClusterPool])
@pytest.mark.parametrize("name", ["start", "finished", "abandon"])
def test_pools_take_what_the_protocol_takes(kind, name):
    ours = inspect.signature(getattr(kind, name))
    assert ours == inspect.signature(getattr(Workers, name))


@pytest.mark.parametrize("kind", [WorkerPool, ClusterPool])
def test_pools_are_contexts_with_a_number_of_free_places(kind):
    assert isinstance(inspect.getattr_static(kind, "n_free"), property)
    assert {"__enter__", "__exit__"} <= set(vars(kind))
