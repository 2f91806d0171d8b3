"""The page of an analysis is whole, safe and on its own."""

import json
import re
from dataclasses import replace

import pytest

from manyminds.analysis import Pitfall
from manyminds.reports import to_plain
from manyminds.reports.data import page as source
from manyminds.reports.data.page import render_data_page, write_analysis


@pytest.mark.slow
def test_the_page_needs_nothing_else(summary, tmp_path):
    files = write_analysis(summary, tmp_path / "look", command="manyminds analyze x")
    assert [file.name for file in files] == ["analysis.html", "analysis.json"]
    page = files[0].read_text(encoding="utf-8")
    assert "<h1>cats &amp; dogs</h1>" in page and "&lt;b&gt;&amp;$x$" in page
    assert "<b>" not in page and "<script" not in page
    assert not re.search(r'(src|href)="(?!#)', page)
    assert page.count("<svg") == 3 and "manyminds analyze x" in page
    assert "<td>17</td>" in page  # the hardest row
    assert json.loads(files[1].read_text(encoding="utf-8")) == to_plain(summary)


def test_what_was_not_computed_has_no_figure(summary):
    bare = replace(summary, columns=(), score=None, complexity=None)
    page = render_data_page(bare)
    assert page.count("<svg") == 1 and ">None<" not in page


def test_the_table_of_columns_is_cut(summary, monkeypatch):
    monkeypatch.setattr(source, "MAX_COLUMNS", 1)
    page = re.sub(r"<svg.*?</svg>", "", render_data_page(summary), flags=re.S)
    assert "noise" in page and "&lt;b&gt;" not in page


def test_control_characters_of_names_are_escaped(summary):
    page = render_data_page(replace(summary, name="a\x1b[2Jb"))
    assert "\x1b" not in page and r"a\x1b[2Jb" in page


def test_pitfalls_have_a_section_if_there_are_any(summary):
    assert "Warnings" not in render_data_page(summary)
    one = Pitfall("leak", "<fee>", "<fee> is the target", "use {}", "drop", True)
    page = render_data_page(replace(summary, pitfalls=(one,)))
    assert "&lt;fee&gt; is the target; use --drop &#39;&lt;fee&gt;&#39;." in page
