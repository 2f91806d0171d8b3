"""Processes that are forked from one that has imported."""

import gc
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import Future

import pytest

from manyminds.utils.worker_processes import CAN_FORK

pytestmark = pytest.mark.skipif(not CAN_FORK, reason="forks are for Linux")

if CAN_FORK:
    from manyminds.utils.fork_server import ForkServer


class Unsendable(Exception):
    def __init__(self):
        super().__init__("holds a function")
        self.function = lambda: None


def fail_unsendably():
    raise Unsendable


def die():
    os._exit(3)


@pytest.fixture
def server():
    server = ForkServer("wave", {})
    yield server
    server.close()


def test_processes_work_side_by_side_and_are_forked(server, wait_until_gone):
    first, second = server.open(), server.open()
    ids = [one.submit(os.getpid).result(60) for one in (first, second)]
    assert len({*ids, os.getpid()}) == 3
    parents = [one.submit(os.getppid).result(60) for one in (first, second)]
    assert parents == [server._process.pid] * 2
    first.shutdown()
    assert wait_until_gone(ids[0]) == []
    assert second.submit(pow, 3, 2).result(60) == 9
    second.shutdown(kill_workers=True)
    assert wait_until_gone(ids[1]) == []


def test_processes_collect_garbage_but_not_what_was_imported(server):
    process = server.open()
    assert process.submit(gc.isenabled).result(60)
    assert process.submit(gc.get_freeze_count).result(60) > 0
    process.shutdown()


def test_errors_come_back_and_the_process_goes_on(server):
    process = server.open()
    with pytest.raises(ZeroDivisionError):
        process.submit(divmod, 1, 0).result(60)
    with pytest.raises(RuntimeError, match="holds a function"):
        process.submit(fail_unsendably).result(60)
    assert process.submit(abs, -1).result(60) == 1
    process.shutdown()


def test_a_process_that_dies_is_told_and_another_can_be_opened(server):
    process = server.open()
    with pytest.raises(EOFError):
        process.submit(die).result(60)
    process.shutdown(kill_workers=True)
    other = server.open()
    assert other.submit(abs, -2).result(60) == 2
    other.shutdown()


def test_work_that_takes_too_long_is_ended_at_once(server):
    process = server.open()
    process.submit(abs, 1).result(60)
    sleeping = process.submit(time.sleep, 60)
    while not sleeping.running():
        time.sleep(0.01)
    start = time.monotonic()
    process.shutdown(kill_workers=True)
    assert time.monotonic() - start < 10.0
    assert isinstance(sleeping.exception(), (EOFError, OSError))


def test_a_process_that_has_the_id_of_one_that_ended_is_spared(server):
    process = server.open()
    process.submit(abs, 1).result(60)
    other = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    machine, _, started = process._started.result().split(":")
    start, uptime = map(float, started.split("+"))
    earlier = Future()
    earlier.set_result(f"{machine}:{other.pid}:{start - 60:.2f}+{uptime - 60:.2f}")
    process._started = earlier
    process.shutdown(kill_workers=True)
    time.sleep(0.1)
    assert other.poll() is None
    other.communicate(b"\n")
    assert other.returncode == 0


def test_a_server_that_is_killed_is_told_and_starts_again(server):
    process = server.open()
    process.submit(abs, 1).result(60)
    server._process.kill()
    with pytest.raises((OSError, EOFError)):
        process.submit(time.sleep, 60).result(60)  # it ends with the server
    process.shutdown(kill_workers=True)
    server._process.wait()
    other = server.open()
    assert other.submit(abs, -3).result(60) == 3
    other.shutdown()


def test_a_process_that_cannot_be_started_is_told(server):
    process = server.open()
    process.submit(abs, 1).result(60)
    lost = server.open()
    os.kill(server._process.pid, signal.SIGSTOP)
    waiting = server.open()
    server._process.kill()
    with pytest.raises(OSError):
        waiting.submit(abs, 1).result(60)
    for one in (process, lost, waiting):
        one.shutdown(kill_workers=True)


def test_children_of_processes_can_be_waited_for(server):
    process = server.open()
    command = [sys.executable, "-c", "raise SystemExit(5)"]
    assert process.submit(subprocess.call, command).result(60) == 5
    process.shutdown()


def test_all_end_with_a_parent_that_is_killed(wait_until_gone):
    program = (
        "import os, sys, time\n"
        "from manyminds.utils.fork_server import ForkServer\n"
        "server = ForkServer('wave', {})\n"
        "process = server.open()\n"
        "print(server._process.pid, process.submit(os.getpid).result(), flush=True)\n"
        "process.submit(time.sleep, 600)\n"
        "time.sleep(600)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
    server, worker = map(int, parent.stdout.readline().split())
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    assert wait_until_gone(server, worker) == []


def test_the_server_is_prepared_once_before_it_forks(tmp_path, monkeypatch):
    (tmp_path / "prepared_once.py").write_text(
        "import os\nids = []\ndef prepare_process():\n    ids.append(os.getpid())\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    server = ForkServer("prepared_once", {})
    for _ in range(2):
        process = server.open()
        found = process.submit(eval, "__import__('prepared_once').ids").result(60)
        assert found == [server._process.pid]
        process.shutdown()
    server.close()
