"""The report of a search: right numbers, one whole page, whatever the table is like."""

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
from sklearn.metrics import (
    cohen_kappa_score,
    precision_score,
    r2_score,
    recall_score,
    roc_auc_score,
)

from manyminds.datasets import Dataset, from_arrays, load_dataset
from manyminds.reports import to_plain
from manyminds.reports.search.complexity_map import map_complexity
from manyminds.reports.search.files import write_search
from manyminds.reports.search.folder import (
    SearchIdentity,
    open_search_folder,
    read_search,
)
from manyminds.reports.search.page import render_search_page
from manyminds.reports.search.prediction_errors import (
    measure_class_errors,
    measure_diversity,
    measure_number_errors,
)
from manyminds.reports.search.sentences import (
    describe_honest_score,
    describe_importance,
    describe_model,
    describe_naive_score,
    describe_selected_columns,
)
from manyminds.reports.search.summary import (
    detail_search,
    read_member_predictions,
    summarize_search,
)
from manyminds.reports.search.summary_types import MemberRow
from manyminds.reports.shared.formatting import format_value
from manyminds.search import (
    ComplexModelSearchClassifier,
    ComplexModelSearchRegressor,
    default_space,
)
from manyminds.search.evaluation.metrics import PredictionScorer

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


# ------------------------------------------------------------------ numbers


def test_errors_of_classes_worked_by_hand():
    told = np.array([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7], [0.4, 0.6]])
    errors = measure_class_errors(told, np.array([0, 1, 1, 0]), np.array(["a", "b"]))
    assert errors.counts == ((1, 1), (1, 1))
    assert errors.recalls == (0.5, 0.5) and errors.precisions == (0.5, 0.5)
    assert errors.n_wrong == 2
    assert [(c.label, c.predicted, c.n_rows) for c in errors.worst] == [
        ("a", "b", 1),
        ("b", "a", 1),
    ]
    # Of the four pairs of a b and an a, three are in order.
    (curve,) = errors.curves
    assert curve.label == "b" and curve.area == 0.75
    assert [one.predicted for one in errors.calibration] == [0.1, 0.2, 0.6, 0.7]
    assert [one.observed for one in errors.calibration] == [0.0, 1.0, 0.0, 1.0]
    assert_allclose(errors.calibration_error, (0.1 + 0.8 + 0.6 + 0.3) / 4)


def test_errors_of_classes_are_those_of_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    told = rng.dirichlet(np.ones(4), size=500)
    codes = np.concatenate([np.arange(4), rng.integers(4, size=496)])
    errors = measure_class_errors(told, codes, np.array(list("abcd")))
    made = told.argmax(axis=1)
    each = {"average": None, "zero_division": np.nan}
    assert_allclose(errors.recalls, recall_score(codes, made, average=None))
    assert_allclose(errors.precisions, precision_score(codes, made, **each))
    areas = roc_auc_score(codes, told, multi_class="ovr", average=None)
    assert_allclose([curve.area for curve in errors.curves], areas)
    assert all(len(curve.true_rates) <= 150 for curve in errors.curves)
    assert sum(one.n_rows for one in errors.calibration) == 500


def test_a_class_that_is_never_predicted_has_no_precision():
    told = np.array([[0.9, 0.1], [0.8, 0.2]])
    errors = measure_class_errors(told, np.array([0, 1]), np.array([0, 1]))
    assert np.isnan(errors.precisions[1]) and errors.recalls == (1.0, 0.0)


def test_errors_of_numbers(seed):
    rng = np.random.default_rng(seed)
    y = rng.normal(size=3_000)
    made = y + rng.normal(size=3_000)
    errors = measure_number_errors(made, y, seed=seed)
    assert_allclose(errors.r2, r2_score(y, made))
    assert_allclose(errors.rmse, np.sqrt(np.mean((made - y) ** 2)))
    assert len(errors.true) == 2_000 and sum(errors.heights) == 3_000
    row, true, predicted = errors.worst[0]
    assert abs(predicted - true) == np.abs(made - y).max()
    assert (y[row - 1], made[row - 1]) == (true, predicted)


def test_members_that_differ(seed):
    rng = np.random.default_rng(seed)
    codes = rng.integers(3, size=200)
    first, second = (rng.dirichlet(np.ones(3), size=200) for _ in range(2))
    members = [MemberRow(name, 1 / 3) for name in "abc"]
    measure = PredictionScorer("accuracy", "classification", np.arange(3))
    made = [first, second, first]
    found = measure_diversity(members, made, (first + second) / 2, codes, measure)
    a, b = first.argmax(axis=1), second.argmax(axis=1)
    assert_allclose(found.differences[0], [0.0, (a != b).mean(), 0.0])
    assert_allclose(found.kappas[0], [1.0, cohen_kappa_score(a, b), 1.0])
    assert_allclose(found.scores, [np.mean(one == codes) for one in (a, b, a)])
    y = rng.normal(size=50)
    measure = PredictionScorer("rmse", "regression")
    noise = rng.normal(size=50)
    made = [y + noise, y - noise]
    found = measure_diversity(members[:2], made, y, y, measure)
    assert_allclose(found.differences, [[0.0, 2.0], [2.0, 0.0]], atol=1e-9)
    assert found.kappas == () and found.committee == 0.0


