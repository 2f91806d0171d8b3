"""Workers end with their parent, however it ended."""

import os
import signal
import subprocess
import sys
from importlib import import_module

import pytest

from manyminds.utils import parents

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals are those of Unix")
SCRIPT = """
import os, time
from joblib import Parallel, delayed
from parents import follow_from_start, follow_parent  # without what stands around

def work(parent):
    follow_parent(parent)
    time.sleep(0.2)
    return os.getpid()

pool = Parallel(2, batch_size=1, **follow_from_start())
print(*set(pool(delayed(work)(os.getpid()) for _ in range(4))), flush=True)
time.sleep(600)
"""


@pytest.mark.slow
def test_workers_are_gone_after_their_parent_was_killed(is_alive, wait_until_gone):
    place = os.path.dirname(parents.__file__)
    parent = subprocess.Popen(
        [sys.executable, "-c", SCRIPT],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": place},
    )
    workers = [int(word) for word in parent.stdout.readline().split()]
    assert workers and all(map(is_alive, workers))
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    assert wait_until_gone(*workers) == []
    if parents.follow_from_start():  # so does a worker that had no task
        assert parent.stdout.read() == ""  # ends: nobody holds it


def test_nothing_is_followed_but_a_parent(monkeypatch):
    monkeypatch.setattr(parents, "_followed", set())
    parents.follow_parent(os.getpid())
    parents.follow_parent(os.getppid() + 1)  # as on a cluster
    assert parents._followed == set()


def test_the_folds_of_a_plan_follow_their_parent(monkeypatch):
    followed = []
    run = import_module("manyminds.experiments.run")  # a function has the same name
    monkeypatch.setattr(run, "follow_parent", followed.append)
    monkeypatch.setattr(run, "do_task", lambda task: task)
    assert run._work("a task", 7) == "a task"
    assert followed == [7]
