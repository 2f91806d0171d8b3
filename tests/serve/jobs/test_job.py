"""A job is a file; damaged ones are left out, newer fields are ignored."""

import json

import pytest

from manyminds.serve.jobs.job import Job, list_jobs, make_id, read_job, write_job
from manyminds.utils.errors import MissingFileError


def test_a_job_is_read_as_it_was_written(tmp_path):
    job = Job(make_id(), "search", ("search", "größe.csv"), "größe", details={"a": 1})
    write_job(tmp_path, job)
    assert read_job(tmp_path, job.id) == job
    write_job(tmp_path, job.change(state="done"))
    assert read_job(tmp_path, job.id).state == "done" and job.state == "queued"


def test_names_sort_by_time_and_differ(tmp_path):
    names = [make_id() for _ in range(50)]
    stamps = [name.split("-")[0] for name in names]
    assert stamps == sorted(stamps) and len(set(names)) == 50


def test_active_states():
    states = ("queued", "starting", "running", "done", "failed", "canceled")
    jobs = [Job("1", "search", (), "t", state=one) for one in states]
    assert [one.is_active for one in jobs] == [True, True, True, False, False, False]


@pytest.mark.parametrize("name", ["absent", "../x", "", "..", "a/b", "\0"])
def test_a_name_that_is_none_of_ours(tmp_path, name):
    with pytest.raises(MissingFileError):
        read_job(tmp_path, name)


def test_damaged_and_newer_files(tmp_path):
    assert list_jobs(tmp_path / "absent") == []
    write_job(tmp_path, Job("1", "search", ("x",), "t"))
    (tmp_path / "2").mkdir()
    (tmp_path / "2" / "job.json").write_text("{")
    (tmp_path / "lock").write_text("")
    content = json.loads((tmp_path / "1" / "job.json").read_text())
    (tmp_path / "1" / "job.json").write_text(json.dumps(content | {"newer": 1}))
    assert [one.id for one in list_jobs(tmp_path)] == ["1"]
