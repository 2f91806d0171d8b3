"""The page of a comparison is whole, safe, and on its own."""

import os
from html.parser import HTMLParser
from xml.etree import ElementTree

import pandas as pd
import pytest
from numpy.testing import assert_allclose

from manyminds.experiments import Record
from manyminds.reports import (
    draw_scores,
    render_page,
    summarize,
    to_svg,
    write_report,
)

NASTY = "<script>alert('1')</script> & [red]b"


class _Tags(HTMLParser):
    """List the tags of a page, and check that each is closed where it must be."""

    def __init__(self):
        super().__init__()
        self.open, self.seen, self.links = [], [], []

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        self.links += [v for k, v in attrs if k in ("src", "href", "xlink:href") and v]
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.append(tag)
        self.links += [v for k, v in attrs if k in ("src", "href", "xlink:href") and v]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def read(page):
    tags = _Tags()
    tags.feed(page)
    assert tags.open == []
    return tags


@pytest.mark.slow
@pytest.mark.parametrize("n_datasets", [1, 4])
@pytest.mark.parametrize("methods", [("rf",), ("rf", "tree"), ("rf", "tree", NASTY)])
def test_pages_are_whole_and_need_nothing_else(seed, n_datasets, methods, make_records):
    summary = summarize(make_records(seed, n_datasets, methods))
    page = render_page(summary, title=NASTY, command=f"compare {NASTY}")
    tags = read(page)
    assert "script" not in tags.seen and "link" not in tags.seen
    assert "<script>" not in page
    assert all(link.startswith("#") for link in tags.links)
    has_diagram = n_datasets > 1 and len(methods) > 2
    assert tags.seen.count("svg") == 1 + has_diagram


@pytest.mark.slow
def test_the_page_has_the_numbers(seed, make_records):
    summary = summarize(make_records(seed, failing=True), missing={"gone": "no file"})
    page = render_page(summary, command="manyminds compare x")
    for cell in summary.cells:
        assert f"{cell.mean:.3f} ± {cell.std:.3f}" in page
    for rank in summary.average_ranks.values():
        assert f"<td>{rank:.2f}</td>" in page
    assert "Failures" in page and "1 of 5" in page and "no file" in page
    assert "manyminds compare x" in page and "manyminds 1.0" in page
    assert "Failures" not in render_page(summarize(make_records(seed)))


@pytest.mark.slow
def test_a_method_that_failed_everywhere_has_its_place(seed, make_records):
    records = [r for r in make_records(seed) if r.method != "rf"]
    records += [
        Record(f"x{i}", "data 0", "rf", 0, i, error="ValueError: no") for i in range(5)
    ]
    page = render_page(summarize(records))
    read(page)
    assert ">failed</span>" in page


@pytest.mark.slow
def test_a_report_is_four_files(tmp_path, seed, make_records):
    records = make_records(seed)
    paths = write_report(summarize(records), records, tmp_path / "new" / "folder")
    assert [path.name for path in paths] == [
        "report.html",
        "scores.csv",
        "comparison.svg",
        "comparison.png",
    ]
    assert sorted(os.listdir(paths[0].parent)) == sorted(path.name for path in paths)
    scores = pd.read_csv(paths[1])
    assert len(scores) == len(records)
    assert_allclose(scores["accuracy"], [r.values["accuracy"] for r in records])
    read(paths[0].read_text(encoding="utf-8"))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Glyph")
def test_control_characters_are_shown_in_letters(seed, make_records):
    methods = ("rf", "tree", "a\x1b[2J\x07\x9bb")
    summary = summarize(make_records(seed, methods=methods))
    page = render_page(summary)
    svg = to_svg(draw_scores(summary))
    ElementTree.fromstring(svg)
    for text in (page, svg):
        assert not {"\x1b", "\x07", "\x9b"} & set(text)
    assert r"a\x1b[2J\x07\x9bb" in page
