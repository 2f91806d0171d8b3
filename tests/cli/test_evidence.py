"""``manyminds evidence``: pages from a store."""

import json

import pytest

from manyminds.cli.main import main
from manyminds.experiments import open_store


def call(capsys, *arguments):
    with pytest.raises(SystemExit) as exit:
        main(["evidence", *map(str, arguments)])
    output = capsys.readouterr()
    return exit.value.code, output.out, output.err


def test_pages_are_written_and_named(capsys, tmp_path):
    store = tmp_path / "records.sqlite"
    open_store(str(store)).close()
    out = tmp_path / "docs" / "evidence"
    code, text, _ = call(capsys, "--store", store, "--out", out)
    assert code == 0 and str(out / "index.md") in text.replace("\n", "")
    out = tmp_path / "again"
    code, text, _ = call(capsys, "--store", store, "--out", out, "--json")
    written = json.loads(text)["written"]
    assert sorted(written) == sorted(str(path) for path in out.glob("*.*"))


def test_pages_are_made_again_from_the_records_beside_them(
    capsys, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    code, _, error = call(capsys, "--out", "evidence")
    assert code == 2 and "manyminds.sqlite" in error
    (tmp_path / "evidence" / "records").mkdir(parents=True)
    code, text, _ = call(capsys, "--out", "evidence")
    assert code == 0 and "index.md" in text


def test_a_store_that_is_not_there_writes_nothing(capsys, tmp_path):
    out = tmp_path / "evidence"
    code, _, error = call(capsys, "--store", tmp_path / "no.sqlite", "--out", out)
    # A long path is broken where the frame around the error ends.
    told = "".join(part.strip() for part in error.replace("│", "").splitlines())
    assert code == 2 and "no.sqlite" in told
    assert not out.exists() and not (tmp_path / "no.sqlite").exists()
