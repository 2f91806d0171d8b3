"""Waiting for a job: what runs, what failed, where to go on."""

import json

import pytest

from manyminds.serve.jobs.job import Job, make_id, write_job


@pytest.fixture
def put(plain_client):
    """Return a function that stores a job that no process runs."""

    def store(kind="analyze", name=None, **values):
        job = Job(name or make_id(), kind, (kind,), "my <table>", **values)
        write_job(plain_client.app.state.serve.jobs.place, job)
        return f"/jobs/{job.id}"

    return store


def test_a_job_that_waits(plain_client, put):
    text = plain_client.get(put(state="starting", started=9e9)).text
    assert "Looking at my &lt;table&gt;" in text and "/events" in text
    assert "working" in text and "/stop" in text


def test_a_job_that_failed_says_why(plain_client, put):
    text = plain_client.get(put(state="failed", reason="Too <few> rows.")).text
    assert "Too &lt;few&gt; rows." in text and "/events" not in text


def test_a_job_that_is_done_goes_on(plain_client, put):
    address = put(state="done", details={"next": "/searches"})
    answer = plain_client.get(address, follow_redirects=False)
    assert answer.status_code == 303 and answer.headers["location"] == "/searches"
    address = put(state="done", details={"next": "//evil.example/x"})
    answer = plain_client.get(address, follow_redirects=False)
    assert answer.headers["location"] == "/evil.example/x"  # of this host


def test_events_end_with_the_job(plain_client, put):
    address = put(state="done", details={"next": "/searches"})
    with plain_client.stream("GET", f"{address}/events") as stream:
        lines = [line for line in stream.iter_lines() if line.startswith("data: ")]
    assert lines == ['data: {"state": "done", "ended": true, "next": "/searches"}']


@pytest.mark.parametrize(
    ("kind", "page"), [("select", "selection"), ("compare", "comparison")]
)
def test_jobs_with_a_page_of_their_own_wait_there_by_events(
    plain_client, put, monkeypatch, kind, page
):
    monkeypatch.setattr(type(plain_client.app.state.serve.jobs), "tick", lambda _: [])
    put(kind, "1", state="queued"), put(kind, "2", state="queued")
    address = put(kind, "3", state="queued")
    text = plain_client.get(address).text
    assert f'data-events="{address}/events"' in text and "live.js" in text
    assert "2 jobs are before this one" in text and f"{address}/stop" in text
    address = put(kind, state="failed", reason="Too few rows.")
    with plain_client.stream("GET", f"{address}/events") as stream:
        (line,) = [one for one in stream.iter_lines() if one.startswith("data: ")]
    following = json.loads(line.removeprefix("data: "))["next"]
    assert following == address.replace("jobs", page)
    assert "Too few rows." in plain_client.get(following).text


def test_a_waiting_job_is_canceled(plain_client, put, monkeypatch):
    monkeypatch.setattr(type(plain_client.app.state.serve.jobs), "tick", lambda _: [])
    address = put(state="queued")
    form = {"csrf": plain_client.csrf}
    assert "It was stopped." in plain_client.post(f"{address}/stop", data=form).text


def test_an_unknown_job(plain_client):
    assert plain_client.get("/jobs/absent").status_code == 404
    assert plain_client.get("/jobs/absent/events").status_code == 404
    assert plain_client.get("/jobs/..%2f..%2fx").status_code == 404
