import errno
import os
import pickle
import shutil
import subprocess
import sys

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


LIMITED = """
import resource
from manyminds.trees.scratch import allocate

resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
allocate(90_000, "uint8", max_memory=10)[:] = 1
try:
    allocate(200_000, "uint8", max_memory=10)[:] = 1
except OSError as error:
    print(error)
"""


@pytest.mark.skipif(not hasattr(os, "posix_fallocate"), reason="no limits of files")
def test_no_room_for_a_file_is_an_error_and_no_signal():
    done = subprocess.run(
        [sys.executable, "-c", LIMITED], capture_output=True, text=True, check=True
    )
    assert "no room for a temporary file of 200,000 bytes in" in done.stdout


@pytest.mark.skipif(not hasattr(os, "posix_fallocate"), reason="cannot allocate")
def test_all_of_a_file_is_allocated(monkeypatch):
    claimed = []
    monkeypatch.setattr(os, "posix_fallocate", lambda *all: claimed.append(all[1:]))
    allocate(1000, np.float64, max_memory=10)
    assert claimed == [(0, 8000)]


def test_file_systems_that_cannot_allocate_are_asked(monkeypatch):
    def refuse(*_):
        raise OSError(errno.EOPNOTSUPP, "not supported")

    monkeypatch.setattr(os, "posix_fallocate", refuse, raising=False)
    assert len(allocate(1000, np.uint8, max_memory=10)) == 1000
    usage = shutil.disk_usage("/")._replace(free=999)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    with pytest.raises(OSError, match=r"no room for a temporary file of 1,000 bytes"):
        allocate(1000, np.uint8, max_memory=10)
