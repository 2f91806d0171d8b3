"""Pages of evidence: written from a store alone, the same every time."""

import json
import os
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from manyminds.datasets import Dataset
from manyminds.experiments import (
    CrossValidation,
    DataSource,
    Plan,
    Record,
    Slot,
    open_store,
)
from manyminds.reproductions import list_reproductions
from manyminds.reproductions.evidence.writing import write_evidence
from manyminds.reproductions.judging.verdicts import judge_pairs
from manyminds.reproductions.published import (
    Part,
    PublishedTable,
    PublishedValue,
    Reproduction,
    Tolerance,
)
from manyminds.reproductions.reproducing import reproduce
from manyminds.trees import DecisionTreeClassifier


def make_plan(find, quick):
    return Plan(
        "toys",
        [DataSource(name, lambda name=name: find(name)) for name in ("a", "b")],
        {
            "tree": DecisionTreeClassifier(),
            "stump": DecisionTreeClassifier(max_depth=1),
        },
        splits=CrossValidation(2, 5),
    )


def claim(plan, records):
    pairs = {"trees are as good as stumps": ("tree", "stump")}
    return judge_pairs(plan, records, "accuracy", pairs, unit="", margin=0.1)


CELLS = {
    ("a", "tree"): PublishedValue(99.5, 0.7),
    ("a", "stump"): PublishedValue(70.0),
    ("b", "tree"): PublishedValue(60.0),
}
TOYS = Reproduction(
    "toys",
    "Toys, played again",
    "A. Child, Toys, 2001",
    "That toys last.",
    3.0,
    0.5,
    2,
    (
        Part(
            "toys",
            "All toys",
            make_plan,
            Tolerance(1.0, "children shout"),
            PublishedTable("toys", "A. Child", "accuracy", CELLS, 100.0),
            {("a", "stump"): "the paper's | stump was cut"},
            {"b": "lost in the garden"},
            claims=claim,
        ),
    ),
)


def find(name):
    if name == "b":
        raise LookupError("no b")
    y = np.repeat(["no", "yes"], 10).astype(object)
    return Dataset(
        "a", pd.DataFrame({"x": np.repeat([0.0, 1.0], 10)}), y, "classification"
    )


@pytest.fixture
def store(tmp_path):
    store = open_store(str(tmp_path / "records.sqlite"))
    yield store
    store.close()


def test_page_shows_all(store, tmp_path):
    reproduce(TOYS, find, store)
    written = write_evidence(store, tmp_path / "docs" / "evidence", [TOYS])
    index, summary, page, records = written
    assert records.parent.name == "records"
    text = page.read_text(encoding="utf-8")
    assert (index.name, page.name) == ("index.md", "toys.md")
    assert json.loads(summary.read_text())["toys"]["counts"]["differs"] == 1
    for line in (
        "# Toys, played again",
        "Source: A. Child, Toys, 2001.",
        "Run again with `manyminds reproduce toys`; it takes about 3 minutes",
        "A cell *agrees* if ours is within 1 point of the reference (children shout).",
        "but at most 3 points and at most 3 standard errors",
        "of which there must be at least 5",
        "**3 cells: agrees 1, differs 1, not run 1.**",
        "| a | tree | 99.50 ± 0.7 | 100.00 ± 0.0 | +0.50 | agrees |  |",
        "| a | stump | 70.00 | 100.00 ± 0.0 | +30.00 | differs "
        "| the paper's \\| stump was cut |",
        "| b | tree | 60.00 |  |  | not run | lost in the garden |",
        "| stump | 0 | 0 | 1 | 0 | 0 | +30.00 |  |",
        "- a (stump): the paper's | stump was cut.",
        "- tree: `DecisionTreeClassifier()`",
        "20 of 40 folds in 5 repetitions on 1 data sets",
        "trees are as good as stumps | cannot be told | +0 | 1 | 0.1 | fewer than 3",
    ):
        assert line in text, line
    assert "scikit" in text or "sklearn" in text  # the versions
    listed = index.read_text(encoding="utf-8")
    assert (
        "| [Toys, played again](toys.md) | A. Child, Toys, 2001 | agrees 1, differs 1, "
        "not run 1 |  | cannot be told 1 |" in listed
    )
    assert "## What these data cannot tell" in listed and "Confirmed" not in listed
    assert "```{toctree}\n:hidden:\n\ntoys\n```" in listed


