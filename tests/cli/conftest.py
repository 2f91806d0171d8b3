"""What tests of commands share: a folder of their own, and a call of the command."""

import pytest

from manyminds.cli.main import main


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Work in a folder of its own, whatever the environment says."""
    monkeypatch.chdir(tmp_path)
    for name in ("MANYMINDS_STORE", "MANYMINDS_DATA", "MANYMINDS_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def call(request, capsys, folder):
    """Run the command that the test's file names; give its exit code and its words."""

    def run(*words):
        try:
            main([request.module.COMMAND, *map(str, words)])
            code = 0
        except SystemExit as stop:
            code = stop.code or 0
        written = capsys.readouterr()
        return code, written.out, " ".join(written.err.split())

    return run
