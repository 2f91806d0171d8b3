"""A file must be the table that its name promises, and unpack to a limited size."""

import gzip
import zipfile

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("starlette")
from manyminds.serve.upload_checks import check_content, check_suffix
from manyminds.utils.errors import InputError

LIMIT = 1_000_000


def check(tmp_path, name, content):
    path = tmp_path / "upload.part"
    path.write_bytes(content)
    check_content(path, name, LIMIT)


@pytest.mark.parametrize(
    "name", ["a.csv", "a.TSV", "a.csv.gz", "a.parquet", "a.xlsx", "a.arff", "a.svm.gz"]
)
def test_tables_are_taken(name):
    check_suffix(name)


@pytest.mark.parametrize(
    "name",
    [
        "a",
        "a.pkl",
        "a.csv.zip",
        "a.parquet.gz",
        "a.xlsx.gz",
        "a.gz",
        ".csv.exe",
        "a.html",
    ],
)
def test_other_files_are_refused(name):
    with pytest.raises(InputError, match=r"A table ends in \.csv"):
        check_suffix(name)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "is empty"),
        (b"PK\x03\x04rest", "a zip archive"),
        (b"\x80\x04\x95rest", "a pickle, which is never loaded"),
        (b"\x7fELFrest", "a program"),
        (b"a,b\n1,\x00\n", "binary data"),
        (gzip.compress(b"a,b\n1,2\n", mtime=0), "gzipped"),
    ],
    ids=["empty", "zip", "pickle", "program", "binary", "gzip"],
)
def test_what_is_no_text(tmp_path, content, why):
    with pytest.raises(InputError, match=why):
        check(tmp_path, "a.csv", content)


def test_text_in_any_alphabet_is_taken(tmp_path):
    check(tmp_path, "a.csv", "größe,色\n1,2\n".encode())
    check(tmp_path, "a.csv", "größe\n1\n".encode("latin-1"))
    check(tmp_path, "a.csv", "a,b\n1,2\n".encode("utf-16"))


def test_a_small_file_that_unpacks_to_much_is_refused(tmp_path):
    bomb = gzip.compress(b"0" * (LIMIT + 1))
    assert len(bomb) < 5_000
    with pytest.raises(InputError, match=r"unpacks to more than 1\.0 MB"):
        check(tmp_path, "a.csv.gz", bomb)
    check(tmp_path, "a.csv.gz", gzip.compress(b"a,b\n" + b"1,2\n" * 1000))


def test_damaged_gzip(tmp_path):
    for content in (b"a,b\n1,2\n", gzip.compress(b"a,b\n1,2\n" * 99)[:-12]):
        with pytest.raises(InputError, match="not gzipped, or damaged"):
            check(tmp_path, "a.csv.gz", content)


def make_zip(path, **parts):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name.replace("__", "/"), content)
    return path.read_bytes()


def test_spreadsheets(tmp_path):
    pytest.importorskip("openpyxl")
    frame = pd.DataFrame({"a": [1, 2], "b": ["x", "y"]})
    frame.to_excel(tmp_path / "good.xlsx", index=False)
    check(tmp_path, "good.xlsx", (tmp_path / "good.xlsx").read_bytes())
    with pytest.raises(InputError, match="not a spreadsheet, or damaged"):
        check(tmp_path, "a.xlsx", b"a,b\n")
    with pytest.raises(InputError, match="not a spreadsheet of the format XLSX"):
        check(tmp_path, "a.xlsx", make_zip(tmp_path / "z.zip", other="x"))
    parts = {
        "[Content_Types].xml": "x",
        "xl/workbook.xml": "x",
        "xl/s.xml": b"0" * LIMIT,
    }
    bomb = make_zip(tmp_path / "bomb.zip", **parts)
    with pytest.raises(InputError, match="unpacks to more than"):
        check(tmp_path, "a.xlsx", bomb)


def test_parquet(tmp_path):
    pytest.importorskip("pyarrow")
    small = pd.DataFrame({"a": np.arange(5.0)})
    small.to_parquet(tmp_path / "s.parquet")
    check(tmp_path, "s.parquet", (tmp_path / "s.parquet").read_bytes())
    for content in (b"PAR1", b"PAR1 no PAR1", b"a,b\n1,2\n"):
        with pytest.raises(InputError, match="not Parquet, or damaged"):
            check(tmp_path, "s.parquet", content)
    rng = np.random.default_rng(0)
    pd.DataFrame({"a": rng.normal(size=200_000)}).to_parquet(tmp_path / "l.parquet")
    with pytest.raises(InputError, match="unpacks to more than"):
        check(tmp_path, "l.parquet", (tmp_path / "l.parquet").read_bytes())
