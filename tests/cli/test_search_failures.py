"""A failure after a search loses no model; one before it leaves nothing behind."""

import json
import os
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.preprocessing import FunctionTransformer

from manyminds.datasets import load_dataset
from manyminds.persistence import load_model
from manyminds.reports.search import files as search_files
from manyminds.search import ComplexModelSearchClassifier, default_space
from manyminds.utils.databases import StoreError
from manyminds.utils.errors import InputError
from manyminds.workflows import search as search_workflow

COMMAND = "search"
WORDS = ("iris", "--trials", "1", "--cv", "2", "--jobs", "1", "--out", "found")


@pytest.fixture(scope="module")
def fitted():
    """Fit a search of one chain, for tests of what comes after it."""
    data = load_dataset("iris")
    space = default_space("classification").only("learner", "logistic")
    search = ComplexModelSearchClassifier(
        None, n_trials=1, cv=2, space=space, random_state=0
    )
    return search.fit(data.X, data.y)


@pytest.fixture
def call_after(call, fitted, monkeypatch):
    """Run the command as if the search had been done already."""
    monkeypatch.setattr("manyminds.workflows.search._run", lambda *_, **options: fitted)
    return call


def fail(*_, **options):
    raise np.linalg.LinAlgError("it is singular")


@pytest.mark.parametrize(
    ("room", "name", "told", "lost"),
    [
        (search_workflow, "detail_search", "The report", {"report.html"}),
        (search_files, "render_search_page", "The report", {"report.html"}),
        (search_workflow, "make_model_card", "The model card", {"model_card.md"}),
        (search_workflow, "summarize_search", "The result", {"report.html"}),
        (search_files, "list_predictions", "The tables", {"predictions.csv"}),
    ],
)
def test_a_failure_after_the_search_loses_nothing_else(
    call_after, folder, monkeypatch, room, name, told, lost
):
    monkeypatch.setattr(room, name, fail)
    quick = () if told == "The report" else ("--no-report",)
    code, out, err = call_after(*WORDS, *quick)
    assert code == 0, err
    assert f"{told} could not be written: it is singular. The model is in" in err
    assert "manyminds predict found new.csv" in out
    there = {file.name for file in (folder / "found").iterdir()}
    assert not lost & there and "model.skops" in there
    assert ("leaderboard.csv" in there) == (told != "The tables")
    assert (
        len(load_model(folder / "found").predict_table(load_dataset("iris").X)) == 150
    )
    state = json.loads((folder / "found" / "search.json").read_text())["state"]
    assert state == ("running" if told == "The result" else "done")


def test_a_model_that_cannot_be_used_is_an_error(
    call_after, folder, monkeypatch, fitted
):
    # As a learner of somebody's own: it predicts, and its file is refused.
    strange = FunctionTransformer(np.linalg.norm)
    strange.predict = fitted.model_.predict
    found = SimpleNamespace(**vars(fitted))
    found.model_ = strange
    monkeypatch.setattr("manyminds.workflows.search._run", lambda *_, **options: found)
    code, _, err = call_after(*WORDS)
    assert code == 2
    assert "model.skops cannot be used" in err


def test_a_search_that_cannot_begin_leaves_nothing(call, folder, monkeypatch):
    def refuse(*_, **options):
        raise InputError("X has nothing to learn from.")

    monkeypatch.setattr("manyminds.search.base.as_table", refuse)
    code, _, err = call(*WORDS)
    assert code == 2 and "nothing to learn" in err
    assert list(folder.iterdir()) == []


def test_a_folder_that_was_there_stays(call, folder, monkeypatch):
    def refuse(*_, **options):
        raise InputError("X has nothing to learn from.")

    (folder / "found").mkdir()
    (folder / "found" / "mine.txt").write_text("mine")
    monkeypatch.setattr("manyminds.search.base.as_table", refuse)
    code, _, _ = call(*WORDS)
    assert code == 2
    assert [file.name for file in (folder / "found").iterdir()] == ["mine.txt"]


def test_a_full_disk_is_named_and_the_search_goes_on(call, folder, monkeypatch):
    def refuse(*_, **options):
        raise StoreError("The store x is on a full disk.")

    monkeypatch.setattr("manyminds.search.base.as_table", refuse)
    code, _, err = call(*WORDS)
    assert code == 2 and "full disk. --resume continues the search." in err


@pytest.mark.parametrize(
    "url",
    [
        "postgresql:/bob:secret@host/runs",
        "postgresql://bob:secret@host:port/runs",
        "postgresql://localhost:1/runs?user=bob&password=secret",
    ],
)
def test_no_password_is_printed_or_kept(call, folder, url, monkeypatch):
    monkeypatch.setattr(
        "manyminds.search.study.storage.time.sleep", lambda seconds: None
    )
    code, out, err = call(*WORDS, "--storage", url)
    assert code == 2
    assert "secret" not in out + err
    assert os.listdir(folder) == []


def test_a_table_without_folds_says_so_without_options(call, folder):
    (folder / "odd.csv").write_text("x,kind\n1,a\n2,b\n3,c\n")
    code, _, err = call("odd.csv", "--target", "kind", "--trials", "1")
    assert code == 2
    assert "the most frequent class of" in err
    assert "--cv" not in err and "n_splits" not in err
