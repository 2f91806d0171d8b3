"""Text files of separated cells are read as they are written."""

import csv
import gzip
import tracemalloc

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from manyminds.datasets import TableError, read_table
from manyminds.datasets.columns import MISSING_VALUES
from manyminds.datasets.formats import delimited
from manyminds.datasets.formats.delimited import iterate_delimited, read_delimited
from manyminds.datasets.formats.text_format import TextFormat, find_separator
from manyminds.datasets.schema import Schema


@pytest.fixture
def read(tmp_path):
    def write_and_read(text, name="t.csv", encoding="utf-8", **declared):
        content = text.encode(encoding)
        file = tmp_path / name
        file.write_bytes(gzip.compress(content) if name.endswith("gz") else content)
        declared.setdefault("missing", MISSING_VALUES)
        return read_delimited(file, Schema(**declared))

    return write_and_read


@pytest.mark.parametrize(
    ("header", "separator"),
    [("a,b,c", ","), ("a;b;c", ";"), ("a\tb", "\t"), ("a", ","), ('"x;y;z",b', ",")],
)
def test_the_separator(header, separator):
    assert find_separator(header) == separator


@pytest.mark.parametrize(
    ("name", "separator"),
    [
        ("t.csv", ","),
        ("t.csv.gz", ";"),
        ("t.tsv", "\t"),
        ("t.txt", "\t"),
        ("t.txt", ";"),
    ],
)
def test_all_separators_give_the_same(read, name, separator):
    rows = [["a", "b", "target"], ["1.5", "x y", "0"], ["", " z", "1"]]
    text = "\n".join(separator.join(row) for row in rows) + "\n"
    frame = read(text, name)
    assert list(frame.columns) == ["a", "b", "target"]
    assert_array_equal(frame["a"], [1.5, np.nan])
    assert frame["b"].tolist() == ["x y", "z"]
    assert frame["target"].tolist() == [0, 1]


def test_quotes_blanks_and_windows_lines(read):
    frame = read('"a, b", target\r\n"x, y", 1\r\n ?, 2\r\n')
    assert list(frame.columns) == ["a, b", "target"]
    assert frame["a, b"].tolist() == ["x, y", np.nan]


def test_declared_categories_stay_as_the_file_has_them(read):
    text = "a,b,target\n01,1.0,0\n1,2,1\n"
    frame = read(text, categorical=["a"])
    assert frame["a"].tolist() == ["01", "1"]
    assert frame["b"].tolist() == [1.0, 2.0]
    frame = read(text, categorical="all")
    assert frame["b"].tolist() == ["1.0", "2"]
    assert frame["target"].tolist() == [0, 1]  # "all" means the features
    assert read(text, categorical=["target"])["target"].tolist() == ["0", "1"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_encodings(read, encoding):
    frame = read("größe,target\nweiß,1\nx,2\n", encoding=encoding)
    assert list(frame.columns) == ["größe", "target"]
    assert frame["größe"].tolist() == ["weiß", "x"]


def test_latin_1_far_from_the_beginning(read):
    rows = "x,1\n" * 100_000
    frame = read(f"a,target\n{rows}ß,2\n", encoding="latin-1")
    assert frame["a"].iloc[-1] == "ß"


def test_numbers_are_read_to_the_last_digit(read, seed):
    rng = np.random.default_rng(seed)
    numbers = rng.normal(size=500) * 10.0 ** rng.integers(-30, 30, 500)
    text = "a,target\n" + "".join(f"{number!r},0\n" for number in numbers.tolist())
    assert_array_equal(read(text)["a"], numbers)


def test_a_header_alone_is_a_table_without_rows(read):
    assert read("a,target\n").shape == (0, 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "a,target\n1,2,3\n",
            "t.csv: line . has 3 cells, more cells than the 2 of the header",
        ),
        ("a,target\n1,2\n1,2,3\n", "t.csv: line . has 3 cells, more cells than the 2"),
        ("a,a,target\n1,2,3\n", r"different names; twice: \['a'\]"),
        ("", "t.csv: the file is empty"),
        ("a,b\n1,2\n", "target must name the column"),
    ],
)
def test_what_is_wrong_with_a_file(read, text, message):
    with pytest.raises(ValueError, match=message):
        read(text)


