"""Searches: a form becomes a job, the list is honest, deleting can be undone."""

import re

import pytest

from manyminds.serve.jobs.job import write_job


@pytest.fixture
def quiet(client, monkeypatch):
    """Return a client whose jobs stay in the queue."""
    monkeypatch.setattr(client.app.state.serve.jobs, "tick", lambda: [])
    return client


def start(client, **fields):
    form = {"csrf": client.csrf, "table": "bundled:iris", "budget": "60s", **fields}
    return client.post("/searches/new", data=form, follow_redirects=False)


def test_the_form_knows_the_table(client):
    text = client.get("/searches/new?table=bundled:iris").text
    assert "3 classes" in text and "150 rows" in text
    assert 'value="balanced_accuracy"' in text and 'value="rmse"' not in text
    assert '<option value="petalwidth">' in text
    text = client.get("/searches/new?table=bundled:diabetes-progression").text
    assert 'value="rmse"' in text and 'value="accuracy"' not in text


def test_a_search_is_queued_with_the_words_of_the_command(quiet):
    answer = start(quiet, metric="auc", group="petalwidth", custom_budget="45s")
    assert answer.headers["location"] == "/search/iris-search-2/live"
    job = quiet.app.state.serve.jobs.read_all()[0]
    out = quiet.app.state.serve.folder.root / "iris-search-2"
    assert job.words == (
        "search", "iris", "--budget=45s", "--metric=auc", "--group=petalwidth",
        f"--out={out}", "--json",
    )  # fmt: skip
    assert (job.seconds, job.place, job.state) == (45.0, "iris-search-2", "queued")
    assert (
        "1 job is before this one" in quiet.get("/searches/new?table=bundled:wine").text
    )


def test_two_searches_wait_with_names_of_their_own(quiet):
    places = [start(quiet, name="../my run").headers["location"] for _ in range(2)]
    assert places == ["/search/my%20run/live", "/search/my%20run-2/live"]


@pytest.mark.parametrize("fields", [{"budget": "soon"}, {"table": "absent.csv"}])
def test_what_cannot_be_started(quiet, fields):
    assert start(quiet, **fields).status_code in (400, 404)
    assert quiet.app.state.serve.jobs.read_all() == []


def test_trials_may_be_the_only_limit(quiet):
    start(quiet, budget="", trials="5")
    job = quiet.app.state.serve.jobs.read_all()[0]
    assert "--trials=5" in job.words and job.seconds is None
    assert not any(word.startswith("--budget") for word in job.words)


def test_the_list_shows_scores_and_what_waits(quiet):
    start(quiet)
    text = quiet.get("/searches").text
    assert "queued" in text and re.search(r"accuracy</span> <strong>0\.9", text)
    assert "Delete iris-search?" in text and "Delete iris-search-2?" not in text


def test_a_search_is_deleted_and_restored(client):
    form = {"csrf": client.csrf}
    page = client.post("/search/iris-search/delete", data=form)
    assert "is in the trash" in page.text and "Undo" in page.text
    assert not (client.app.state.serve.folder.root / "iris-search").exists()
    assert client.get("/search/iris-search").status_code == 404
    key = client.app.state.serve.folder.list_trash()[0].key
    page = client.post(f"/trash/{key}/restore", data=form)
    assert "Undo" not in page.text and "iris-search" in page.text
    assert client.get("/search/iris-search").status_code == 200


def test_deleting_needs_a_search_and_a_form(client):
    form = {"csrf": client.csrf}
    assert client.post("/search/iris-search/delete").status_code == 403
    assert client.post("/search/absent/delete", data=form).status_code == 404
    assert client.post("/search/../delete", data=form).status_code in (404, 405)
    assert client.get("/search/iris-search/delete").status_code in (404, 405)
    assert (client.app.state.serve.folder.root / "iris-search").exists()


def test_a_running_search_is_not_deleted(quiet):
    start(quiet)
    answer = quiet.post("/search/iris-search-2/delete", data={"csrf": quiet.csrf})
    assert answer.status_code == 400 and "stop it first" in answer.text


def test_an_empty_folder(plain_client):
    assert "There are none yet" in plain_client.get("/searches").text


def test_a_search_that_failed_before_it_had_a_folder_is_dismissed(quiet):
    start(quiet)
    jobs = quiet.app.state.serve.jobs
    job = jobs.read_all()[0]
    form = {"csrf": quiet.csrf}
    assert quiet.post(f"/jobs/{job.id}/dismiss", data=form).status_code == 400
    write_job(jobs.place, job.change(state="failed", reason="why"))
    text = quiet.get("/searches").text
    assert "Dismiss iris-search-2" in text and "Delete iris-search-2?" not in text
    page = quiet.post(f"/jobs/{job.id}/dismiss", data=form)
    assert "iris-search-2" not in page.text and jobs.read_all() == []
