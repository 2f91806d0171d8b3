"""Trials are read from the file of a study as the study itself reads them."""

import sqlite3
from contextlib import closing

import pytest

from manyminds.search.study.trial_reader import read_trials
from manyminds.utils.leases import is_alive
from manyminds.workflows import run_search


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    folder = tmp_path_factory.mktemp("live") / "found"
    result = run_search("iris", n_trials=4, cv=3, out=folder, n_jobs=1, report=False)
    return folder / "study.sqlite", result.search


@pytest.mark.slow
def test_trials_are_those_of_the_search(study):
    path, search = study
    found = read_trials(path)
    complete = [one for one in found if one.state == "complete"]
    board = search.leaderboard_.set_index("trial")
    assert {one.number for one in complete} == set(board.index)
    for one in complete:
        assert one.score == board.loc[one.number, "score"]
        assert one.text == board.loc[one.number, "pipeline"]
    assert all(is_alive(found.owners[one.number]) for one in found)  # this process


def test_a_running_trial_has_no_result_yet(study, tmp_path):
    path, _ = study
    copy = tmp_path / "study.sqlite"
    with (
        closing(sqlite3.connect(path)) as source,
        closing(sqlite3.connect(copy)) as own,
    ):
        source.backup(own)
        own.execute(
            "DELETE FROM trial_user_attributes WHERE key = 'result' AND trial_id = 1"
        )
        own.execute("UPDATE trials SET state = 'RUNNING' WHERE trial_id = 1")
        own.commit()
    states = [one.state for one in read_trials(copy)]
    assert states[0] == "running" and "running" not in states[1:]


def test_reading_does_not_wait_for_a_writer(study, tmp_path):
    path, _ = study
    n_trials = len(read_trials(path))
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        assert len(read_trials(path)) == n_trials


def test_no_file_or_no_tables_is_no_trial(tmp_path):
    assert list(read_trials(tmp_path / "absent.sqlite")) == []
    assert not (tmp_path / "absent.sqlite").exists()
    empty = tmp_path / "empty.sqlite"
    sqlite3.connect(empty).close()
    empty.touch()
    assert list(read_trials(empty)) == []
    empty.write_text("no database")
    assert list(read_trials(empty)) == []
