"""A search while it runs: its page, its events, stopping and continuing it."""

import json
import shlex

import pytest

pytest.importorskip("starlette")
from manyminds.serve.folder import ServedFolder
from manyminds.serve.jobs.job import Job, make_id, write_job
from manyminds.serve.pages.live import _read_command
from manyminds.utils.errors import InputError


@pytest.fixture
def quiet(client, monkeypatch):
    """Return a client whose jobs stay as they are."""
    monkeypatch.setattr(client.app.state.serve.jobs, "tick", lambda: [])
    return client


def put(client, place, **values):
    words = ("search", "iris", "--budget=5s", f"--out=/x/{place}", "--json")
    job = Job(make_id(), "search", words, "iris", place=place, **values)
    write_job(client.app.state.serve.jobs.place, job)
    return job


def test_a_finished_search_shows_its_trials(client):
    text = client.get("/search/iris-search/live").text
    assert "done" in text and "Show the result" in text and "<svg" in text
    assert "Continue for" in text and "Leaderboard" in text


def test_a_job_that_waits_or_failed(quiet):
    put(quiet, "soon", state="queued", created=2.0)
    assert "Cancel" in quiet.get("/search/soon/live").text
    put(quiet, "bad", state="failed", reason="--cv must be <2>.")
    assert "--cv must be &lt;2&gt;." in quiet.get("/search/bad/live").text


def test_events_are_the_pieces_of_the_page(client):
    with client.stream("GET", "/search/iris-search/events") as stream:
        lines = [line for line in stream.iter_lines() if line.startswith("data: ")]
    values = json.loads(lines[0].removeprefix("data: "))
    assert set(values) == {"status", "curve", "board", "log", "state", "ended", "next"}
    assert values["next"] == "/search/iris-search" and "<svg" in values["curve"]


def test_a_search_continues_with_the_words_of_its_job(quiet):
    put(quiet, "iris-search", state="done")
    form = {"csrf": quiet.csrf, "budget": "2m"}
    quiet.post("/search/iris-search/continue", data=form)
    job = quiet.app.state.serve.jobs.find_latest("iris-search")
    assert job.state == "queued" and job.seconds == 120.0
    assert (
        job.words[-2:] == ("--budget=2m", "--resume") and "--budget=5s" not in job.words
    )


def test_a_search_of_a_shell_continues_with_its_command(quiet):
    place = quiet.app.state.serve.folder.root / "iris-search"
    form = {"csrf": quiet.csrf, "budget": "9s"}
    quiet.post("/search/iris-search/continue", data=form)
    job = quiet.app.state.serve.jobs.find_latest("iris-search")
    assert job.words[:2] == ("search", "iris") and f"--out={place}" in job.words
    assert "--cv=5" in job.words and "--budget=9s" in job.words


@pytest.mark.parametrize(
    "command",
    [
        "rm -rf /", "manyminds predict a b", "manyminds search /etc/passwd.csv",
        "manyminds search ../x.csv", "manyminds search iris --cluster tcp://evil:1",
        "manyminds search iris --storage postgresql://evil/x", "manyminds search", "",
        "manyminds search iris --folder /", "manyminds search iris --jobs",
    ],
)  # fmt: skip
def test_a_stored_command_cannot_do_harm(tmp_path, command):
    with pytest.raises(InputError, match="started elsewhere"):
        _read_command(ServedFolder(tmp_path), command, "/out")


def test_a_stored_command_of_a_table_in_the_folder(tmp_path):
    (tmp_path / "a b.csv").write_text("x\n1\n")
    path = (tmp_path / "a b.csv").resolve()
    for table in ("a b.csv", str(path)):
        command = shlex.join(
            ["manyminds", "search", table, "--target", "--odd", "--no-committee",
             "--budget", "5s", "--out", "/elsewhere"]
        )  # fmt: skip
        assert _read_command(ServedFolder(tmp_path), command, "/out") == [
            "search", str(path), "--target=--odd", "--no-committee", "--out=/out",
            "--json",
        ]  # fmt: skip


def test_stopping(quiet):
    put(quiet, "soon", state="queued")
    page = quiet.post("/search/soon/stop", data={"csrf": quiet.csrf})
    assert "canceled" in page.text
    answer = quiet.post("/search/iris-search/stop", data={"csrf": quiet.csrf})
    assert answer.status_code == 400 and "started elsewhere" in answer.text


def test_no_search_no_page(client):
    for tail in ("live", "events"):
        assert client.get(f"/search/absent/{tail}").status_code == 404
        assert client.get(f"/search/..%2f..%2fetc/{tail}").status_code == 404
