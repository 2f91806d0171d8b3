"""Files are written whole or not at all, and failures name the file."""

import os

import pytest

from manyminds.utils.files import open_atomically, write_atomically


def test_a_file_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "page.html"
    write_atomically(path, b"old")
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"

    def stop(*_):
        raise OSError("the disk is full")

    monkeypatch.setattr(os, "replace", stop)
    with pytest.raises(OSError, match="the disk is full"):
        write_atomically(path, b"newer")
    assert path.read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["page.html"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such rights")
def test_a_file_can_be_read_by_those_who_may(tmp_path):
    (tmp_path / "plain").write_bytes(b"")
    write_atomically(tmp_path / "page.html", b"")
    rights = [(tmp_path / name).stat().st_mode for name in ("plain", "page.html")]
    assert rights[0] == rights[1]


def test_a_file_that_cannot_be_written_is_named(tmp_path, monkeypatch):
    with pytest.raises(FileNotFoundError, match=r"there is no folder .*gone"):
        write_atomically(tmp_path / "gone" / "page.html", b"")

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match=r"page\.html cannot be written: No space left"):
        write_atomically(tmp_path / "page.html", b"")
    assert os.listdir(tmp_path) == []


def test_an_interrupt_leaves_no_temporary_file(tmp_path, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(tmp_path / "page.html", b"")
    assert os.listdir(tmp_path) == []


def test_an_error_in_the_block_leaves_no_file(tmp_path):
    with pytest.raises(PermissionError, match="other"):
        with open_atomically(tmp_path / "rows.csv") as file:
            file.write(b"half")
            raise PermissionError(13, "no", str(tmp_path / "other"))
    assert os.listdir(tmp_path) == []
