import os

import pytest

from manyminds.utils import early_processes
from manyminds.utils.early_processes import (
    end_early_processes,
    make_worker_environment,
    start_early_processes,
    take_early_process,
)

ENV = make_worker_environment()


@pytest.fixture(autouse=True)
def nothing_left():
    yield
    end_early_processes()
    assert not early_processes._spare


def test_processes_have_imported_and_know_their_threads():
    start_early_processes(2, "iris", "wave", ENV)
    pools = [take_early_process(ENV) for _ in range(3)]
    assert pools[2] is None
    for pool in pools[:2]:
        names = pool.submit(eval, "'wave' in __import__('sys').modules").result(60)
        assert names
        assert pool.submit(os.getenv, "OMP_NUM_THREADS").result(60) == "1"
        pool.shutdown(kill_workers=True)


@pytest.mark.parametrize(
    ("n_jobs", "file"), [(1, "iris"), (2, "absent.csv"), (2, "large.csv")]
)
def test_no_process_is_started_in_vain(n_jobs, file, tmp_path, monkeypatch):
    (tmp_path / "large.csv").write_text("a,b\n1,2\n")
    monkeypatch.setattr(early_processes, "MAX_BYTES", 3)
    monkeypatch.chdir(tmp_path)
    start_early_processes(n_jobs, file, "wave", ENV)
    assert take_early_process(ENV) is None


def test_other_threads_need_other_processes():
    start_early_processes(2, "iris", "wave", ENV)
    assert take_early_process(make_worker_environment(2)) is None


def test_all_cores_are_counted(monkeypatch):
    monkeypatch.setattr("loky.cpu_count", lambda: 3)
    start_early_processes(-1, "iris", "wave", ENV)
    assert len(early_processes._spare) == 3
