"""The lock of a folder: one at a time, released however its holder ends."""

import sqlite3
import subprocess
import sys
import threading
import time

import pytest

from manyminds.serve.jobs.lock import hold_lock

HOLD = """
import sqlite3, sys, time
one = sqlite3.connect(sys.argv[1], isolation_level=None)
one.execute("BEGIN EXCLUSIVE")
print("held", flush=True)
time.sleep(60)
"""


def test_one_at_a_time(tmp_path):
    inside, most = [], []

    def work():
        with hold_lock(tmp_path / "lock"):
            inside.append(1)
            most.append(len(inside))
            time.sleep(0.02)
            inside.pop()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert most == [1, 1, 1, 1]


def test_a_killed_process_releases_it(tmp_path):
    words = [sys.executable, "-c", HOLD, str(tmp_path / "lock")]
    process = subprocess.Popen(words, stdout=subprocess.PIPE)
    try:
        assert process.stdout.readline() == b"held\n"
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            with hold_lock(tmp_path / "lock", timeout=0.05):
                pass
    finally:
        process.kill()
        process.wait()
    with hold_lock(tmp_path / "lock", timeout=1.0):
        pass


def test_an_error_releases_it(tmp_path):
    with pytest.raises(ZeroDivisionError), hold_lock(tmp_path / "lock"):
        raise ZeroDivisionError
    with hold_lock(tmp_path / "lock", timeout=0.05):
        pass
