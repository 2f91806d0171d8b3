"""A search that is killed goes on; one that is interrupted keeps its best."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import pandas as pd
import pytest

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals are those of Unix")
PATIENCE = 240.0  # for busy machines; the tests wait for events, not for times
COUNT = """
select trials.number, trial_values.value from trials join trial_values
on trial_values.trial_id = trials.trial_id where trials.state = 'COMPLETE'
"""


def start(*words, cwd):
    command = [sys.executable, "-m", "manyminds", "search", "iris", *words]
    return subprocess.Popen(
        [*command, "--cv", "2", "--jobs", "1", "--no-report", "--out", "found"],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def read_finished(place):
    """Return the numbers and values of the trials that ended well."""
    try:
        address = f"file:{place}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, timeout=30)) as connection:
            return dict(connection.execute(COUNT).fetchall())
    except sqlite3.OperationalError:  # not made yet
        return {}


def wait_for_trials(process, place, n_wanted):
    end = time.monotonic() + PATIENCE
    while len(read_finished(place)) < n_wanted:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end, "no trials"
        time.sleep(0.05)


@pytest.mark.slow
def test_what_was_tried_survives_a_kill(tmp_path):
    place = tmp_path / "found" / "study.sqlite"
    process = start("--budget", "1h", cwd=tmp_path)
    try:
        wait_for_trials(process, place, 3)
    finally:
        process.kill()
        process.communicate()
    before = read_finished(place)
    assert len(before) >= 3
    others = {file.name for file in place.parent.iterdir()}
    others = {name for name in others if not name.startswith("study.sqlite")}
    assert others == {"search.json"}  # nothing half-written
    assert json.loads((place.parent / "search.json").read_text())["state"] == "running"

    again = start("--trials", "2", "--resume", cwd=tmp_path)
    _, err = again.communicate(timeout=PATIENCE)
    assert again.returncode == 0, err
    after = read_finished(place)
    assert before.items() <= after.items()
    with closing(sqlite3.connect(place)) as connection:
        states = dict(
            connection.execute("select state, count(*) from trials group by state")
        )
        assert connection.execute("select count(*) from studies").fetchone() == (1,)
    assert states.get("RUNNING", 0) == 0
    assert states.get("FAIL", 0) <= 1  # the one that ran when the process died
    board = pd.read_csv(tmp_path / "found" / "leaderboard.csv")
    assert set(before) <= set(board["trial"])
    assert board["pipeline"].is_unique


@pytest.mark.slow
def test_an_interrupt_keeps_the_best_so_far(tmp_path):
    place = tmp_path / "found" / "study.sqlite"
    process = start("--budget", "1h", cwd=tmp_path)
    try:
        wait_for_trials(process, place, 2)
        os.kill(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert process.returncode == 0, err
    assert "on new rows: " in out
    folder = tmp_path / "found"
    assert (folder / "model.skops").is_file()
    assert json.loads((folder / "search.json").read_text())["state"] == "done"
    assert len(pd.read_csv(folder / "leaderboard.csv")) >= 2
