"""Large files of formats without places of rows show their first rows."""

import gzip

import pandas as pd
import pytest

pytest.importorskip("starlette")
from manyminds.serve.tables import first_rows
from manyminds.serve.tables.facts import find_facts
from manyminds.serve.tables.first_rows import cut_first_rows, needs_cut
from manyminds.serve.tables.rows import open_rows
from manyminds.serve.tables.sample import read_sample
from manyminds.utils.errors import InputError

ARFF = "% about\n@relation t\n@attribute x numeric\n@attribute class {a,b}\n@DATA\n"
ARFF += "".join(f"{k},{'ab'[k % 2]}\n" for k in range(50))


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    monkeypatch.setattr(first_rows, "MAX_WHOLE", 3)
    monkeypatch.setattr(first_rows, "N_ROWS", 8)


@pytest.mark.parametrize("name", ["a.arff", "a.arff.gz"])
def test_the_first_rows_of_arff(state, put, name):
    content = ARFF.encode()
    source = put(name, gzip.compress(content) if name.endswith("gz") else content)
    rows = open_rows(state, source)
    assert rows.is_start and rows.n_rows == 8 and rows.names == ["x", "class"]
    assert rows.read(7, 9, slice(0, 9)) == [["7", "b"]]
    sample = read_sample(state, source, "class")
    assert sample.data.n_samples == 8 and not sample.is_whole
    facts = find_facts(state, source, "class")
    assert facts.is_start and facts.task == "classification"


def test_the_first_rows_of_libsvm(state, put):
    source = put("a.svm", "".join(f"{k % 2} 1:{k + 1} 3:2\n" for k in range(50)))
    rows = open_rows(state, source)
    assert rows.n_rows == 8 and rows.read(7, 9, slice(0, 9)) == [["8", "0", "2"]]
    assert read_sample(state, source, None).data.n_samples == 8


def test_the_first_rows_of_a_spreadsheet(state, put):
    pytest.importorskip("openpyxl")
    frame = pd.DataFrame({"x": range(50), "class": list("ab") * 25})
    source = put("a.xlsx", lambda path: frame.to_excel(path, index=False))
    rows = open_rows(state, source)
    assert rows.n_rows == 8 and rows.read(7, 9, slice(0, 9)) == [["7", "b"]]
    with pytest.raises(InputError, match="damaged, or is not XLSX"):
        open_rows(state, put("b.xlsx", b"PK\x03\x04 no"))


def test_only_so_many_bytes_are_read(state, put, monkeypatch):
    monkeypatch.setattr(first_rows, "MAX_BYTES", len(ARFF) // 2)
    assert 0 < open_rows(state, put("a.arff", ARFF)).n_rows < 50
    monkeypatch.setattr(first_rows, "MAX_BYTES", 9)
    with pytest.raises(InputError, match="there is no @data line"):
        open_rows(state, put("b.arff", ARFF))


def test_the_small_file_is_made_once_and_old_ones_are_removed(state, put, monkeypatch):
    monkeypatch.setattr(first_rows, "N_KEPT", 2)
    source = put("a.arff", ARFF)
    made = cut_first_rows(state, source)
    number = made.stat().st_ino
    again = cut_first_rows(state, source)
    assert again == made and again.stat().st_ino == number
    for name in "bcd":
        cut_first_rows(state, put(f"{name}.arff", ARFF))
    kept = list((state.folder.hidden / "cache").iterdir())
    assert len(kept) == 2 and all(one.suffix == ".arff" for one in kept)


def test_small_files_and_other_formats_are_read_whole(state, put, monkeypatch):
    assert not needs_cut(put("a.csv", "x,y\n1,2\n"))
    monkeypatch.setattr(first_rows, "MAX_WHOLE", 10_000)
    assert not needs_cut(put("a.arff", ARFF))


def test_a_damaged_file(state, put):
    damaged = gzip.compress(ARFF.encode())[:60]
    with pytest.raises(InputError, match="is damaged"):
        open_rows(state, put("a.arff.gz", damaged))
