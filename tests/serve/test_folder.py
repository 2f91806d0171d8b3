"""Paths never lead out of the folder; tables and searches are listed; trash undoes."""

import json
import os

import pytest

from manyminds.serve.folder import ServedFolder, clean_name
from manyminds.utils.errors import InputError, MissingFileError


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "secret.csv").write_text("a,b\n1,2\n")
    return ServedFolder(root)


def make_search(folder, name, **content):
    place = folder.root / name
    place.mkdir(parents=True)
    text = json.dumps({"state": "done", "identity": {"name": "iris"}, **content})
    (place / "search.json").write_text(text)
    return place


@pytest.mark.parametrize(
    "path",
    [
        "../secret.csv", "a/../../secret.csv", "/etc/passwd", "", "..", "\0",
        "..\\secret.csv", ".manyminds/serve.log", "./.manyminds", "x" * 5000,
    ],
)  # fmt: skip
def test_paths_that_lead_out_look_like_missing_files(folder, path):
    with pytest.raises(MissingFileError, match="There is no "):
        folder.find_file(path)
    with pytest.raises(MissingFileError):
        folder.find_search(path)


def test_links_are_followed_only_within_the_folder(folder, tmp_path):
    (folder.root / "own.csv").write_text("a\n1\n")
    os.symlink(tmp_path / "secret.csv", folder.root / "out.csv")
    os.symlink(tmp_path, folder.root / "up")
    os.symlink(folder.root / "own.csv", folder.root / "in.csv")
    os.symlink(folder.root / "loop", folder.root / "loop")
    assert folder.find_file("in.csv") == folder.root / "own.csv"
    for path in ("out.csv", "up/secret.csv", "loop"):
        with pytest.raises(MissingFileError):
            folder.find_file(path)
    assert {one.path for one in folder.list_tables()} == {"own.csv", "in.csv"}


def test_tables_are_listed_without_hidden_folders_and_searches(folder):
    for name in ("b.csv", "sub/c.parquet", "d.csv.GZ", ".git/e.csv", "f.py"):
        path = folder.root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("x")
    make_search(folder, "found")
    (folder.root / "found" / "leaderboard.csv").write_text("x")
    found = {one.path for one in folder.list_tables()}
    assert found == {"b.csv", "sub/c.parquet", "d.csv.GZ"}


def test_searches_are_listed_the_newest_first(folder):
    summary = {"metric": "auc", "leaderboard": [1, 2], "honest": {"score": 0.5}}
    old = make_search(folder, "old", summary=summary)
    os.utime(old / "search.json", (1, 1))
    make_search(folder, "deep/new")
    (make_search(folder, "bad") / "search.json").write_text("{")
    found = {one.path: one for one in folder.list_searches()}
    assert list(found)[-1] == "old" and set(found) == {"old", "deep/new", "bad"}
    assert found["bad"].state == "damaged" and found["old"].state == "done"
    assert "leaderboard" not in found["old"].content["summary"]
    assert found["old"].content["summary"]["honest"] == {"score": 0.5}


def test_a_deleted_search_can_be_restored(folder):
    make_search(folder, "deep/one")
    entry = folder.delete_search("deep/one")
    assert not (folder.root / "deep/one").exists()
    assert folder.list_searches() == [] and folder.list_trash() == [entry]
    assert folder.restore_search(entry.key) == "deep/one"
    assert folder.list_trash() == []
    with pytest.raises(MissingFileError, match="no such search in the trash"):
        folder.restore_search(entry.key)


def test_restoring_never_replaces_a_newer_search(folder):
    make_search(folder, "one")
    entry = folder.delete_search("one")
    make_search(folder, "one", note="newer")
    assert folder.restore_search(entry.key) == "one-2"
    assert "newer" in (folder.root / "one" / "search.json").read_text()


def test_the_root_cannot_be_deleted(folder):
    (folder.root / "search.json").write_text("{}")
    with pytest.raises(MissingFileError):
        folder.delete_search(".")


def test_names_that_are_taken_get_a_number(folder):
    assert folder.make_free_path("a.csv.gz").name == "a.csv.gz"
    (folder.root / "a.csv.gz").write_text("x")
    os.symlink("nowhere", folder.root / "a-2.csv.gz")
    assert folder.make_free_path("a.csv.gz").name == "a-3.csv.gz"
    assert folder.make_free_path("../x-search").parent == folder.root


@pytest.mark.parametrize(
    ("given", "clean"),
    [
        ("../../x.csv", "x.csv"), ("C:\\temp\\y.csv", "y.csv"), ("...", "table"),
        (".hidden.csv", "hidden.csv"), ("a\x00b.csv", "a_b.csv"),
        ("<b>.csv", "_b_.csv"), ("n" * 400 + ".csv", "n" * 116 + ".csv"),
    ],
)  # fmt: skip
def test_names_are_cleaned(given, clean):
    assert clean_name(given) == clean


def test_a_folder_must_exist(tmp_path):
    with pytest.raises(MissingFileError):
        ServedFolder(tmp_path / "absent")


def test_our_own_files_are_ignored_by_git(folder):
    folder.make_hidden("jobs")
    assert (folder.hidden / ".gitignore").read_text() == "*\n"


def test_too_many_names(folder, monkeypatch):
    monkeypatch.setattr("manyminds.serve.folder.range", lambda *_: [], raising=False)
    with pytest.raises(InputError, match="too many files"):
        folder.make_free_path("a.csv")
