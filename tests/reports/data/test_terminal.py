"""A terminal shows the numbers of an analysis, as many as fit."""

import io
from dataclasses import replace

import pytest
from rich.console import Console

from manyminds.analysis import Pitfall
from manyminds.reports.data.terminal import print_data_summary
from manyminds.reports.shared.table import TargetSummary


def print_text(summary):
    console = Console(file=io.StringIO(), width=150)
    print_data_summary(summary, console)
    return console.file.getvalue()


def test_the_table_is_described_first(summary):
    text = print_text(summary)
    assert text.startswith(
        "cats & dogs: 80 rows, 3 columns, 10.0% of the cells missing"
    )
    assert "duplicate" not in text.split("\n")[0]
    doubled = print_text(replace(summary, n_duplicates=1_000))
    assert ", 1,000 duplicate rows\n" in doubled
    assert text.rstrip().endswith("look at it")


def test_columns_stand_by_score_and_those_without_last(summary):
    text = print_text(summary)
    places = [text.index(f"│ {name}") for name in ("size", "noise", "<b>&$x$")]
    assert places == sorted(places)
    assert "62.5%" in text and "0 to 9" in text and "mostly red" in text
    assert "30.0%" in text  # 24 of 80 cells are missing


def test_classes_have_their_share_and_complexity(summary):
    text = print_text(summary)
    assert "│ dog   │   60 │ 75.0% │             0.20 │" in text
    bare = print_text(replace(summary, complexity=None))
    assert "│ dog   │   60 │ 75.0% │\n" in bare and "MRI" not in bare


def test_complexity_names_clusters_and_hard_rows(summary):
    text = print_text(summary)
    assert "Mean complexity (MRI): 0.25" in text
    assert "│ 1       │    8 │ 10.0% │ 0.75 │" in text
    assert "17 (cat, 0.90), 3 (dog, 0.80)." in text


def test_numbers_have_quantiles(summary):
    target = TargetSummary("regression", {}, {"lowest": 1.0, "mean": 2.34567})
    text = print_text(replace(summary, target=target, complexity=None))
    assert "lowest" in text and "2.346" in text


@pytest.mark.parametrize(
    ("n_columns", "said"), [(30, None), (40, ", 10 more are not shown")]
)
def test_only_the_best_columns_of_many_are_shown(summary, n_columns, said):
    one = summary.columns[0]
    many = [replace(one, name=f"c{i}", score=1 - i / 100) for i in range(n_columns)]
    text = print_text(replace(summary, columns=tuple(many[::-1])))
    assert "│ c0 " in text and "│ c29 " in text and "│ c30 " not in text
    title = " ".join(text.split())  # which is folded over a narrow table
    assert said in title if said else "are not shown" not in title


def test_only_the_most_frequent_classes_of_many_are_shown(summary):
    counts = {f"c{i}": 30 - i for i in range(30)}
    target = TargetSummary("classification", counts, {})
    text = print_text(replace(summary, target=target, complexity=None))
    assert "The 20 most frequent; 10 more not shown" in " ".join(text.split())
    assert "│ c19 " in text and "│ c20 " not in text


def test_pitfalls_are_warnings(summary):
    one = Pitfall("leak", "fee", "[fee] is the target", "use {}", "drop", True)
    text = print_text(replace(summary, pitfalls=(one,)))
    assert "Warning: [fee] is the target; use --drop fee." in text
