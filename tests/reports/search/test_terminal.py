"""A terminal shows the results of a search, as many as are asked for."""

import io
from dataclasses import replace

from rich.console import Console

from manyminds.analysis import CoverageEstimate
from manyminds.reports.search.decisions import OneClass
from manyminds.reports.search.summary_types import MemberRow, SelectedFeature
from manyminds.reports.search.terminal import print_search_summary


def print_text(summary, **options):
    console = Console(file=io.StringIO(), width=160)
    print_search_summary(summary, console, **options)
    return console.file.getvalue()


def test_scores_pipelines_and_columns_are_shown(summary):
    text = print_text(summary)
    assert text.startswith("toy: 1,200 rows, 3 columns, classification\n")
    assert "Expected accuracy on new rows: 0.7500" in text
    assert "│    1 │   0.8000 │ 0.7000 to 0.9000 │     1.5 │ scaled > logistic" in text
    assert "size (100%), hue (50%)." in text
    assert "4 trials: 2 evaluated" in text


def test_names_are_no_markup(summary):
    assert "nb [red]" in print_text(summary)


def test_fewer_pipelines_may_be_shown(summary):
    assert "nb [red]" not in print_text(summary, n_shown=1)


def test_members_stand_by_their_weight(summary):
    members = (MemberRow("first", 0.2), MemberRow("second", 0.8))
    text = print_text(replace(summary, members=members))
    assert "Committee" in text and text.index("80%") < text.index("20%")
    assert "Committee" not in print_text(summary)


def test_columns_beyond_the_first_twenty_are_counted(summary):
    many = tuple(SelectedFeature(f"c{i}", 0.5) for i in range(25))
    text = print_text(replace(summary, selection=many, n_selected=1_030))
    assert "c19 (50%) and 1,010 more." in text and "c20" not in text


def test_columns_without_a_selection_are_not_listed(summary):
    text = print_text(replace(summary, stability=None))
    assert "size (100%)" not in text


def test_one_fold_has_no_interval_and_is_named(summary):
    nan = float("nan")
    rows = [replace(row, low=nan, high=nan) for row in summary.leaderboard]
    text = print_text(replace(summary, leaderboard=rows, n_folds=1, n_tested=240))
    assert "Validated by one held-out part with 240 of 1,200 rows." in text
    assert "│    1 │   0.8000 │        – │" in text
    assert "Validated" not in print_text(summary)


def test_decisions_warnings_and_missing_importance_are_shown(summary):
    shown = replace(
        summary,
        class_weights={"a": 0.5, "b": 2.0},
        one_class=OneClass("a", 1.0, 0.8),
        importance=(),
        importance_note="No time was left.",
    )
    text = print_text(shown)
    assert "decisions were tuned for accuracy" in text and "No time was left." in text
    assert "Warning: The model predicts a for 100.0% of the tested rows" in text
    assert "tuned" not in print_text(summary) and "Warning" not in print_text(summary)


def test_coverage_is_shown_if_it_was_measured(summary):
    covered = CoverageEstimate(0.9, 0.914, 0.01, 1.25, 0.8, 100)
    assert "90 % sets cover 91.4%" in print_text(replace(summary, coverage=(covered,)))
    assert "Calibrated" not in print_text(summary)
