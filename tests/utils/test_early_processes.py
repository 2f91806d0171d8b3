import os

import pytest

from manyminds.utils import early_processes as module
from manyminds.utils.early_processes import (
    early_processes,
    make_worker_environment,
    take_early_process,
)

ENV = make_worker_environment()


@pytest.fixture(autouse=True)
def nothing_left():
    yield
    assert not module._spare


def test_processes_have_imported_and_know_their_threads():
    with early_processes(2, "iris", "wave", ENV):
        pools = [take_early_process(ENV) for _ in range(3)]
    assert pools[2] is None
    for pool in pools[:2]:
        names = pool.submit(eval, "'wave' in __import__('sys').modules").result(60)
        assert names
        assert pool.submit(os.getenv, "OMP_NUM_THREADS").result(60) == "1"
        pool.shutdown(kill_workers=True)


@pytest.mark.parametrize(
    ("n_jobs", "file", "name"),
    [
        (1, "iris", "wave"),
        (2, "absent.csv", "wave"),
        (2, "large.csv", "wave"),
        (2, "iris", "os"),  # imported here
    ],
)
def test_no_process_is_started_in_vain(n_jobs, file, name, tmp_path, monkeypatch):
    (tmp_path / "large.csv").write_text("a,b\n1,2\n")
    monkeypatch.setattr(module, "MAX_BYTES", 3)
    monkeypatch.chdir(tmp_path)
    with early_processes(n_jobs, file, name, ENV):
        assert take_early_process(ENV) is None


def test_other_threads_need_other_processes():
    with early_processes(2, "iris", "wave", ENV):
        assert take_early_process(make_worker_environment(2)) is None


def test_all_cores_are_counted(monkeypatch):
    monkeypatch.setattr("loky.cpu_count", lambda: 3)
    with early_processes(-1, "iris", "wave", ENV):
        assert len(module._spare) == 3


def test_processes_end_if_the_work_fails():
    with (
        pytest.raises(ValueError, match="bad input"),
        early_processes(2, "iris", "wave", ENV),
    ):
        (_, pool), _ = module._spare
        process = pool.submit(os.getpid).result(60)
        raise ValueError("bad input")
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
