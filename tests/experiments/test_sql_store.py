"""Stores in SQLite and PostgreSQL."""

import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from manyminds.experiments import Record, Slot, StoreError, open_store
from manyminds.testing import store_checks


@pytest.mark.slow
@pytest.mark.parametrize(
    "check", list(store_checks()), ids=lambda check: check.__name__
)
def test_keeps_the_contract(check, open_again):
    check(open_again)


def test_a_file_that_is_no_store_is_left_alone(tmp_path):
    file = tmp_path / "notes.txt"
    file.write_text("not a database " * 100)
    with pytest.raises(StoreError, match="cannot be opened: file is not a database"):
        open_store(str(file))
    assert file.read_text() == "not a database " * 100


def test_a_store_of_a_later_version_is_refused(tmp_path):
    file = tmp_path / "records.sqlite"
    open_store(str(file)).close()
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE manyminds_about SET value = '99'")
    connection.close()
    with pytest.raises(StoreError, match="version 99; this manyminds reads 1"):
        open_store(str(file))


def test_a_record_of_two_plans_has_the_names_of_each(store):
    store.put([Record("key", "iris", "forest", 0, 0, {"accuracy": 0.9})])
    store.enroll("one", [Slot("iris", "forest", 0, 0, "key")])
    store.enroll("other", [Slot("flowers", "trees", 2, 1, "key")])
    (one,) = store.find(plan="one")
    (other,) = store.find(plan="other")
    assert (one.dataset, one.method, one.repeat, one.fold) == ("iris", "forest", 0, 0)
    assert (other.dataset, other.method) == ("flowers", "trees")
    assert (other.repeat, other.fold) == (2, 1)
    assert one.values == other.values == {"accuracy": 0.9}


LIMITED = """
import resource, signal, sys
from dataclasses import replace
from manyminds.experiments import Record, StoreError, open_store
store = open_store(sys.argv[1])
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
record = Record("", "iris", "rf", 0, 0, {"a": 0.5}, "x" * 99)
records = [replace(record, key=str(i)) for i in range(5000)]
try:
    store.put(records)
except StoreError as error:
    print(error)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="limits are those of Unix")
def test_a_full_disk_names_the_file(tmp_path):
    file = tmp_path / "records.sqlite"
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(file)], capture_output=True, text=True
    )
    assert f"The store {file} cannot be opened or written" in done.stdout, done.stderr
    assert "full" in done.stdout and "INSERT" not in done.stdout


@pytest.mark.slow
def test_a_server_that_is_restarted_is_waited_for(postgresql_url, capsys):
    tools = sys.modules["tests_postgresql"]
    store = open_store(postgresql_url)
    with store._reading() as connection:
        data = Path(connection.exec_driver_sql("SHOW data_directory").scalar_one())
    run_as = tools.user_to_be(data.parent)
    control = [*run_as, tools.find_programs() / "pg_ctl", "-D", data, "-w"]
    options = (data / "postmaster.opts").read_text().strip().split(maxsplit=1)[1]
    assert store.claim(["restarted"], "first", 100.0) == ["restarted"]
    tools.call([*control, "-m", "fast", "stop"])
    start = [*control, "-l", data.parent / "log", "-o", options.replace('"', "")]
    later = threading.Timer(1.0, tools.call, [[*start, "start"]])
    later.start()
    try:
        assert store.claim(["restarted", "other"], "second", 100.0) == ["other"]
    finally:
        later.join()
    for owner in ("first", "second"):
        store.release(owner)
    store.close()
    assert capsys.readouterr().err == ""
