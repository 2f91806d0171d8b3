"""The demo searches, writes its report, and goes on when it is run again."""

import pytest

from manyminds import demo
from manyminds.reports import read_search


@pytest.mark.slow
def test_demo_searches_and_then_goes_on(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = demo.list_words()
    assert words[words.index("--budget") + 1] == demo.BUDGET
    assert "--resume" not in words
    # As the demo, but by the number of trials, which no busy machine changes.
    quick = ["search", "iris", "--trials", "2", "--cv", "2", "--jobs", "1"]
    quick += ["--out", str(demo.FOLDER)]
    monkeypatch.setattr(demo, "list_words", lambda: quick)
    demo.main()
    printed = capsys.readouterr().out
    page = tmp_path / demo.FOLDER / "report.html"
    assert page.as_uri() in printed and page.is_file()
    assert "$ manyminds search iris" in printed
    assert printed.rstrip().endswith("manyminds serve")
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    assert demo.list_words()[-1] == "--resume"
    assert read_search(demo.FOLDER).n_trials == 2


def test_demo_leaves_with_the_code_of_what_failed(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert demo.call(["search", "irsi"]) == 2
    assert "iris" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
