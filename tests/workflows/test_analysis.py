"""A table is analyzed as the command analyzes it."""

import json

import pytest

from manyminds.datasets import load_dataset
from manyminds.reports import summarize_data, to_plain
from manyminds.workflows import run_analysis


@pytest.mark.slow
def test_the_summary_and_its_files(tmp_path):
    data = load_dataset("iris")
    steps = []
    result = run_analysis(data, out=tmp_path / "a", on_progress=steps.append)
    assert to_plain(result.summary) == to_plain(summarize_data(data))
    assert [file.name for file in result.files] == ["analysis.html", "analysis.json"]
    written = json.loads(result.files[1].read_text())
    assert written == json.loads(json.dumps(to_plain(result.summary)))
    assert "describe columns" in steps


def test_nothing_is_written_without_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run_analysis("iris").files == ()
    assert list(tmp_path.iterdir()) == []
