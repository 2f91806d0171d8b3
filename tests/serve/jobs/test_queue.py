"""Jobs run one after the other, are found again, and can be stopped."""

import json
import os
import subprocess
import sys
import threading
import time

import psutil
import pytest

from manyminds.serve.folder import ServedFolder
from manyminds.serve.jobs import queue as queue_module
from manyminds.serve.jobs.job import write_job
from manyminds.serve.jobs.queue import JobQueue
from manyminds.utils.errors import InputError

# A command that works until its file appears, or until SIGTERM; then it has a result.
WORK = """
import json, os, signal, sys, time
out, stop = sys.argv[1], []
signal.signal(signal.SIGTERM, lambda *_: stop.append(1))
os.makedirs(out, exist_ok=True)
while not stop and not os.path.exists(out + ".go"):
    time.sleep(0.01)
with open(out + "/search.json", "w") as file:
    json.dump({"state": "done", "identity": {}}, file)
"""


@pytest.fixture
def folder(tmp_path):
    return ServedFolder(tmp_path)


@pytest.fixture
def queue(folder):
    one = JobQueue(folder, command=(sys.executable, "-c", WORK))
    yield one
    for child in one._children.values():
        child.kill()
        child.wait()


def add(queue, place):
    return queue.add("search", [str(queue.folder.root / place)], place, place=place)


def wait(queue, job, *states):
    for _ in range(500):
        queue.tick()
        now = queue.find(job.id)
        if now.state in states:
            return now
        time.sleep(0.01)
    raise AssertionError(f"{now.state}, not {states}")


def finish(queue, place):
    (queue.folder.root / f"{place}.go").touch()


def test_jobs_run_one_after_the_other(queue):
    first, second = add(queue, "a"), add(queue, "b")
    assert (first.state, second.state) == ("running", "queued")
    finish(queue, "a")
    assert wait(queue, first, "done").ended > 0
    assert wait(queue, second, "running").owner
    finish(queue, "b")
    wait(queue, second, "done")
    assert [one.place for one in queue.read_all()] == ["b", "a"]  # the newest first


def test_several_may_run_at_once(folder):
    queue = JobQueue(folder, n_parallel=2, command=(sys.executable, "-c", WORK))
    jobs = [add(queue, place) for place in "abc"]
    assert [one.state for one in jobs] == ["running", "running", "queued"]
    for place in "abc":
        finish(queue, place)
    for job in jobs:
        wait(queue, job, "done")


def test_an_analysis_does_not_wait(queue):
    first = add(queue, "a")
    short = queue.add("analyze", [str(queue.folder.root / "x")], "t")
    assert short.state == "running"
    for place in ("a", "x"):
        finish(queue, place)
    wait(queue, first, "done")
    assert wait(queue, short, "failed").kind == "analyze"  # it printed no JSON


def test_a_running_job_is_asked_to_end_and_a_waiting_one_is_canceled(queue):
    first, second = add(queue, "a"), add(queue, "b")
    assert queue.stop(second.id).state == "canceled"
    while not (queue.folder.root / "a").is_dir():  # the command handles signals then
        time.sleep(0.01)
    assert queue.stop(first.id).is_stopped
    assert wait(queue, first, "done").is_stopped
    assert queue.stop(first.id).state == "done"  # nothing more to stop


def test_another_server_finds_the_job_and_does_not_start_it_again(queue, folder):
    job = add(queue, "a")
    other = JobQueue(folder, command=queue.command)
    other.tick()
    assert other.find(job.id) == queue.find(job.id)
    finish(queue, "a")
    assert wait(queue, job, "done") == other.find(job.id)


@pytest.mark.slow
def test_two_servers_start_each_job_once(folder):
    queues = [JobQueue(folder, command=(sys.executable, "-c", WORK)) for _ in range(2)]
    jobs = [add(queues[k % 2], f"p{k}") for k in range(4)]
    for k in range(4):
        finish(queues[0], f"p{k}")

    def tick(one):
        for _ in range(60):
            one.tick()
            time.sleep(0.01)

    threads = [threading.Thread(target=tick, args=(one,)) for one in queues]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    for job in jobs:
        wait(queues[0], job, "done")
    started = [queues[0].find(job.id).started for job in jobs]
    assert started == sorted(started)


def test_a_job_whose_server_was_killed_while_starting_it_is_found(queue, monkeypatch):
    monkeypatch.setattr(queue_module, "STARTING_SECONDS", 0.0)
    job = add(queue, "a")
    owner = queue.find(job.id).owner
    write_job(queue.place, queue.find(job.id).change(state="starting", owner=""))
    assert wait(queue, job, "running").owner == owner
    write_job(queue.place, queue.find(job.id).change(state="starting", words=("x",)))
    queue.tick()
    assert queue.find(job.id).state == "failed"  # there is no such process
    finish(queue, "a")


def test_a_killed_process_has_failed(queue):
    job = add(queue, "a")
    psutil.Process(int(job.owner.split(":")[1])).kill()
    found = wait(queue, job, "failed")
    assert "ended without a word" in found.reason


def test_a_process_of_another_machine_is_not_ours_to_stop(queue):
    # A restarted container: another process may have the id by now, such as this one.
    job = add(queue, "a")
    owner = job.owner
    elsewhere = f"elsewhere:{os.getpid()}:1.00+1.00"
    write_job(queue.place, queue.find(job.id).change(owner=elsewhere))
    assert queue.stop(job.id).owner == elsewhere  # or this process would be stopped
    queue.tick()
    assert queue.find(job.id).state == "failed"
    psutil.Process(int(owner.split(":")[1])).kill()


def test_one_job_at_a_time_in_a_folder(queue):
    add(queue, "a")
    with pytest.raises(InputError, match="running in 'a' already"):
        add(queue, "a")


def test_old_jobs_are_removed(queue, monkeypatch):
    monkeypatch.setattr(queue_module, "MAX_ENDED", 1)
    for place in "abc":
        finish(queue, place)
        wait(queue, add(queue, place), "done")
    add(queue, "d")
    queue.tick()
    assert [one.place for one in queue.read_all()] == ["d", "c"]
    assert (queue.folder.root / "a" / "search.json").exists()  # results stay


@pytest.mark.slow
def test_jobs_outlive_their_server(tmp_path):
    # The process is in a session of its own: signals to the server do not reach it.
    script = (
        "import sys; from manyminds.serve.folder import ServedFolder;"
        "from manyminds.serve.jobs.queue import JobQueue;"
        "root, work = sys.argv[1:3];"
        "one = JobQueue(ServedFolder(root), command=(sys.executable, '-c', work));"
        "print(one.add('search', [root + '/a'], 'a', place='a').id)"
    )
    words = [sys.executable, "-c", script, str(tmp_path), WORK]
    name = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    queue = JobQueue(ServedFolder(tmp_path))
    job = queue.find(name.strip())
    assert job.state == "running"
    queue.tick()
    assert queue.find(job.id).state == "running"
    finish(queue, "a")
    wait(queue, job, "done")
    assert json.loads((tmp_path / "a" / "search.json").read_text())["state"] == "done"
