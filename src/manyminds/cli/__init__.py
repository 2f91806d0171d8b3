"""The command line: one file per command, each of which calls one public function."""

from manyminds.cli.main import main

__all__ = ["main"]
