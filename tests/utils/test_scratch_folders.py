"""Folders end with their block, or with the next one if their process was killed."""

import os
import signal
import subprocess
import sys
import tempfile

import pytest

from manyminds.utils.scratch_folders import OWNER, PREFIX, scratch_folder

CHILD = """
import time
from manyminds.utils.scratch_folders import scratch_folder
with scratch_folder() as folder:
    print(folder, flush=True)
    time.sleep(60)
"""


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_a_folder_is_private_and_ends_with_its_block(place):
    with pytest.raises(ValueError, match="in vain"), scratch_folder() as folder:
        assert folder.parent == place and folder.stat().st_mode & 0o777 == 0o700
        raise ValueError("in vain")
    assert not folder.exists()


def test_the_folder_of_a_living_process_stays():
    with scratch_folder() as first, scratch_folder() as second:
        assert first.exists() and second.exists() and first != second


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL here")
def test_the_folder_of_a_killed_process_is_removed_by_the_next(place):
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"TMPDIR": str(place)},
    )
    left = place / os.path.basename(child.stdout.readline().strip())
    child.kill()
    child.wait()
    child.stdout.close()
    assert (left / OWNER).exists()
    with scratch_folder():
        assert not left.exists()


def test_what_is_not_ours_stays(place):
    (place / f"{PREFIX}other").mkdir()  # has no owner, as that of another program
    real = place / "real"
    real.mkdir()
    (real / OWNER).write_text("nobody here")
    (place / f"{PREFIX}link").symlink_to(real)
    with scratch_folder():
        assert (place / f"{PREFIX}other").exists() and (real / OWNER).exists()
