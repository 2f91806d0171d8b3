"""How far a search is, by its folder, its trials and its job."""

import json
import math
import shutil
import sqlite3
import time
from contextlib import closing

import pytest

from manyminds.serve.folder import ServedFolder
from manyminds.serve.jobs.job import Job
from manyminds.serve.jobs.progress import check_idle, read_progress
from manyminds.utils.errors import InputError


def make_job(**values):
    given = {
        "place": "iris-search",
        "state": "running",
        "started": time.time() - 20,
        "seconds": 60.0,
    }
    return Job("1", "search", (), "t", **(given | values))


@pytest.fixture
def folder(tmp_path, finished):
    shutil.copytree(finished, tmp_path / "iris-search")
    return ServedFolder(tmp_path)


def unfinish(folder):
    """Make the search look as if its process had been killed."""
    file = folder.root / "iris-search" / "search.json"
    content = json.loads(file.read_text())
    del content["summary"]
    file.write_text(json.dumps(content | {"state": "running"}))


@pytest.mark.slow
def test_a_finished_search(folder):
    live = read_progress(folder, "iris-search", None)
    summary = json.loads((folder.root / "iris-search" / "search.json").read_text())
    board = summary["summary"]["leaderboard"]
    assert live.state == "done" and not live.is_active
    assert [one.score for one in live.leaderboard] == [one["score"] for one in board]
    assert [one.low for one in live.leaderboard] == pytest.approx(
        [one["low"] for one in board]
    )
    assert live.best == board[0]["score"] == live.curve[-1][1]
    scores = [score for _, score, _ in live.curve]
    assert live.n_done == summary["summary"]["n_trials"] and scores == sorted(scores)


def test_a_running_search_has_a_clock(folder):
    live = read_progress(folder, "iris-search", make_job())
    assert live.state == "running" and live.is_active
    assert live.left == pytest.approx(40.0, abs=2.0)
    assert live.share == pytest.approx(1 / 3, abs=0.05)


def test_the_end_of_a_search(folder):
    late = make_job(started=time.time() - 100)
    assert read_progress(folder, "iris-search", late).state == "finishing"
    stopped = make_job(is_stopped=True)
    live = read_progress(folder, "iris-search", stopped)
    assert live.state == "finishing" and live.left is None


def test_a_search_without_a_process_is_interrupted(folder):
    unfinish(folder)
    live = read_progress(folder, "iris-search", None)
    assert live.state == "interrupted" and live.n_done > 0
    check_idle(folder, "iris-search", None)
    failed = make_job(state="failed", reason="why")
    assert read_progress(folder, "iris-search", failed).state == "failed"


def test_a_search_of_a_shell_runs_while_its_process_lives(folder):
    unfinish(folder)
    path = folder.root / "iris-search" / "study.sqlite"
    with closing(sqlite3.connect(path)) as study:
        study.execute("DELETE FROM trial_user_attributes WHERE key = 'result'")
        study.execute("UPDATE trials SET state = 'RUNNING'")
        study.commit()
    live = read_progress(folder, "iris-search", None)  # its owner is this process
    with pytest.raises(InputError, match="stop it first"):
        check_idle(folder, "iris-search", None)
    assert live.state == "running" and live.running and live.n_done == 0
    assert math.isnan(live.best) and live.leaderboard == live.curve == []


def test_failures_have_their_reason(folder):
    path = folder.root / "iris-search" / "study.sqlite"
    result = json.dumps({"state": "failed", "reason": "singular <matrix>"})
    with closing(sqlite3.connect(path)) as study:
        study.execute(
            "UPDATE trial_user_attributes SET value_json = ? WHERE key = 'result' AND "
            "trial_id = 1", (result,),
        )  # fmt: skip
        study.commit()
    live = read_progress(folder, "iris-search", None)
    assert [one.reason for one in live.failures] == ["singular <matrix>"]
    assert live.counts["failed"] == 1


def test_a_job_that_waits_has_no_folder_yet(tmp_path):
    job = make_job(state="queued", place="soon")
    live = read_progress(ServedFolder(tmp_path), "soon", job)
    assert live.state == "queued" and live.left is None and live.n_done == 0
