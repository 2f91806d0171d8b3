"""No collection of garbage while modules are imported."""

import gc
import weakref

import pytest

from manyminds.utils.collection import no_collection


@pytest.fixture(autouse=True)
def unfrozen():
    gc.unfreeze()
    yield
    gc.unfreeze()
    gc.enable()


def test_garbage_is_collected_again_afterwards():
    with no_collection():
        assert not gc.isenabled()
        made = [[] for _ in range(1_000)]
    assert gc.isenabled()
    assert gc.get_freeze_count() >= len(made)


def test_garbage_of_one_command_is_not_frozen_by_the_next():
    # A thousand commands in one process took two gigabytes that nothing referred to.
    class Cycle:
        pass

    with no_collection():
        pass
    made = Cycle()
    made.itself, seen = made, weakref.ref(made)
    del made
    with no_collection():
        pass
    gc.collect()
    assert seen() is None


def test_garbage_is_collected_after_an_error():
    with pytest.raises(ImportError), no_collection():
        raise ImportError
    assert gc.isenabled()


def test_an_inner_context_leaves_the_end_to_the_outer():
    with no_collection():
        with no_collection():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()


def test_who_collects_no_garbage_is_left_alone():
    gc.disable()
    before = gc.get_freeze_count()
    with no_collection():
        pass
    assert not gc.isenabled()
    assert gc.get_freeze_count() == before
