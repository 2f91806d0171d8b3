"""Files are written whole or not at all, and failures name the file."""

import os
import stat
from pathlib import Path

import pytest

from manyminds.utils.errors import UserError, WriteError
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


def test_a_folder_that_refuses_files_is_named_with_the_file(tmp_path, monkeypatch):
    def refuse(path, *_):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(WriteError) as found:
        write_atomically(tmp_path / "page.html", b"")
    assert str(found.value) == (
        f"{tmp_path / 'page.html'} cannot be written: Permission denied."
    )


def test_a_parent_that_is_a_file_is_one_clear_error(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(UserError, match=r"page\.html cannot be written"):
        write_atomically(tmp_path / "file" / "page.html", b"")


def test_a_file_is_on_the_disk_before_it_gets_its_name(tmp_path, monkeypatch):
    steps, (sync, replace) = [], (os.fsync, os.replace)

    def note_sync(handle):
        status = os.fstat(handle)
        steps.append("folder" if stat.S_ISDIR(status.st_mode) else status.st_size)
        sync(handle)

    def note_replace(*paths):
        steps.append("replace")
        replace(*paths)

    monkeypatch.setattr(os, "fsync", note_sync)
    monkeypatch.setattr(os, "replace", note_replace)
    write_atomically(tmp_path / "page.html", b"12345")
    expected = [5, "replace", "folder"]
    assert steps == (expected[:2] if os.name == "nt" else expected)


def test_a_file_that_its_writer_closes_is_there(tmp_path):
    with open_atomically(tmp_path / "rows.csv") as file:
        file.write(b"a,b")
        file.close()
    assert (tmp_path / "rows.csv").read_bytes() == b"a,b"


def test_the_rights_of_other_threads_are_left_alone(tmp_path, monkeypatch):
    def fail(mask):
        raise AssertionError("the mask is of the whole process")

    monkeypatch.setattr(os, "umask", fail)
    write_atomically(tmp_path / "page.html", b"")
