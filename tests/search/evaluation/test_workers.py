import inspect

import pytest

from manyminds.search.evaluation.dask_pool import DaskPool
from manyminds.search.evaluation.ray_pool import RayPool
from manyminds.search.evaluation.worker_pool import WorkerPool
from manyminds.search.evaluation.workers import Workers


@pytest.mark.parametrize("kind", [WorkerPool, DaskPool, RayPool])
@pytest.mark.parametrize("name", ["start", "finished", "abandon"])
def test_pools_take_what_the_protocol_takes(kind, name):
    ours = inspect.signature(getattr(kind, name))
    assert ours == inspect.signature(getattr(Workers, name))


@pytest.mark.parametrize("kind", [WorkerPool, DaskPool, RayPool])
def test_pools_are_contexts_with_a_number_of_free_places(kind):
    assert isinstance(inspect.getattr_static(kind, "n_free"), property)
    assert callable(kind.__enter__) and callable(kind.__exit__)
