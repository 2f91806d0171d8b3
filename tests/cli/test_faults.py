"""Commands on broken disks, folders and stores end with a sentence and can go on.

Short versions of ``benchmarks/faults.py`` and ``benchmarks/fault_cases.py``.
"""

import os
import shutil
import sqlite3
import subprocess
from contextlib import closing, contextmanager

import pytest

from manyminds.experiments import sql_store
from manyminds.search.study import trial_store

COMMAND = "compare"
WORDS = ("iris", "--methods", "tree", "--cv", "1x5", "--store", "place/records.sqlite")


@contextmanager
def small_disk(folder, size):
    """Mount a small file system of memory on a folder."""
    folder.mkdir()
    if os.name == "nt" or os.geteuid() != 0:
        pytest.skip("only root can mount a file system")
    words = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"mounting is not allowed here: {done.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def count(folder):
    with closing(sqlite3.connect(folder / "place" / "records.sqlite")) as store:
        return store.execute("select count(*) from manyminds_records").fetchone()[0]


def break_after(monkeypatch, n_records, break_it):
    """Break something when so many records are stored."""
    put, stored = sql_store.SqlStore.put, []

    def put_or_break(self, records):
        put(self, records)
        stored.append(1)
        if len(stored) == n_records:
            break_it()

    monkeypatch.setattr(sql_store.SqlStore, "put", put_or_break)


@pytest.mark.slow
def test_a_full_disk(call, folder, monkeypatch):
    place = folder / "place"

    def fill():
        with open(place / "filler", "wb", buffering=0) as file:
            try:
                while file.write(b"x" * 4096):
                    pass
            except OSError:
                return

    with small_disk(place, "1m"):
        break_after(monkeypatch, 2, fill)
        code, _, err = call(*WORDS)
        assert code == 2
        assert "is full" in err and "Its records are unchanged." in err
        monkeypatch.undo()
        monkeypatch.chdir(folder)
        os.unlink(place / "filler")
        assert 2 <= count(folder) < 5
        assert call(*WORDS)[0] == 0
        assert count(folder) == 5


@pytest.mark.slow
def test_a_read_only_disk(call, folder):
    with small_disk(folder / "place", "1m"):
        assert call(*WORDS)[0] == 0
        remount = ["mount", str(folder / "place"), "-o"]
        subprocess.run([*remount, "remount,ro"], check=True)
        code, _, err = call(*WORDS[:2], "knn", *WORDS[3:])
        assert code == 2 and "the file or its folder is read-only" in err
        subprocess.run([*remount, "remount,rw"], check=True)
        assert count(folder) == 5


def test_a_folder_removed_under_a_run(call, folder, monkeypatch):
    place = folder / "place"
    break_after(monkeypatch, 2, lambda: shutil.rmtree(place))
    code, _, err = call(*WORDS)
    assert code == 2
    assert f"{place} is gone, and with it the records of records.sqlite." in err
    monkeypatch.undo()
    monkeypatch.chdir(folder)
    assert call(*WORDS)[0] == 0
    assert count(folder) == 5


def test_a_store_of_another_version_is_refused_and_left_alone(call, folder):
    assert call(*WORDS)[0] == 0
    with closing(sqlite3.connect(folder / "place" / "records.sqlite")) as store, store:
        store.execute("update manyminds_about set value = '0' where name = 'version'")
    code, _, err = call(*WORDS)
    assert code == 2 and "has version 0; this manyminds reads 1. Name another" in err
    assert count(folder) == 5


def test_a_study_of_another_optuna_is_refused(tmp_path):
    place = tmp_path / "study.sqlite"
    storage = trial_store._open_storage(str(place))
    storage.remove_session()
    storage.engine.dispose()
    with closing(sqlite3.connect(place)) as store, store:
        store.execute("update alembic_version set version_num = 'v9.9.9.a'")
    with pytest.raises(trial_store.StoreError, match="another version of Optuna"):
        trial_store._open_storage(str(place))