def test_hard_rows_are_where_errors_are(seed):
    rng = np.random.default_rng(seed)
    x = rng.uniform(size=400)
    y = np.where(x < 0.5, "low", "high")
    flipped = (np.abs(x - 0.5) < 0.1) & (rng.random(400) < 0.5)
    y = np.where(flipped, np.where(y == "low", "high", "low"), y)
    data = from_arrays(x[:, None], y, name="toy")
    found = map_complexity(data, flipped, max_rows=300, seed=seed)
    assert len(found.mri) == 300 and found.axes[1] == ""
    assert "300 of the 400 rows" in found.note
    assert found.area > 0.8


def test_words(seed):
    assert [format_value(v) for v in (0.5, 0.0, 1e-5, 12.345, 12345.6, None)] == [
        "0.5000",
        "0.0000",
        "1e-05",
        "12.35" if f"{12.345:.2f}" == "12.35" else "12.34",
        "12,346",
        "–",
    ]


# ------------------------------------------------------------------ pages


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


@pytest.mark.parametrize(
    ("kind", "n_figures"),
    [
        ("26 classes", 6),
        ("one column", 6),
        ("many columns", 5),
        ("gaps", 6),
        ("numbers", 4),
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
    check_page(page, 6)
    assert "Diversity of the members" in page and "50.0%" in page
    assert [member.weight for member in summary.members] == shares
    right = (search.oof_predictions_.argmax(axis=1) == codes).mean()
    assert_allclose(details.diversity.committee, right)
    search.storage = None
    assert read_member_predictions(search) == []


def test_the_folder_gives_the_summary_back(tmp_path, seed):
    data, search, summary, details, _ = render("gaps", seed)
    identity = SearchIdentity(
        data.name, data.fingerprint, "y", data.task, "accuracy", 2, seed
    )
    folder = open_search_folder(tmp_path / "found", identity, command="run")
    written = write_search(folder, search, data, identity, summary, details)
    assert all(path.is_file() for path in written)
    again = read_search(folder)
    assert to_plain(again) == to_plain(summary)
    assert again.honest == summary.honest and again.members == summary.members


def test_a_name_of_a_study_stands_for_its_content(seed):
    one = SearchIdentity("a", "f", "y", "regression", "rmse", None, seed)
    assert one.study_name == replace(one).study_name
    others = [replace(one, fingerprint="g"), replace(one, cv=3), replace(one, seed=-1)]
    assert len({one.study_name, *(other.study_name for other in others)}) == 4


def test_selection_bias_and_selection_are_described(seed):
    summary = render("numbers", seed)[2]
    biased = replace(summary.honest, score=60.0, naive=55.0, n_candidates=3)
    assert "the estimated selection bias is 5.0000" in describe_naive_score(
        replace(summary, honest=biased)
    )
    fair = replace(biased, score=55.0)
    assert "the estimated selection bias is 0," in describe_naive_score(
        replace(summary, honest=fair)
    )
    alone = replace(fair, n_candidates=1)
    assert "with a single pipeline there is no selection bias" in describe_naive_score(
        replace(summary, honest=alone)
    )
    nan = float("nan")
    unknown = replace(biased, score=nan, low=nan, high=nan, reason="a rare class")
    unknown = replace(summary, honest=unknown)
    assert "could not be estimated" in describe_honest_score(unknown)
    assert "a rare class" in describe_honest_score(unknown)
    assert "selection bias could not be estimated" in describe_naive_score(unknown)
    page = render_search_page(unknown, render("numbers", seed)[3])
    assert "None" not in page and ">nan<" not in page
    f1 = replace(summary, metric="f1_macro")
    assert (
        "f1_macro (the mean of the F1 scores of all classes)"
        in describe_honest_score(f1)
    )
    tied = replace(summary, leaderboard=summary.leaderboard[:1] * 2, members=())
    assert "the first of 2 with the same score" in describe_model(tied)
    mixing = replace(summary, selection=(), n_selected=0, n_always=0, stability=None)
    assert "combines all columns linearly" in describe_selected_columns(mixing)
    some = replace(mixing, n_selected=3, n_always=1, n_selectable=10, stability=0.4)
    told = "Of 10 columns, 3 were selected in some fold and 1 in every fold."
    assert describe_selected_columns(some).startswith(told)
    made = replace(some, n_selectable=None)
    assert describe_selected_columns(made).startswith(
        "Of the one-hot encoded columns, 3"
    )


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


def test_importance_is_described_if_there_is_any(seed):
    data = load_dataset("iris")
    search = search_quickly(data, seed)
    summary = summarize_search(search, data)
    first = summary.importance[0]
    assert first.feature == search.importance_["feature"].iloc[0]
    assert first.feature in describe_importance(summary)
    page = render_search_page(summary, detail_search(search, data))
    assert "Important columns" in page
    nothing = replace(summary, importance=())
    assert describe_importance(nothing) == ""
    assert "Important columns" not in render_search_page(
        nothing, detail_search(search, data)
    )
