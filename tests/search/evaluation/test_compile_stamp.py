import pytest

from manyminds.search.evaluation import compile_stamp


@pytest.fixture
def folder(monkeypatch, tmp_path):
    monkeypatch.setattr(compile_stamp, "find_cache_folder", lambda: tmp_path)
    return tmp_path


def test_lines_are_added_once(folder):
    assert compile_stamp.read_stamp() == set()
    compile_stamp.add_to_stamp({"rf classification"})
    compile_stamp.add_to_stamp({"gb regression", "rf classification"})
    assert compile_stamp.read_stamp() == {"rf classification", "gb regression"}
    assert len(list(folder.iterdir())) == 1


def test_another_build_has_another_stamp(folder, monkeypatch):
    compile_stamp.add_to_stamp({"rf classification"})
    monkeypatch.setattr(compile_stamp, "identify_build", lambda: "other")
    assert compile_stamp.read_stamp() == set()


def test_a_damaged_stamp_counts_as_none(folder):
    compile_stamp.add_to_stamp({"rf classification"})
    next(folder.iterdir()).write_bytes(b"\xff\xfe\x00")
    assert compile_stamp.read_stamp() == set()


def test_without_a_cache_there_is_no_stamp(monkeypatch):
    monkeypatch.setattr(compile_stamp, "find_cache_folder", lambda: None)
    compile_stamp.add_to_stamp({"rf classification"})
    assert compile_stamp.read_stamp() == set()
