import numpy as np

from manyminds.trees.scratch import allocate


def test_array_in_a_file_is_a_plain_array():
    array = allocate(1000, np.uint8, max_memory=999)
    array[:] = np.arange(1000) % 256
    assert type(array) is np.ndarray and array.flags.writeable
    assert isinstance(array.base, np.memmap)
    assert array[999] == 999 % 256


def test_array_in_memory():
    assert allocate(1000, np.uint16, max_memory=2000).base is None
    assert allocate(1000, np.uint16).base is None
