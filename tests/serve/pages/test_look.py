"""A look at a table: an analysis is a job; its figures answer a click."""

import json

import pytest

from manyminds.datasets import load_dataset
from manyminds.reports import summarize_data, to_plain


@pytest.fixture
def analyzed(plain_client, monkeypatch):
    """Return a client whose analyses are done at once, without a process."""
    jobs = plain_client.app.state.serve.jobs
    summary = to_plain(summarize_data(load_dataset("iris")))
    started = []

    def start(job):
        started.append(job.words)
        done = job.change(state="done")
        from manyminds.serve.jobs.job import write_job

        write_job(jobs.place, done)
        jobs.path_of(job, "output.json").write_text(
            json.dumps({"files": [], "summary": summary})
        )
        return done

    monkeypatch.setattr(jobs, "_start", start)
    plain_client.started = started
    return plain_client


def test_an_analysis_is_shown_once_it_is_done(analyzed):
    page = analyzed.get("/look?table=bundled:iris")
    assert page.status_code == 200 and "A look at iris" in page.text
    assert "150 rows, 4 columns" in page.text and "Map of the rows" in page.text
    assert "petallength" in page.text and page.text.count("<svg") >= 4
    assert analyzed.started == [("analyze", "iris", "--json")]
    analyzed.get("/look?table=bundled:iris")
    assert len(analyzed.started) == 1  # the same analysis is shown again


def test_a_changed_table_is_analyzed_again(analyzed):
    for text in ("a,class\n1,x\n2,y\n", "a,class\n1,x\n2,y\n3,x\n"):
        (analyzed.folder / "t.csv").write_text(text)
        analyzed.get("/look?table=t.csv")
    path = str((analyzed.folder / "t.csv").resolve())
    assert [words[1:3] for words in analyzed.started] == [(path, "--target=class")] * 2


def test_points_know_their_rows(analyzed):
    text = analyzed.get("/look?table=bundled:iris").text
    assert 'data-row="1"' in text and text.count("row 1:") == 1


def test_a_row_is_returned_for_a_point(plain_client):
    found = plain_client.get("/look/row?table=bundled:iris&row=150").json()
    assert found["row"] == 150
    assert found["cells"][-1] == {"name": "target", "value": "Iris-virginica"}
    for odd in ("0", "x", "", "9" * 30):
        answer = plain_client.get(f"/look/row?table=bundled:iris&row={odd}")
        assert answer.status_code == 200


def test_while_it_runs_the_page_of_the_job_is_shown(plain_client, monkeypatch):
    jobs = plain_client.app.state.serve.jobs
    monkeypatch.setattr(jobs, "tick", lambda: [])
    answer = plain_client.get("/look?table=bundled:wine", follow_redirects=False)
    assert answer.status_code == 303 and answer.headers["location"].startswith("/jobs/")
