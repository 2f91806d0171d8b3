"""Shared words, prefetching and counting zeros do what their names say."""

import threading

import numba
import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.kernels._intrinsics import (
    add_to_word,
    count_trailing_zeros,
    load_word,
    prefetch,
    yield_processor,
)

pytestmark = pytest.mark.skipif(
    numba.config.DISABLE_JIT, reason="there are no shared words without compiled code"
)


@numba.njit(nogil=True)
def add_often(words, place, n):
    for _ in range(n):
        add_to_word(words, place, 1)


def run_threads(function, n_threads, n):
    words = np.zeros(16, np.int64)
    function(words, 3, 0)  # compiled before the threads begin
    threads = [
        threading.Thread(target=function, args=(words, 3, n)) for _ in range(n_threads)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return words


def test_threads_add_without_losing_any():
    words = run_threads(add_often, 4, 200_000)
    assert words[3] == 800_000
    assert words.sum() == 800_000  # no other word has changed


def test_what_was_there_is_returned():
    @numba.njit
    def add_twice(words):
        first = add_to_word(words, 1, 5)
        second = add_to_word(words, 1, -2)
        return first, second, load_word(words, 1)

    words = np.array([7, 10, 7])
    assert add_twice(words) == (10, 15, 13)
    assert_array_equal(words, [7, 13, 7])


def test_loads_see_what_another_thread_writes():
    @numba.njit(nogil=True)
    def wait_for(words, value):
        while load_word(words, 0) != value:
            yield_processor()

    words = np.zeros(1, np.int64)
    wait_for(words, 0)
    waiting = threading.Thread(target=wait_for, args=(words, 1), daemon=True)
    waiting.start()
    waiting.join(0.05)
    assert waiting.is_alive()
    words[0] = 1
    waiting.join(30.0)
    assert not waiting.is_alive()


@pytest.mark.parametrize("dtype", [np.int64, np.uint8])
def test_prefetching_changes_nothing(dtype):
    @numba.njit
    def sum_prefetched(array):
        total = 0
        for i in range(len(array)):
            prefetch(array, np.uint64(min(i + 8, len(array) - 1)))
            total += array[i]
        return total

    array = np.arange(100).astype(dtype)
    assert sum_prefetched(array) == 4950
    assert_array_equal(array, np.arange(100))


def test_trailing_zeros_are_counted():
    @numba.njit
    def count(word):
        return count_trailing_zeros(word)

    for bit in range(64):
        assert count(np.uint64(1 << bit)) == bit
        assert count(np.uint64((1 << 63) | (1 << bit))) == bit
