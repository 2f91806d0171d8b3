"""Pages, figures and terminals show a summary: whole, safe, and on their own."""

import io
import os
from html.parser import HTMLParser
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from rich.console import Console

from manyminds.experiments import Record
from manyminds.reports import (
    draw_critical_difference,
    draw_scores,
    print_summary,
    render_page,
    summarize,
    to_png,
    to_svg,
    write_report,
)
from manyminds.utils.files import write_atomically

NASTY = "<script>alert('1')</script> & [red]b"


def make_records(seed, n_datasets=4, methods=("rf", "tree", NASTY), failing=False):
    rng = np.random.default_rng(seed)
    return [
        Record(
            f"{d}/{m}/{i}",
            f"data {d}",
            method,
            0,
            i,
            {} if failing and m == 0 and i == 0 else {"accuracy": rng.uniform()},
            f"ValueError: {NASTY}" if failing and m == 0 and i == 0 else None,
            0.01,
            "",
            f"{method}()",
            "",
            "manyminds 1.0",
        )
        for d in range(n_datasets)
        for m, method in enumerate(methods)
        for i in range(5)
    ]


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


@pytest.mark.parametrize("n_datasets", [1, 4])
@pytest.mark.parametrize("methods", [("rf",), ("rf", "tree"), ("rf", "tree", NASTY)])
def test_pages_are_whole_and_need_nothing_else(seed, n_datasets, methods):
    summary = summarize(make_records(seed, n_datasets, methods))
    page = render_page(summary, title=NASTY, command=f"compare {NASTY}")
    tags = read(page)
    assert "script" not in tags.seen and "link" not in tags.seen
    assert "<script>" not in page
    assert all(link.startswith("#") for link in tags.links)
    has_diagram = n_datasets > 1 and len(methods) > 2
    assert tags.seen.count("svg") == 1 + has_diagram


def test_the_page_has_the_numbers(seed):
    summary = summarize(make_records(seed, failing=True), missing={"gone": "no file"})
    page = render_page(summary, command="manyminds compare x")
    for cell in summary.cells:
        assert f"{cell.mean:.3f} ± {cell.std:.3f}" in page
    for rank in summary.average_ranks.values():
        assert f"<td>{rank:.2f}</td>" in page
    assert "Failures" in page and "1 of 5" in page and "no file" in page
    assert "manyminds compare x" in page and "manyminds 1.0" in page
    assert "Failures" not in render_page(summarize(make_records(seed)))


def test_a_method_that_failed_everywhere_has_its_place(seed):
    records = [r for r in make_records(seed) if r.method != "rf"]
    records += [
        Record(f"x{i}", "data 0", "rf", 0, i, error="ValueError: no") for i in range(5)
    ]
    page = render_page(summarize(records))
    read(page)
    assert ">failed</span>" in page


# ------------------------------------------------------------------ figures


def test_figures_are_pictures(seed):
    summary = summarize(make_records(seed))
    for figure in (draw_critical_difference(summary), draw_scores(summary)):
        file = to_svg(figure)
        assert ElementTree.fromstring(file).tag.endswith("svg")
        assert "currentColor" not in file
        inline = to_svg(figure, inline=True)
        assert inline.startswith("<svg") and "currentColor" in inline
        assert "#000000" not in inline
        assert to_png(figure).startswith(b"\x89PNG")


def test_the_same_summary_gives_the_same_figure(seed):
    summary = summarize(make_records(seed))
    assert to_svg(draw_scores(summary)) == to_svg(draw_scores(summary))


def test_scores_have_a_panel_per_data_set_and_a_point_per_fold(seed):
    summary = summarize(make_records(seed, n_datasets=5))
    panels = [ax for ax in draw_scores(summary).axes if ax.get_visible()]
    assert [ax.get_title(loc="left") for ax in panels] == list(summary.datasets)
    for ax in panels:
        points = [len(cloud.get_offsets()) for cloud in ax.collections]
        assert points == [5, 5, 5]


def test_crowds_of_points_do_not_swell_the_page(seed, monkeypatch):
    summary = summarize(make_records(seed))
    shapes = to_svg(draw_scores(summary))
    monkeypatch.setattr("manyminds.reports.comparison.figures.MAX_POINTS", 10)
    picture = to_svg(draw_scores(summary))
    assert "data:image/png;base64" in picture and "<image" not in shapes


def test_two_methods_have_no_diagram_of_critical_difference(seed):
    summary = summarize(make_records(seed, methods=("rf", "tree")))
    assert draw_critical_difference(summary) is None


# ------------------------------------------------------------------ files


def test_a_report_is_four_files(tmp_path, seed):
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


# ------------------------------------------------------------------ terminals


@pytest.mark.parametrize("n_datasets", [1, 4])
def test_the_terminal_has_the_numbers(seed, n_datasets):
    records = make_records(seed, n_datasets, failing=True)
    summary = summarize(records, missing={"gone": "no file"})
    console = Console(file=io.StringIO(), width=200)
    print_summary(summary, console)
    text = console.file.getvalue()
    for cell in summary.cells:
        assert f"{cell.mean:.3f} ± {cell.std:.3f}" in text
    assert NASTY in text  # and not taken for the markup of Rich
    assert "rf failed 1 of 5 folds on data 0: ValueError" in text
    assert "gone could not be loaded: no file" in text
    assert ("mean rank" in text) == (n_datasets > 1)


@pytest.mark.filterwarnings("ignore:Glyph")
def test_control_characters_are_shown_in_letters(seed):
    methods = ("rf", "tree", "a\x1b[2J\x07\x9bb")
    summary = summarize(make_records(seed, methods=methods))
    page = render_page(summary)
    svg = to_svg(draw_scores(summary))
    ElementTree.fromstring(svg)
    for text in (page, svg):
        assert not {"\x1b", "\x07", "\x9b"} & set(text)
    assert r"a\x1b[2J\x07\x9bb" in page


def test_a_file_that_cannot_be_written_is_named(tmp_path, monkeypatch):
    with pytest.raises(FileNotFoundError, match=r"there is no folder .*gone"):
        write_atomically(tmp_path / "gone" / "page.html", b"")

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match=r"page\.html cannot be written: No space left"):
        write_atomically(tmp_path / "page.html", b"")
    assert os.listdir(tmp_path) == []
