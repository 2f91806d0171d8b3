"""The folder of a search is created once, resumed by the same search only, and read."""

import json
from dataclasses import replace

import pytest

from manyminds.reports.search.folder import (
    RESULT,
    STUDY,
    SearchExistsError,
    SearchIdentity,
    discard_search,
    open_search_folder,
    read_search,
    write_result,
)
from manyminds.utils.errors import InputError, MissingFileError
from manyminds.utils.hashing import make_key

IDENTITY = SearchIdentity("toy", "f", "kind", "classification", "accuracy", None, 0)


def test_a_name_of_a_study_stands_for_its_content():
    one = IDENTITY
    assert one.study_name == replace(one).study_name
    others = [replace(one, fingerprint="g"), replace(one, cv=3), replace(one, seed=-1)]
    assert len({one.study_name, *(other.study_name for other in others)}) == 4


def test_the_summary_comes_back(tmp_path, summary):
    folder = open_search_folder(tmp_path / "new" / "found", IDENTITY, storage="db")
    known = replace(summary, importance=summary.importance[:1])
    assert write_result(folder, IDENTITY, known) == folder / RESULT
    assert read_search(folder) == known
    content = json.loads((folder / RESULT).read_text(encoding="utf-8"))
    assert content["storage"] == "db"  # as the folder was opened


def test_a_search_that_is_not_finished_says_how_to_continue(tmp_path):
    folder = open_search_folder(tmp_path / "found", IDENTITY, command="run it")
    with pytest.raises(InputError, match="Continue it with run it --resume"):
        read_search(folder)
    unnamed = open_search_folder(tmp_path / "other", IDENTITY)
    with pytest.raises(InputError, match="Continue it with resume=True"):
        read_search(unnamed)


@pytest.mark.parametrize("marker", [STUDY, RESULT, "model.skops"])
def test_a_folder_with_a_search_is_not_overwritten(tmp_path, marker):
    (tmp_path / marker).write_text("mine")
    with pytest.raises(SearchExistsError, match="resume=True, or name another"):
        open_search_folder(tmp_path, IDENTITY)
    assert (tmp_path / marker).read_text() == "mine"


def test_the_same_search_is_resumed(tmp_path):
    folder = open_search_folder(tmp_path, IDENTITY, command="first")
    before = (folder / RESULT).read_bytes()
    renamed = replace(IDENTITY, name="another name")
    assert open_search_folder(tmp_path, renamed, resume=True) == folder
    assert (folder / RESULT).read_bytes() == before


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"fingerprint": "g"}, "used other data"),
        ({"target": "size"}, "used target kind, not size"),
        ({"metric": "auc"}, "used metric accuracy, not auc"),
        ({"cv": 3}, "used cv None, not 3"),
        ({"seed": 1}, "used random_state 0, not 1"),
    ],
)
def test_another_search_is_not_resumed(tmp_path, change, message):
    open_search_folder(tmp_path, IDENTITY)
    with pytest.raises(InputError, match=message):
        open_search_folder(tmp_path, replace(IDENTITY, **change), resume=True)


def test_trials_in_another_place_are_not_resumed(tmp_path):
    open_search_folder(tmp_path, IDENTITY)
    with pytest.raises(InputError, match=r"are stored in study.sqlite in that folder"):
        open_search_folder(tmp_path, IDENTITY, resume=True, storage="postgresql://db")


def test_there_must_be_a_folder_and_a_search(tmp_path):
    with pytest.raises(MissingFileError, match="resume: there is no search in"):
        open_search_folder(tmp_path, IDENTITY, resume=True)
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="out must be a folder"):
        open_search_folder(tmp_path / "file", IDENTITY)
    (tmp_path / RESULT).write_text("[]")
    with pytest.raises(InputError, match="is damaged, or not of a search"):
        read_search(tmp_path)


def test_only_the_search_is_discarded(tmp_path):
    folder = open_search_folder(tmp_path / "found", IDENTITY)
    (folder / f"{STUDY}-wal").write_text("")
    (folder / "notes.txt").write_text("mine")
    discard_search(folder)
    assert [file.name for file in folder.iterdir()] == ["notes.txt"]
    (folder / "notes.txt").unlink()
    discard_search(folder)
    assert not folder.exists()


def test_columns_of_rows_are_part_of_the_identity(tmp_path):
    grouped = replace(IDENTITY, group="patient")
    assert grouped.study_name != IDENTITY.study_name
    assert grouped.row_columns == {"group": "patient"} and IDENTITY.row_columns == {}
    open_search_folder(tmp_path / "found", grouped)
    with pytest.raises(InputError, match="used group patient, not None"):
        open_search_folder(tmp_path / "found", IDENTITY, resume=True)


def test_the_name_of_a_study_is_that_of_earlier_versions():
    old = {
        "name": "toy", "fingerprint": "f", "target": "kind", "task": "classification",
        "metric": "accuracy", "cv": None, "seed": 0,
    }  # fmt: skip
    assert IDENTITY.study_name == f"toy-{make_key([old])[:12]}"
