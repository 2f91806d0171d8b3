import pickle

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.trees.scratch import allocate, reserve


def test_array_in_a_file_is_a_plain_array():
    array = allocate(1000, np.uint8, max_memory=999)
    array[:] = np.arange(1000) % 256
    assert type(array) is np.ndarray and array.flags.writeable
    assert isinstance(array.base, np.memmap)
    assert array[999] == 999 % 256


def test_array_in_memory():
    assert allocate(1000, np.uint16, max_memory=2000).base is None
    assert allocate(1000, np.uint16).base is None


def test_large_reserved_arrays_are_plain_ones_in_pages_of_their_own():
    assert reserve((10, 3), np.int32).base is None
    array = reserve((1000, 300), np.float64)
    assert type(array) is np.ndarray and array.base is not None
    assert array.flags.c_contiguous and array.flags.writeable and array.flags.aligned
    assert not array.any()  # as pages are when nobody has written to them
    array[:] = np.arange(300)
    assert_array_equal(pickle.loads(pickle.dumps(array)), array)


def test_no_room_is_an_error_of_memory():
    with pytest.raises(MemoryError):
        reserve((2**50, 2**10), np.uint8)
