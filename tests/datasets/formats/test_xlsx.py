"""Spreadsheets: the first sheet, typed cells, and clear errors."""

import datetime

import pytest

pytest.importorskip("openpyxl")
import openpyxl

from manyminds.datasets import TableError, read_features, read_table
from manyminds.datasets.formats.xlsx import read_xlsx


def write(path, *rows, second=()):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    if second:
        book.create_sheet("other").append(list(second))
    book.save(path)
    return path


def test_a_table_with_its_target(tmp_path):
    day = datetime.datetime(2024, 1, 31)
    path = write(
        tmp_path / "fruit.xlsx",
        ["weight", "color", "picked", "class"],
        [80, "red", day, "apple"],
        [None, "yellow", day, "lemon"],
        [],
        [90.5, None, day, "apple"],
        second=["not", "read"],
    )
    data = read_table(path)
    assert data.name == "fruit" and list(data.X) == ["weight", "color", "picked"]
    assert data.X["weight"].tolist()[::2] == [80.0, 90.5] and data.n_missing == 2
    assert data.y.tolist() == ["apple", "lemon", "apple"]
    assert data.X["picked"].dtype.kind == "M"
    assert read_features(path).shape == (3, 4)


def test_the_same_table_as_text_has_the_same_fingerprint(tmp_path):
    rows = [
        ["x", "color", "class"],
        [1.25, "red", "a"],
        [2, "blue", "b"],
        [3, "red", "a"],
    ]
    book = read_table(write(tmp_path / "t.xlsx", *rows))
    text = tmp_path / "t.csv"
    text.write_text("\n".join(",".join(map(str, row)) for row in rows))
    assert book.fingerprint == read_table(text).fingerprint


def test_unnamed_columns_without_values_are_left_out(tmp_path):
    path = write(
        tmp_path / "t.xlsx", ["a", None, "b"], [1, None, 2], [3, None, 4, None]
    )
    assert list(read_xlsx(path)) == ["a", "b"]


def test_errors(tmp_path):
    with pytest.raises(TableError, match="first sheet is empty"):
        read_xlsx(write(tmp_path / "empty.xlsx"))
    with pytest.raises(TableError, match="no name in the first row"):
        read_xlsx(write(tmp_path / "t.xlsx", ["a"], [1, 2]))
    with pytest.raises(ValueError, match="a"):
        read_xlsx(write(tmp_path / "twice.xlsx", ["a", "a"], [1, 2]))
    (tmp_path / "bad.xlsx").write_bytes(b"PK\x03\x04 no")
    with pytest.raises(TableError, match="damaged, or is not XLSX"):
        read_table(tmp_path / "bad.xlsx", target="a")
    with pytest.raises(ValueError, match="separator is for text files"):
        read_table(write(tmp_path / "s.xlsx", ["a"], [1]), target="a", separator=";")


def test_a_declared_size_is_not_believed(tmp_path):
    # A file may declare a million rows and columns; only those with cells are read.
    path = write(tmp_path / "t.xlsx", ["a", "b"], [1, 2])
    import zipfile

    with zipfile.ZipFile(path) as archive:
        parts = {one: archive.read(one) for one in archive.namelist()}
    sheet = "xl/worksheets/sheet1.xml"
    parts[sheet] = parts[sheet].replace(b'ref="A1:B2"', b'ref="A1:XFD1048576"')
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    assert read_xlsx(path).shape == (1, 2)


def test_a_part_that_is_longer_than_the_file_is_not_allocated(tmp_path):
    path = tmp_path / "t.xlsx"
    book = openpyxl.Workbook()
    book.active.append(["a", "target"])
    book.save(path)
    content = bytearray(path.read_bytes())
    directory = content.find(b"PK\x01\x02")
    content[directory + 20 : directory + 24] = (2**31 - 10).to_bytes(4, "little")
    path.write_bytes(content)
    with pytest.raises(TableError, match=r"^t\.xlsx.*parts are longer than the file"):
        read_table(path)


def test_a_damaged_part_is_explained_without_the_inside_of_openpyxl(tmp_path):
    import zipfile

    path, part = write(tmp_path / "t.xlsx", ["a", "b"], [1, 2]), "xl/styles.xml"
    with zipfile.ZipFile(path) as archive:
        parts = {one: archive.read(one) for one in archive.namelist()}
    color = b"<colors><indexedColors><rgbColor/></indexedColors></colors></styleSheet>"
    parts[part] = parts[part].replace(b"</styleSheet>", color)
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    with pytest.raises(TableError, match="not XLSX: a part is missing"):
        read_xlsx(path)
