"""The storage of a study: a full disk, a lost folder and a read-only file."""

import os
import shutil
import sqlite3

import pytest
from sqlalchemy.exc import OperationalError

from manyminds.search.evaluation.evaluation import Evaluation
from manyminds.search.study import storage
from manyminds.search.study.prediction_store import SQLPredictionStore
from manyminds.search.study.storage import explain_storage, lock_study, retry
from manyminds.utils.databases import StoreError


def make_error(text, code=sqlite3.SQLITE_ERROR):
    error = sqlite3.OperationalError(text)
    error.sqlite_errorcode = code
    return OperationalError("INSERT ...", {}, error)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("database or disk is full", "the disk that holds {folder} is full"),
        ("attempt to write a readonly database", "file or its folder is read-only"),
        ("disk I/O error", "the disk may be full, or the file damaged"),
    ],
)
def test_what_optuna_says_becomes_a_sentence(text, told, tmp_path):
    from optuna.exceptions import StorageInternalError

    file = tmp_path / "study.sqlite"
    with pytest.raises(StoreError) as caught, explain_storage(str(file)):
        try:
            raise make_error(text)
        except OperationalError as error:
            raise StorageInternalError("An exception is raised during ...") from error
    said = str(caught.value)
    assert str(file) in said and told.format(folder=tmp_path) in said
    assert "Its records are unchanged" in said and "INSERT" not in said


def test_errors_of_others_pass(tmp_path):
    with pytest.raises(ZeroDivisionError), explain_storage(str(tmp_path / "s.sqlite")):
        raise ZeroDivisionError
    with pytest.raises(KeyError), explain_storage(None):
        raise KeyError


def test_a_folder_that_is_gone_is_named(tmp_path):
    folder = tmp_path / "found"
    folder.mkdir()
    shutil.rmtree(folder)
    with pytest.raises(StoreError, match=r"is gone, and with it the store s\.sqlite"):
        with lock_study(str(folder / "s.sqlite")):
            pass


def test_a_read_only_file_is_told_at_once(tmp_path, monkeypatch):
    file = tmp_path / "study.sqlite"
    SQLPredictionStore(str(file), "one").close()
    if os.geteuid() == 0:  # who may write everything: ask SQLite not to
        url = f"sqlite:///file:{file}?mode=ro&uri=true"
    else:
        url = str(file)
        file.chmod(0o444)
        tmp_path.chmod(0o555)
    monkeypatch.setattr(storage.time, "sleep", lambda seconds: pytest.fail("waits"))
    try:
        store = SQLPredictionStore(url, "one")
        with pytest.raises(StoreError, match="read-only"), explain_storage(url):
            store.write(0, Evaluation("complete", predictions=[0.0]))
    except StoreError as error:
        assert "read-only" in str(error)
    finally:
        tmp_path.chmod(0o755)


def test_what_may_pass_is_retried(monkeypatch):
    monkeypatch.setattr(storage.time, "sleep", lambda seconds: None)
    left = [("locked", sqlite3.SQLITE_BUSY)] * 2

    def make():
        if left:
            raise make_error(*left.pop())
        return "made"

    assert retry(make) == "made"
    # An extended code of SQLite: the database's folder is read-only.
    left[:] = [("locked", sqlite3.SQLITE_BUSY), ("", sqlite3.SQLITE_READONLY_DIRECTORY)]
    with pytest.raises(OperationalError):
        retry(make)
    assert left == [("locked", sqlite3.SQLITE_BUSY)]