def test_same_store_gives_the_same_bytes(store, tmp_path):
    reproduce(TOYS, find, store)
    first = [
        path.read_bytes() for path in write_evidence(store, tmp_path / "x", [TOYS])
    ]
    again = [
        path.read_bytes() for path in write_evidence(store, tmp_path / "x", [TOYS])
    ]
    assert first == again
    assert not [name for name in os.listdir(tmp_path / "x") if name.startswith(".")]


def test_pages_need_neither_run_nor_data(store, tmp_path):
    written = write_evidence(store, tmp_path / "evidence")
    names = [one.name for one in list_reproductions()]
    assert [path.stem for path in written] == ["index", "summary", *names]
    index, _, *pages = (path.read_text(encoding="utf-8") for path in written)
    assert index.count("no records: run it again") == len(names)
    assert all("**Not run yet.**" in page for page in pages)


def test_errors_stay_on_one_line_of_the_table(store, tmp_path):
    slot = Slot("a", "tree", 0, 0, "k")
    store.put([Record("k", "a", "tree", 0, 0, error="ValueError: one\ntwo | three")])
    store.enroll("toys", [slot])
    page = write_evidence(store, tmp_path / "evidence", [TOYS])[2].read_text()
    assert "1 of 10 folds failed: ValueError: one two \\| three |" in page


def test_days_and_versions_of_all_records_are_told(store, tmp_path):
    record = Record("k", "a", "tree", 0, 0, {"accuracy": 1.0}, seconds=90.0)
    for i, (day, version) in enumerate((("2024-02-03", "x 1"), ("2024-03-01", "x 2"))):
        key = f"k{i}"
        done = replace(record, key=key, fold=i, finished=f"{day}T10", versions=version)
        store.put([done])
    store.enroll("toys", [Slot("a", "tree", 0, i, f"k{i}") for i in range(2)])
    page = write_evidence(store, tmp_path / "evidence", [TOYS])[2].read_text()
    assert (
        "2024-02-03 to 2024-03-01, 3.0 minutes of one core; with x 1; or x 2." in page
    )


def test_what_was_run_elsewhere_keeps_its_page(store, tmp_path):
    record = Record("k", "a", "tree", 0, 0, {"accuracy": 1.0}, finished="2024-02-03T10")
    store.put([record])
    store.enroll("toys", [Slot("a", "tree", 0, 0, "k")])
    folder = tmp_path / "evidence"
    before = {path: path.read_bytes() for path in write_evidence(store, folder, [TOYS])}
    empty = open_store(str(tmp_path / "empty.sqlite"))
    write_evidence(empty, folder, [TOYS])
    empty.close()
    assert {path: path.read_bytes() for path in before} == before
    assert "run it again" not in (folder / "index.md").read_text()


def test_a_page_without_records_says_so_once(tmp_path):
    page = tmp_path / "toys.md"
    page.write_text("# Toys\n\nAll agree.\n")
    for _ in range(2):
        write_evidence(None, tmp_path, [TOYS])
        assert page.read_text().count("No records of this page are kept") == 1
    assert page.read_text().endswith("All agree.\n")
    assert "no records: run it again" in (tmp_path / "index.md").read_text()


def test_cells_apart_are_shown_and_counted_nowhere(store, tmp_path):
    (part,) = TOYS.parts
    derived = replace(TOYS, parts=(replace(part, apart="made from the print"),))
    reproduce(derived, find, store)
    index, _, page, _ = write_evidence(store, tmp_path / "evidence", [derived])
    text = page.read_text()
    assert "**3 cells are shown apart, not counted.**" in text
    assert (
        "| a | tree | 99.50 ± 0.7 | 100.00 ± 0.0 | +0.50 | made from the print |"
        in text
    )
    assert "No cell of this page is counted" in text
    assert "| 3 shown apart |" in index.read_text()
