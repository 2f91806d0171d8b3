"""Rows of all formats are the same cells."""

import gzip

import pandas as pd
import pytest

pytest.importorskip("starlette")
from manyminds.serve.tables import rows as rows_module
from manyminds.serve.tables.rows import open_rows
from manyminds.serve.tables.source import find_source
from manyminds.utils.errors import InputError

CSV = "size,color,class\n1.5,red,a\n,blue,b\n3,,a\n"
CELLS = [["1.5", "red", "a"], ["", "blue", "b"], ["3", "", "a"]]
ALL = slice(0, 99)


def read(state, source):
    rows = open_rows(state, source)
    return rows.names, rows.n_rows, rows.read(0, 99, ALL)


def test_text_also_gzipped(state, put):
    expected = (["size", "color", "class"], 3, CELLS)
    assert read(state, put("a.csv", CSV)) == expected
    assert read(state, put("a.csv.gz", gzip.compress(CSV.encode()))) == expected
    assert read(state, put("a.tsv", CSV.replace(",", "\t"))) == expected
    assert read(state, put("b.txt", CSV.replace(",", ";"))) == expected


def test_other_formats(state, put):
    frame = pd.DataFrame(
        {"size": [1.5, None, 3.0], "color": ["red", "blue", None], "class": list("aba")}
    )
    expected = (["size", "color", "class"], 3, CELLS)
    pytest.importorskip("openpyxl")
    assert (
        read(state, put("a.xlsx", lambda p: frame.to_excel(p, index=False))) == expected
    )
    arff = "@relation t\n@attribute size numeric\n@attribute color {red,blue}\n"
    arff += "@attribute class {a,b}\n@data\n1.5,red,a\n?,blue,b\n3,?,a\n"
    assert read(state, put("a.arff", arff)) == expected
    pytest.importorskip("pyarrow")
    source = put("a.parquet", lambda p: frame.to_parquet(p, row_group_size=2))
    assert read(state, source) == expected
    assert open_rows(state, source).read(1, 2, slice(0, 1)) == [[""], ["3"]]


def test_sparse_and_bundled(state, put):
    names, n_rows, cells = read(state, put("a.svm", "1 1:2 3:4\n0 2:5\n"))
    assert n_rows == 2 and cells == [["2", "0", "4"], ["0", "5", "0"]]
    names, n_rows, cells = read(state, find_source(state, "bundled:iris"))
    assert n_rows == 150 and names[-1] == "target" and cells[0][-1] == "Iris-setosa"


def test_pages_of_rows_and_columns(state, put):
    rows = open_rows(state, put("a.csv", CSV))
    assert rows.read(1, 1, slice(1, 3)) == [["blue", "b"]]
    assert rows.read(99, 5, ALL) == []


def test_a_changed_file_is_read_again(state, put):
    read(state, put("a.csv", CSV))
    assert read(state, put("a.csv", "x\n1\n"))[:2] == (["x"], 1)


def test_numbers_of_many_digits_are_rounded(state, put):
    text = "x,y,z\n0.30000000000000004,12345678901234567890,-1234.12345678901\n"
    cells = open_rows(state, put("a.csv", text)).read(0, 1, ALL)
    assert cells == [["0.3", "12345678901234567890", "-1234.1235"]]


def test_long_cells_are_shortened(state, put):
    rows = open_rows(state, put("a.csv", f"x\n{'y' * 1_000}\n"))
    assert len(rows.read(0, 1, ALL)[0][0]) == rows_module.MAX_CELL


def test_a_gzipped_file_is_unpacked_once_and_old_ones_are_removed(
    state, put, monkeypatch
):
    monkeypatch.setattr(rows_module, "N_UNPACKED", 2)
    for name in "abc":
        source = put(f"{name}.csv.gz", gzip.compress(f"{name}\n1\n".encode()))
        assert read(state, source)[0] == [name]
    assert len(list((state.folder.hidden / "cache").glob("*"))) == 2


def test_what_has_no_preview(state, put):
    state.upload_limit = 100
    bomb = put("a.csv.gz", gzip.compress(b"a\n" + b"1\n" * 500))
    with pytest.raises(InputError, match="too much for a preview"):
        open_rows(state, bomb)
    with pytest.raises(InputError, match="is damaged"):
        open_rows(state, put("b.csv.gz", gzip.compress(b"a\n1\n" * 9)[:-10]))
    assert list((state.folder.hidden / "cache").glob("*.part")) == []
