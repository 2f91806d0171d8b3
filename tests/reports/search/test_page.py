"""The report of a search: right numbers, one whole page, whatever the table is like."""

import html
import re
import shutil
import subprocess
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from manyminds.datasets import Dataset, from_arrays, load_dataset, read_table
from manyminds.persistence import save_model
from manyminds.reports.search.decisions import OneClass
from manyminds.reports.search.page import render_search_page
from manyminds.reports.search.prediction_errors import measure_class_errors
from manyminds.reports.search.summary import (
    detail_search,
    read_member_predictions,
    summarize_search,
)
from manyminds.reports.shared.formatting import format_value
from manyminds.search import (
    ComplexModelSearchClassifier,
    ComplexModelSearchRegressor,
    default_space,
)
from manyminds.trees import DecisionTreeClassifier

NASTY = "<script>alert('1')</script> & $x_"
QUICK = ("nb", "lda", "logistic", "ridge")


def search_quickly(data, seed, folder=None, learners=QUICK, n_trials=3):
    """Search for real, among learners that are quick."""
    kinds = {
        "classification": ComplexModelSearchClassifier,
        "regression": ComplexModelSearchRegressor,
    }
    space = default_space(data.task)
    names = [one.name for one in space.learner if one.name in learners]
    return kinds[data.task](
        None,
        n_trials=n_trials,
        cv=2,
        space=space.only("learner", *names),
        storage=None if folder is None else str(folder / "study.sqlite"),
        random_state=seed,
    ).fit(data.X, data.y)


@cache
def render(kind, seed):
    """Search on a table of some kind once, and tell all about it."""
    data = make_table(kind, seed)
    wide = kind == "many columns"
    learners, n_trials = (("nb",), 1) if wide else (QUICK, 3)
    search = search_quickly(data, seed, learners=learners, n_trials=n_trials)
    summary = summarize_search(search, data, seed=seed, command=f"run {NASTY}")
    details = detail_search(search, data, seed=seed)
    page = render_search_page(summary, details, folder="f")
    return data, search, summary, details, page


class _Tags(HTMLParser):
    """List the tags of a page, and check that each is closed where it must be."""

    def __init__(self):
        super().__init__()
        self.open, self.seen, self.links = [], [], []

    def handle_starttag(self, tag, attrs):
        self.handle_startendtag(tag, attrs)
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.append(tag)
        names = ("src", "href", "xlink:href")
        self.links += [value for name, value in attrs if name in names and value]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def check_page(page, n_figures):
    """Check that a page is whole and needs nothing else."""
    tags = _Tags()
    tags.feed(page)
    assert tags.open == []
    assert "script" not in tags.seen and "link" not in tags.seen
    assert all(link.startswith(("#", "data:image/png")) for link in tags.links)
    assert "url(http" not in page and "@import" not in page
    assert tags.seen.count("svg") == n_figures
    assert "nan" not in re.sub(r"<svg.*?</svg>", "", page, flags=re.S).lower().split()


def make_table(kind, seed):
    rng = np.random.default_rng(seed)
    if kind == "26 classes":
        y = np.array(list("abcdefghijklmnopqrstuvwxyz") * 8)
        X = rng.normal(size=(208, 3)) + 3 * (np.arange(208) % 26)[:, None]
        return from_arrays(X, y, name="letters")
    if kind == "one column":
        y = np.array(["no", NASTY] * 30)
        return from_arrays(rng.normal(size=(60, 1)), y, name=NASTY)
    if kind == "many columns":
        y = np.arange(30) % 2
        return from_arrays(rng.normal(size=(30, 100_000)), y, name="wide")
    if kind == "gaps":
        y = np.arange(90) % 3
        frame = pd.DataFrame({NASTY: rng.normal(size=90) + y, "b": rng.normal(size=90)})
        frame.loc[::5, NASTY] = np.nan
        hues = rng.choice(["red", "<b>"], size=90)
        frame["hue"] = pd.Categorical(np.where(y == 0, "blue", hues))
        frame.loc[::11, "hue"] = np.nan
        return Dataset("gaps", frame, y, "classification")
    return load_dataset("diabetes-progression")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "n_figures"),
    [
        ("26 classes", 7),
        ("one column", 7),
        ("many columns", 6),
        ("gaps", 7),
        ("numbers", 5),
    ],
)
def test_pages_are_whole_whatever_the_table(kind, n_figures, seed):
    data, _, summary, details, page = render(kind, seed)
    figures = n_figures + ("Selection frequencies of the columns" in page)
    check_page(page, figures)
    assert "<script>" not in page and "<b>" not in page
    assert format_value(summary.honest.score) in page
    assert format_value(summary.honest.naive) in page
    for row in summary.leaderboard:
        assert format_value(row.score) in page
    if data.task == "classification":
        for label in details.classes.labels:
            assert f">{label.replace('&', '&amp;')}<" in page or label == NASTY
        assert f"{details.classes.n_wrong:,} of {data.n_samples:,} rows" in page
    assert 'load_model("f")' in page


