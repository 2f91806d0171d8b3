"""URLs are shown without passwords, and what is no URL is not taken for a file."""

import sqlite3
import threading

import pytest

from manyminds.utils.databases import (
    RelaxedConnection,
    StoreError,
    check_is_there,
    complete_url,
    hide_password,
    locate_file,
    make_engine,
)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://bob:secret@host/runs",
        "postgresql://bob:se:cr@et@host:5432/runs".replace("se:cr@et", "x:secret@y"),
        "postgresql://host/runs?user=bob&password=secret",
        "postgresql://host/runs?PASSWORD=secret&user=bob",
        "postgresql+pg8000://bob@host/runs?sslmode=require&sslpassword=secret",
        "postgresql://bob:what?secret@host/runs",
        "postgresql:/bob:secret@host/runs",
    ],
)
def test_no_password_is_shown(url):
    shown = hide_password(url)
    assert "secret" not in shown and "***" in shown
    assert "host" in shown and "runs" in shown


def test_what_is_no_password_stays():
    url = "postgresql://bob@host:5432/runs?user=bob&sslmode=require"
    assert hide_password(url) == url
    assert hide_password("runs.sqlite") == "runs.sqlite"
    assert hide_password(complete_url("postgresql://a:b@host/runs")).startswith(
        "postgresql+pg8000://a:***@host"
    )


@pytest.mark.parametrize(
    "url",
    [
        "postgresql:/bob:secret@host/runs",
        "postgresql:bob:secret@host/runs",
        "postgres:/bob:secret@host",
        "sqlite:/secret.sqlite",
        "postgresql://bob:secret@host:port/runs",
        "postgresql://bob:sec/ret:secret@host:5432x/runs",
        "://bob:secret@host",
    ],
)
def test_a_malformed_url_is_refused_and_not_repeated(url, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StoreError, match="URL of a store") as caught:
        complete_url(url)
    assert "secret" not in str(caught.value) and "bob" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["runs.sqlite", "C:/runs.sqlite", "a:b", "my runs/x"])
def test_names_of_files_stay_files(name):
    assert complete_url(name).database == name


@pytest.mark.parametrize(("mode", "synchronous"), [("WAL", 1), ("DELETE", 2)])
def test_commits_wait_for_the_disk_unless_a_log_is_written_ahead(
    mode, synchronous, tmp_path
):
    with sqlite3.connect(tmp_path / "store.sqlite") as first:
        first.execute(f"PRAGMA journal_mode={mode}")
        first.execute("CREATE TABLE numbers (number INTEGER)")
    first.close()
    second = sqlite3.connect(tmp_path / "store.sqlite", factory=RelaxedConnection)
    assert second.execute("PRAGMA synchronous").fetchone() == (synchronous,)
    second.close()


def test_a_new_file_that_is_written_is_waited_for(tmp_path):
    # SQLite refuses at once to write ahead then, whatever the timeout of a connection.
    url = complete_url(str(tmp_path / "store.sqlite"))
    writing = sqlite3.connect(url.database, check_same_thread=False)
    writing.isolation_level = None
    writing.execute("BEGIN IMMEDIATE")
    writing.execute("CREATE TABLE numbers (number INTEGER)")
    end = threading.Timer(0.3, writing.execute, ["COMMIT"])
    end.start()
    engine = make_engine(url)
    with engine.connect() as connection:
        mode = connection.exec_driver_sql("PRAGMA journal_mode").scalar()
    end.join()
    writing.close()
    engine.dispose()
    assert mode == "wal"


def test_a_file_named_by_a_uri_is_the_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "new folder" / "runs.sqlite"
    named = str(file).replace(" ", "%20")
    url = complete_url(f"sqlite:///file:{named}?mode=rwc&uri=true")
    assert locate_file(url) == file
    engine = make_engine(url)
    engine.connect().close()
    engine.dispose()
    assert file.exists() and [path.name for path in tmp_path.iterdir()] == [
        "new folder"
    ]
    check_is_there(url)
    file.unlink()
    with pytest.raises(StoreError, match=r"runs\.sqlite is gone"):
        check_is_there(url)
