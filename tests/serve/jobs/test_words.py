"""Fields of forms become words of commands, and can be nothing else."""

from pathlib import Path

import pytest

pytest.importorskip("starlette")
from manyminds.serve.jobs.words import (
    list_search_words,
    list_table_words,
    read_budget,
    replace_budget,
)
from manyminds.serve.tables.source import TableSource
from manyminds.utils.errors import InputError

FILE = TableSource("a.csv", "a.csv", "/data/a.csv", Path("/data/a.csv"))
SPARSE = TableSource("a.svm", "a.svm", "/data/a.svm", Path("/data/a.svm"))
WINE = TableSource("bundled:wine", "wine", "wine", None)


def test_words_of_a_search():
    form = {"target": "y", "budget": "5m", "metric": "auc", "group": "who", "cv": " 3 "}
    form |= {"no_committee": "1", "unknown": "x", "weight": ""}
    assert list_search_words(FILE, form, "/data/out") == [
        "search", "/data/a.csv", "--target=y", "--drop-missing-target", "--budget=5m",
        "--metric=auc", "--cv=3", "--group=who", "--no-committee", "--out=/data/out",
        "--json",
    ]  # fmt: skip


def test_values_cannot_become_options():
    words = list_search_words(FILE, {"target": "--storage", "group": "-x"}, "/o")
    assert "--target=--storage" in words and "--group=-x" in words
    assert "--storage" not in words


def test_sets_with_a_target_of_their_own():
    assert list_table_words(WINE, "target") == ["wine"]
    assert list_table_words(SPARSE, "y") == ["/data/a.svm", "--drop-missing-target"]
    assert list_table_words(FILE, "y", "regression")[2] == "--task=regression"


def test_a_search_is_continued_with_another_time():
    words = ["search", "wine", "--budget=5s", "--trials=3", "--resume", "--out=x"]
    assert replace_budget(words, "2m") == [
        "search", "wine", "--out=x", "--budget=2m", "--resume",
    ]  # fmt: skip


@pytest.mark.parametrize("budget", ["soon", "-5", "0.1s", "99999h", "1m --storage=x"])
def test_times_that_are_none(budget):
    with pytest.raises(InputError, match="budget"):
        read_budget(budget)


def test_times():
    assert read_budget("90s") == 90.0 and read_budget("2h") == 7200.0


@pytest.mark.parametrize(
    ("field", "value"), [("cv", "1"), ("trials", "x"), ("jobs", "0")]
)
def test_numbers_that_a_command_would_refuse(field, value):
    with pytest.raises(InputError, match=f"”.* or more; got '{value}'"):
        list_search_words(FILE, {"target": "y", field: value}, "/o")
