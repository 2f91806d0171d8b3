"""Calls over threads, and one thread of BLAS."""

import threading

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from manyminds.utils.threads import (
    limit_blas_threads,
    limit_threads,
    run_in_threads,
)


@pytest.mark.parametrize("n_threads", [1, 3])
def test_all_items_are_passed_once(n_threads):
    found, lock = [], threading.Lock()

    def note(item):
        with lock:
            found.append(item)

    run_in_threads(note, range(20), n_threads)
    assert sorted(found) == list(range(20))


@pytest.mark.parametrize("n_threads", [1, 2])
def test_errors_of_threads_are_raised(n_threads):
    def fail(item):
        raise ValueError(f"item {item}")

    with pytest.raises(ValueError, match="item 0"):
        run_in_threads(fail, [0], n_threads)


def test_after_an_error_no_further_item_is_begun():
    found = []

    def fail(item):
        found.append(item)
        raise ValueError("stop")

    with pytest.raises(ValueError, match="stop"):
        run_in_threads(fail, range(100), 2)
    assert len(found) <= 2


def test_calls_run_at_the_same_time():
    # Each waits for the other: one after the other, they would wait in vain.
    meeting = threading.Barrier(2, timeout=10)
    run_in_threads(lambda _: meeting.wait(), range(2), 2)


def test_blas_runs_on_one_thread_within_the_context():
    def count():
        info = threadpool_info()
        return [one["num_threads"] for one in info if one["user_api"] == "blas"]

    with threadpool_limits(2, user_api="blas"):  # tests run with one
        assert set(count()) == {2}
        with limit_blas_threads():
            assert set(count()) == {1}
        assert set(count()) == {2}


def test_openmp_and_blas_run_on_as_many_threads_as_asked_for():
    with threadpool_limits(2):
        with limit_threads(1):
            assert {one["num_threads"] for one in threadpool_info()} == {1}
        assert {one["num_threads"] for one in threadpool_info()} == {2}
