"""URLs are shown without passwords, and what is no URL is not taken for a file."""

import pytest

from manyminds.utils.databases import (
    StoreError,
    complete_url,
    hide_password,
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