@pytest.mark.slow
def test_a_committee_is_shown_with_its_differences(tmp_path, seed):
    data = load_dataset("iris")
    search = search_quickly(data, seed, tmp_path)
    # Whether a committee is worth it depends on the folds: here it is made by hand.
    shares = [0.5, 0.3, 0.2]
    search.weights_ = list(zip(search.leaderboard_["pipeline"], shares))
    search.committee_ = search.best_model_
    made = read_member_predictions(search)
    codes = np.searchsorted(search.classes_, data.y)
    for one, score in zip(made, search.leaderboard_["score"]):
        assert_allclose((one.argmax(axis=1) == codes).mean(), score)
    search.oof_predictions_ = np.tensordot(shares, np.stack(made), 1)
    summary = summarize_search(search, data)
    details = detail_search(search, data, member_predictions=made)
    page = render_search_page(summary, details)
    check_page(page, 7)
    assert "Diversity of the members" in page and "50.0%" in page
    assert [member.weight for member in summary.members] == shares
    right = (search.oof_predictions_.argmax(axis=1) == codes).mean()
    assert_allclose(details.diversity.committee, right)
    search.storage = None
    assert read_member_predictions(search) == []


def test_an_unknown_score_is_no_number_of_the_page(summary, details):
    nan = float("nan")
    honest = replace(summary.honest, score=nan, low=nan, high=nan, reason="too rare")
    page = render_search_page(replace(summary, honest=honest), details)
    assert "too rare" in page
    assert "None" not in page and ">nan<" not in page


def test_important_columns_have_a_section_if_there_are_any(summary, details):
    assert "Important columns" in render_search_page(summary, details)
    without = replace(summary, importance=())
    assert "Important columns" not in render_search_page(without, details)


def test_missing_importance_is_explained(summary, details):
    note = "The importance of columns is unknown: no time was left for it."
    page = render_search_page(
        replace(summary, importance=(), importance_note=note), details
    )
    assert "Important columns" in page and note in page


def test_decisions_and_models_of_one_class_are_in_the_page(summary, details):
    weights, found = {"a": 0.5, "b": 2.0}, OneClass("a", 1.0, 0.8)
    shown = replace(summary, class_weights=weights, one_class=found)
    page = render_search_page(shown, details)
    assert "decisions were tuned for accuracy" in page
    assert '<p class="bad">The model predicts a for 100.0%' in page
    assert "tuned" not in render_search_page(summary, details)


def test_shares_of_classes_are_those_of_the_tested_rows(summary, details):
    # The table has 1,200 rows, of which four were tested.
    page = render_search_page(replace(summary, n_tested=4), details)
    assert '<td class="left">a</td><td>2</td>\n<td>50.0%</td>' in page


def test_of_many_classes_the_page_names_those_that_it_lists(summary, details):
    classes = np.array([f"c{i:02d}" for i in range(70)])
    codes = np.arange(70)
    made = np.eye(70)[np.where(codes < 65, codes, 0)]  # the last five are never found
    errors = measure_class_errors(made, codes, classes)
    page = render_search_page(summary, replace(details, classes=errors))
    assert "The 60 classes of 70 with the lowest recall." in page
    assert page.index(">c69<") < page.index(">c01<") and ">c64<" not in page
    assert "with the lowest recall" not in render_search_page(summary, details)


def test_a_sampled_map_is_described_in_whole_sentences(summary, details):
    found = replace(details.complexity, note="5 of the 12 columns")
    page = render_search_page(summary, replace(details, complexity=found))
    assert "than another model. Measured on 5 of the 12 columns." in page


@pytest.mark.parametrize(
    ("head", "row"),
    [
        ("size;kind", "1.234,5;a"),
        ("size\tkind", "1234.5\ta"),
        ("size,kind", "1234.5,a"),
    ],
)
def test_the_lines_of_the_page_predict_whatever_the_command_reads(
    tmp_path, monkeypatch, summary, details, head, row
):
    monkeypatch.chdir(tmp_path)
    other = row.replace("34", "99").replace("a", "b")
    text = "\n".join([head, *[row, other] * 10])
    (tmp_path / "new.csv").write_text(f"{text}\n")
    data = read_table("new.csv", target="kind")
    tree = DecisionTreeClassifier().fit(data.X, data.y)
    save_model("model.skops", tree, data, target="kind")
    page = render_search_page(summary, details, folder=".")
    shown = re.search(r"Use the model</h2>\s*<pre>(.*?)</pre>", page, re.S)[1]
    lines = html.unescape(shown)
    known = {}
    exec(lines.replace("model.predict_table", "made = model.predict_table"), known)
    assert known["made"]["prediction"].tolist() == ["a", "b"] * 10


# ------------------------------------------------------------------ a browser

PROBE = """<script>
const drawn = [...document.querySelectorAll("figure svg")].filter(
  (one) => one.getBoundingClientRect().width > 100 && one.querySelector("path"));
const asked = performance.getEntriesByType("resource").filter(
  (one) => !one.name.startsWith("data:"));
document.title = `drawn ${drawn.length} asked ${asked.length}`
  + ` wide ${document.documentElement.scrollWidth > window.innerWidth}`;
</script></body>"""


def test_a_browser_shows_the_page_by_itself(tmp_path, seed):
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("No Chromium is installed.")
    page = render("gaps", seed)[-1]
    file = tmp_path / "report.html"
    file.write_text(page.replace("</body>", PROBE), encoding="utf-8")
    done = subprocess.run(
        [
            browser,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--enable-logging=stderr",
            "--window-size=1200,2000",
            "--host-resolver-rules=MAP * ~NOTFOUND",
            f"--user-data-dir={tmp_path / 'profile'}",
            "--dump-dom",
            file.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    if done.returncode != 0:
        pytest.skip(f"Chromium does not start here: {done.stderr[-300:]}")
    n_figures = page.count("<figure")
    title = re.search(r"<title>(.*?)</title>", done.stdout)[1]
    assert title == f"drawn {n_figures} asked 0 wide false"
    assert ":CONSOLE" not in done.stderr
