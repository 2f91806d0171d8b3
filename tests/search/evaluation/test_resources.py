import numpy as np
import pytest

from manyminds.search import Problem
from manyminds.search.evaluation.resources import (
    FREE_SHARE,
    plan_resources,
    read_bytes,
)
from manyminds.utils.errors import ParameterError

SMALL = Problem("regression", 1_000, 20, n_encoded=20)
LARGE = Problem("regression", 1_000_000, 30, n_encoded=30)


def test_small_fits_have_processes_and_large_ones_threads():
    small = plan_resources(4, SMALL, 8e9, is_timed=False)
    assert (small.n_workers, small.n_threads, small.has_processes) == (4, 1, True)
    assert small.memory == 2e9
    large = plan_resources(4, LARGE, 8e9, is_timed=True)
    assert (large.n_workers, large.n_threads, large.has_processes) == (1, 4, True)


def test_little_memory_means_fewer_processes():
    assert plan_resources(8, SMALL, 1.1e9, is_timed=True).n_workers == 2
    assert plan_resources(8, SMALL, 1.0, is_timed=True).n_workers == 1
    assert plan_resources(8, SMALL, np.inf, is_timed=True).n_workers == 8


def test_one_core_without_a_clock_needs_no_process():
    assert not plan_resources(1, SMALL, 8e9, is_timed=True).has_processes
    assert not plan_resources(1, SMALL, 8e9, is_timed=False).has_processes


def test_a_limit_of_memory_needs_a_process():
    plan = plan_resources(1, SMALL, 5e8, is_timed=False, is_bounded=True)
    assert (plan.n_workers, plan.memory, plan.has_processes) == (1, 5e8, True)


@pytest.mark.parametrize(
    ("size", "n_bytes"), [("2G", 2**31), ("500 MB", 500 * 2**20), (5e8, 5e8), ("7", 7)]
)
def test_sizes(size, n_bytes):
    assert read_bytes(size, "upload_limit") == n_bytes


def test_threads_fit_into_the_memory_too():
    # Each maps stacks and buffers, which count before a fit takes anything.
    assert plan_resources(8, SMALL, 5e8, is_timed=True).n_threads == 1
    assert plan_resources(8, SMALL, 7e8, is_timed=True).n_threads == 2
    assert plan_resources(8, LARGE, 64e9, is_timed=True).n_threads == 8
    assert plan_resources(8, LARGE, np.inf, is_timed=True).n_threads == 8


@pytest.mark.parametrize("size", ["10M", 1e6, "499999999"])
def test_a_search_takes_the_memory_of_a_process(size):
    assert read_bytes("500M") == 500 * 2**20 and read_bytes(5e8) == 5e8
    with pytest.raises(ParameterError, match="memory must be at least 500M, which"):
        read_bytes(size)


def test_most_of_the_free_memory_is_the_default(monkeypatch):
    class Free:
        available = 1000.0

    monkeypatch.setattr("psutil.virtual_memory", Free)
    assert read_bytes(None) == 1000.0 * FREE_SHARE


@pytest.mark.parametrize("size", ["", "G", "much", "-1G", "0", "4X", "1e999", "nan"])
def test_other_sizes_are_refused(size):
    with pytest.raises(ParameterError, match="memory must be bytes"):
        read_bytes(size)