def test_plain_tables_are_those_of_pandas(read, seed):
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(rng.normal(size=(50, 4)), columns=list("abcd"))
    table["target"] = rng.choice(["x", "y z"], 50)
    pd.testing.assert_frame_equal(read(table.to_csv(index=False)), table)


def test_cells_may_be_longer_than_python_likes(read):
    long = "x" * 200_000
    # The last cell is missing, so that lines are read again by Python's own reader.
    frame = read(f"{long[:150_000]},b,target\n{long},1,y\nz,2,\n")
    assert frame.iloc[0, 0] == long and len(frame.columns[0]) == 150_000


def test_codes_as_labels_keep_their_zeros(read):
    assert read("a,target\n1,01\n2,02\n")["target"].tolist() == ["01", "02"]
    assert read("a,target\n1,1\n2,2\n")["target"].tolist() == [1, 2]
    assert read("a,target\n1,TRUE\n2,false\n")["target"].tolist() == [True, False]


def test_a_short_row_is_named_by_its_line(tmp_path):
    file = tmp_path / "short.csv"
    file.write_text("a,b,class\n1,2,x\n3\n4,5,y\n")
    with pytest.raises(TableError, match=r"short\.csv: line 3 has 1 cells") as raised:
        read_table(file)
    assert (raised.value.file, raised.value.line) == ("short.csv", 3)


def test_a_long_row_is_named_by_its_line(tmp_path):
    file = tmp_path / "long.csv"
    file.write_text("a,b,class\n1,2,x\n3,4,y,5\n6,7,x\n")
    with pytest.raises(TableError, match=r"line 3 has 4 cells, more cells") as raised:
        read_table(file)
    assert (raised.value.file, raised.value.line) == ("long.csv", 3)


def test_missing_values_and_empty_lines_are_no_short_rows(tmp_path):
    file = tmp_path / "missing.csv"
    file.write_text("class,a,b\nx,1,2\n\ny,4,\n")
    data = read_table(file)
    assert data.n_samples == 2 and data.n_missing == 1


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_rows_are_read_some_at_a_time(tmp_path, encoding):
    rows = [f"{i},{i / 2},{'été' if i == 9 else 'hiver'}" for i in range(10)]
    path = tmp_path / "rows.csv"
    path.write_text("n,x,season\n" + "\n".join(rows) + "\n", encoding=encoding)
    declared = Schema(categorical=["season"], target="n")
    parts = list(iterate_delimited(path, declared, TextFormat(), n_rows=4))
    assert [len(part) for part in parts] == [4, 4, 2]
    pd.testing.assert_frame_equal(pd.concat(parts), read_delimited(path, declared))


def test_the_limit_of_cells_is_restored_whoever_leaves_last(tmp_path):
    file = tmp_path / "t.csv"
    file.write_text("a,b\n1,2\n")
    before = csv.field_size_limit()
    first, second = (delimited._open_rows(file, "utf-8", ",") for _ in range(2))
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert csv.field_size_limit() == delimited.MAX_CELL
    second.__exit__(None, None, None)
    assert csv.field_size_limit() == before


@pytest.mark.parametrize(("start", "unit"), [(b"", b"a"), (b"", b"a,"), (b'"', b"a\n")])
@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "t.tsv"])
def test_a_header_without_an_end_is_not_read_whole(
    tmp_path, monkeypatch, name, start, unit
):
    monkeypatch.setattr(delimited, "MAX_HEADER", 100_000)
    monkeypatch.setattr(delimited, "N_SHOWN", 1_000)
    content = start + unit * 10_000_000
    path = tmp_path / name
    path.write_bytes(gzip.compress(content, 1) if name.endswith("gz") else content)
    del content
    tracemalloc.start()
    try:
        with pytest.raises(TableError, match=r"t\..*more than 100,000 characters"):
            read_delimited(path, Schema())
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 5_000_000


def test_a_long_header_shows_its_separator_at_its_start(tmp_path, monkeypatch):
    monkeypatch.setattr(delimited, "N_SHOWN", 100)
    names = [f"column {number}" for number in range(1_000)]
    path = tmp_path / "wide.csv"
    path.write_text(";".join(names) + "\n" + ";".join(["1,5"] * 1_000) + "\n")
    table = read_delimited(path, Schema(target=0))
    assert list(table.columns) == names
    assert table["column 999"].tolist() == [1.5]
