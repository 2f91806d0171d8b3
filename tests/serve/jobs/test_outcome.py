"""What came of a job: its result, its last error, or neither."""

import json

import pytest

from manyminds.serve.jobs.job import Job
from manyminds.serve.jobs.outcome import judge_outcome, read_notes


@pytest.fixture
def judge(tmp_path):
    def call(kind="search", state=None, log="", output=None, **values):
        place = tmp_path / "found"
        if state is not None:
            place.mkdir()
            (place / "search.json").write_text(json.dumps({"state": state}))
        (tmp_path / "log.txt").write_text(log)
        if output is not None:
            (tmp_path / "output.json").write_text(output)
        job = Job("1", kind, (), "t", place="found", state="running", **values)
        return judge_outcome(job, tmp_path, tmp_path)

    return call


def test_a_search_is_done_when_its_result_says_so(judge):
    found = judge(state="done", started=1.0)
    assert found.state == "done" and found.ended > 0 and found.reason == ""


def test_a_result_of_an_earlier_run_does_not_count(judge):
    assert judge(state="done", started=9e9).state == "failed"


def test_the_last_error_is_the_reason(judge):
    found = judge(log="Note: few rows\nError: first.\nError: --cv must be 2.\n")
    assert (found.state, found.reason) == ("failed", "“Cross-validation” must be 2.")


def test_errors_of_arguments_are_read_from_their_frame(judge):
    log = "Usage: manyminds\n╭─ Error ─╮\n│ Invalid value for '--cv': be 2 │\n╰─────╯\n"
    assert judge(log=log).reason == "“Cross-validation”: be 2"


def test_an_end_without_an_error(judge):
    assert "ended without a word" in judge().reason
    assert judge(log="x\nKilled\n").reason == "Its process ended early: Killed"


def test_a_stopped_search_without_a_result_is_canceled(judge):
    found = judge(state="running", is_stopped=True)
    assert found.state == "canceled" and "stopped before" in found.reason


def test_other_jobs_are_done_when_they_have_printed_json(judge):
    assert judge("analyze", output="{}").state == "done"
    assert judge("analyze", output="{").state == "failed"


def test_only_the_end_of_a_long_log_is_read(tmp_path):
    log = tmp_path / "log.txt"
    log.write_text("first\n" + "x\n" * 200_000 + "\nlast\n")
    notes = read_notes(log)
    assert notes[-1] == "last" and "first" not in notes and "" not in notes
    assert read_notes(tmp_path / "absent") == []
