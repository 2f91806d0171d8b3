import os

import pytest

from manyminds.utils import worker_processes as module
from manyminds.utils.worker_processes import (
    early_processes,
    make_worker_environment,
    open_processes,
)

ENV = make_worker_environment()


@pytest.fixture(autouse=True)
def nothing_left():
    yield
    assert not module._spare


@pytest.fixture(params=[True, False], ids=["forked", "importing"])
def can_fork(request, monkeypatch):
    if request.param and not module.CAN_FORK:
        pytest.skip("this system has no fork that libraries survive")
    monkeypatch.setattr(module, "CAN_FORK", request.param)


@pytest.mark.usefixtures("can_fork")
def test_processes_have_imported_and_know_their_threads():
    with early_processes(2, "iris", "wave"):
        (_, early), *_ = module._spare
        processes = open_processes("wave", ENV)
        assert processes is early
    pools = [processes.open() for _ in range(2)]
    for pool in pools:
        names = pool.submit(eval, "'wave' in __import__('sys').modules").result(60)
        assert names
        assert pool.submit(os.getenv, "OMP_NUM_THREADS").result(60) == "1"
        pool.shutdown(kill_workers=True)
    processes.close()


@pytest.mark.parametrize(
    ("n_jobs", "file", "name"),
    [
        (1, "iris", "wave"),
        (2, "absent.csv", "wave"),
        (2, "iris", "os"),  # imported here
    ],
)
def test_no_process_is_started_in_vain(n_jobs, file, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with early_processes(n_jobs, file, name):
        assert not module._spare


def test_a_large_table_has_one_process_with_all_threads(tmp_path, monkeypatch):
    (tmp_path / "large.csv").write_text("a,b\n1,2\n")
    monkeypatch.setattr(module, "MAX_BYTES", 3)
    with early_processes(2, tmp_path / "large.csv", "wave"):
        ((env, _),) = module._spare
        assert env == make_worker_environment(2)


def test_other_threads_need_other_processes():
    with early_processes(2, "iris", "wave"):
        (_, early), *_ = module._spare
        processes = open_processes("wave", make_worker_environment(2))
        assert processes is not early
        processes.close()


def test_all_cores_are_counted(monkeypatch):
    monkeypatch.setattr(module, "CAN_FORK", False)
    monkeypatch.setattr("loky.cpu_count", lambda: 3)
    with early_processes(-1, "iris", "wave"):
        (_, early), *_ = module._spare
        assert len(early._early) == 3


@pytest.mark.usefixtures("can_fork")
def test_processes_end_if_the_work_fails():
    with (
        pytest.raises(ValueError, match="bad input"),
        early_processes(2, "iris", "wave"),
    ):
        (_, early), *_ = module._spare
        process = _find_process(early)
        raise ValueError("bad input")
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def _find_process(early):
    if isinstance(early, module.ImportingProcesses):
        return early._early[0].submit(os.getpid).result(60)
    return early._process.pid
