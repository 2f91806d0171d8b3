"""A cache keeps what was used last, computes once, and notices changed files."""

import os
import threading
import time

import pytest

from manyminds.serve.cache import BoundedCache, stamp


def test_the_entry_that_was_not_used_for_longest_is_dropped():
    cache = BoundedCache(2)
    assert [cache.get(key, lambda key=key: key * 2) for key in (1, 2, 1, 3)] == [
        2, 4, 2, 6,
    ]  # fmt: skip
    assert cache.get(1, lambda: "new") == 2  # used after 2, which made room for 3
    assert cache.get(2, lambda: "new") == "new"
    assert len(cache) == 2


def test_threads_that_miss_together_compute_once():
    cache, calls, found = BoundedCache(3), [], []

    def make():
        calls.append(1)
        time.sleep(0.05)
        return "value"

    threads = [
        threading.Thread(target=lambda: found.append(cache.get("key", make)))
        for _ in range(5)
    ]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert calls == [1] and found == ["value"] * 5


def test_an_error_is_not_stored():
    cache = BoundedCache(3)
    with pytest.raises(ZeroDivisionError):
        cache.get("key", lambda: 1 / 0)
    assert cache.get("key", lambda: 5) == 5


def test_a_stamp_changes_with_time_size_and_existence(tmp_path):
    file = tmp_path / "file"
    absent = stamp(file)
    file.write_text("a")
    first = stamp(file)
    os.utime(file, ns=(1, 1))
    older = stamp(file)
    file.write_text("ab")
    os.utime(file, ns=(1, 1))
    assert len({absent, first, older, stamp(file)}) == 4
    assert stamp(file) == stamp(file)
