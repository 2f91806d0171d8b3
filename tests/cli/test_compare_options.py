"""Options of a comparison reach the comparison as they are written."""

import json
from pathlib import Path

import pytest
import typer

COMMAND = "compare"


@pytest.fixture
def passed(monkeypatch):
    """Compare nothing; return what would be compared."""
    given = {}

    def run_comparison(*tables, **options):
        given.update(options, tables=tables)
        raise typer.Exit

    monkeypatch.setattr("manyminds.workflows.run_comparison", run_comparison)
    return given


def test_several_tables_are_compared_at_once(call, passed):
    assert call("iris", "wine.csv")[0] == 0
    assert "iris" in str(passed["tables"]) and "wine.csv" in str(passed["tables"])
    assert passed["cv"] == "10" and passed["n_jobs"] == 1
    assert not passed["native"] and not passed["retry_failed"]


@pytest.mark.parametrize(
    ("words", "name", "value"),
    [
        (["-m", "rf, knn(n_neighbors=1)"], "methods", "rf, knn(n_neighbors=1)"),
        (["--cv", "5x2"], "cv", "5x2"),
        (["--out", "found"], "out", Path("found")),
        (["--native"], "native", True),
        (["--retry-failed"], "retry_failed", True),
    ],
)
def test_an_option_is_passed_on(call, passed, words, name, value):
    assert call("iris", *words)[0] == 0
    assert passed[name] == value


def test_several_metrics_keep_their_order(call, passed):
    assert call("iris", "--metric", "auc", "--metric", "accuracy")[0] == 0
    assert list(passed["metrics"]) == ["auc", "accuracy"]


@pytest.mark.parametrize(("task", "listed"), [("", "SVC"), ("regression", "SVR")])
def test_methods_are_listed_without_a_table(call, passed, task, listed):
    words = ["--task", task] if task else []
    code, out, _ = call("--list-methods", *words)
    assert code == 0 and listed in out.split() and passed == {}
    # The task may also follow, though the list is printed before the rest is read.
    assert call(*words, "--list-methods")[1] == out


@pytest.mark.parametrize(
    "words", [("--json", "--list-methods"), ("--list-methods", "--json")]
)
def test_methods_are_listed_as_json(call, words):
    code, out, _ = call(*words)
    listed = json.loads(out)
    assert code == 0 and {"name", "aliases", "library"} <= set(listed[0])
    assert any("svm" in one["aliases"] for one in listed)
