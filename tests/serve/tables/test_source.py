"""References of tables: files of the folder, and bundled sets."""

import pytest

pytest.importorskip("starlette")
from manyminds.serve.folder import ServedFolder
from manyminds.serve.tables.source import find_source_in
from manyminds.utils.errors import InputError, MissingFileError


def test_a_file_and_its_schema(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.csv.gz").write_text("x")
    source = find_source_in(ServedFolder(tmp_path), "sub/a.csv.gz")
    path = (tmp_path / "sub" / "a.csv.gz").resolve()
    assert (source.ref, source.name, source.label) == ("sub/a.csv.gz", "a.csv.gz", "a")
    assert source.argument == str(path) and source.format == "text"
    assert source.schema == path.with_name("a.schema.json")


def test_a_bundled_set(tmp_path):
    source = find_source_in(ServedFolder(tmp_path), "bundled:wine")
    assert (source.argument, source.format, source.schema) == ("wine", "bundled", None)
    with pytest.raises(MissingFileError, match="No bundled data set"):
        find_source_in(ServedFolder(tmp_path), "bundled:../x")


def test_what_is_no_table(tmp_path):
    (tmp_path / "a.py").write_text("x")
    with pytest.raises(InputError, match="is not a table"):
        find_source_in(ServedFolder(tmp_path), "a.py")
    for ref in ("", "absent.csv", "../x.csv"):
        with pytest.raises(MissingFileError):
            find_source_in(ServedFolder(tmp_path), ref)


def test_a_sparse_file_has_no_schema(tmp_path):
    (tmp_path / "a.svm").write_text("1 1:2\n")
    source = find_source_in(ServedFolder(tmp_path), "a.svm")
    assert source.format == "svmlight" and source.schema is None
