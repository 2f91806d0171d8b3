"""A selection is a table and a figure in a folder."""

from xml.etree import ElementTree

import pandas as pd
import pytest

from manyminds.reports.selection import files
from manyminds.reports.selection.files import write_selection
from manyminds.reports.selection.summary import list_frequencies
from manyminds.reports.shared.figures import new_figure


@pytest.fixture
def drawn(monkeypatch):
    """Draw an empty figure, and note for what."""
    calls = []

    def draw(*arguments):
        calls.append(arguments)
        return new_figure((1, 1))

    monkeypatch.setattr(files, "draw_frequencies", draw)
    return calls


def test_a_table_and_a_figure_are_written(selector, drawn, tmp_path):
    frequencies = list_frequencies(selector, ["a", "größe, m", "c"])
    paths = write_selection(selector, frequencies, tmp_path / "new" / "folder")
    assert [path.name for path in paths] == ["selection.csv", "stability.svg"]
    again = pd.read_csv(paths[0], encoding="utf-8")
    pd.testing.assert_frame_equal(again, frequencies, check_dtype=False)
    assert ElementTree.parse(paths[1]).getroot().tag.endswith("svg")
    [(drawn_for, shown)] = drawn
    assert drawn_for is selector and shown is frequencies


def test_earlier_files_are_replaced_and_others_stay(selector, drawn, tmp_path):
    for name in ("selection.csv", "notes.txt"):
        (tmp_path / name).write_text("old")
    write_selection(selector, list_frequencies(selector, ["a", "b", "c"]), tmp_path)
    assert (tmp_path / "selection.csv").read_text().startswith("column,frequency,")
    assert (tmp_path / "notes.txt").read_text() == "old"
