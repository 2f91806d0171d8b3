"""Locks of files exclude other processes, end with theirs, and say where none are."""

import errno
import subprocess
import sys
import threading
import time
from types import SimpleNamespace

import pytest

from manyminds.utils import locks
from manyminds.utils.locks import LockError, lock_file

HOLD = """
import sys, time
from manyminds.utils.locks import lock_file
with lock_file(sys.argv[1]):
    print("locked", flush=True)
    time.sleep(60)
"""


def count_at_a_time(path, n_threads=4):
    """Return how many threads were at most within the lock at a time."""
    inside, most, guard = 0, 0, threading.Lock()

    def work():
        nonlocal inside, most
        for _ in range(3):
            with lock_file(path):
                with guard:
                    inside += 1
                    most = max(most, inside)
                time.sleep(0.002)
                with guard:
                    inside -= 1

    threads = [threading.Thread(target=work) for _ in range(n_threads)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    return most


def test_one_at_a_time(tmp_path):
    assert count_at_a_time(tmp_path / "lock") == 1


def test_a_killed_process_leaves_no_lock(tmp_path):
    path = tmp_path / "lock"
    command = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "locked\n"
        got = threading.Event()

        def wait_for_it():
            with lock_file(path):
                got.set()

        waiting = threading.Thread(target=wait_for_it)
        waiting.start()
        assert not got.wait(0.2)
        child.kill()
        assert got.wait(30)
        waiting.join()


class WindowsLocks:
    """The functions of msvcrt, on a set of files that are locked."""

    LK_NBLCK, LK_UNLCK = 2, 0

    def __init__(self, busy=errno.EACCES):
        self.held, self.guard, self.busy = None, threading.Lock(), busy

    def locking(self, handle, mode, n_bytes):
        assert n_bytes == 1
        with self.guard:
            if mode == self.LK_UNLCK:
                assert self.held == handle
                self.held = None
            elif self.held is not None:
                raise OSError(self.busy, "Permission denied")
            else:
                self.held = handle


@pytest.mark.parametrize("busy", [errno.EACCES, errno.EDEADLK])
def test_the_substitute_of_windows(tmp_path, monkeypatch, busy):
    monkeypatch.setattr(locks, "fcntl", None)
    monkeypatch.setattr(locks, "msvcrt", WindowsLocks(busy))
    monkeypatch.setattr(locks, "POLL_SECONDS", 0.001)
    assert count_at_a_time(tmp_path / "lock") == 1
    assert locks.msvcrt.held is None


def test_a_lock_is_released_after_an_error(tmp_path):
    with pytest.raises(KeyError), lock_file(tmp_path / "lock"):
        raise KeyError
    with lock_file(tmp_path / "lock"):
        pass


@pytest.mark.parametrize("code", [errno.ENOLCK, errno.EOPNOTSUPP])
def test_a_folder_without_locks_is_told(tmp_path, monkeypatch, code):
    def refuse(file, mode):
        raise OSError(code, "No locks available")

    monkeypatch.setattr(locks, "fcntl", SimpleNamespace(flock=refuse, LOCK_EX=2))
    with pytest.raises(LockError, match=r"no locks, as some network folders.*Postgre"):
        with lock_file(tmp_path / "lock"):
            pass


def test_other_errors_stay(tmp_path):
    with pytest.raises(FileNotFoundError), lock_file(tmp_path / "none" / "lock"):
        pass
