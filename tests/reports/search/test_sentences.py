"""Sentences on a search say what its numbers say."""

from dataclasses import replace

import numpy as np
import pytest

from manyminds.analysis import CoverageEstimate
from manyminds.reports.search.decisions import OneClass
from manyminds.reports.search.prediction_errors import measure_class_errors
from manyminds.reports.search.sentences import (
    describe_coverage,
    describe_decisions,
    describe_error_regions,
    describe_folds,
    describe_honest_score,
    describe_importance,
    describe_lowest_coverage,
    describe_model,
    describe_naive_score,
    describe_one_class,
    describe_selected_columns,
    describe_trials,
)
from manyminds.reports.search.summary_types import MemberRow


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({}, "2 folds"),
        ({"n_tested": 1_200}, "2 folds"),
        ({"n_folds": 1, "n_tested": 240}, "one held-out part with 240 of 1,200 rows"),
        ({"group": "patient"}, "2 folds of whole groups (patient)"),
        (
            {"time": "day", "n_tested": 1_000, "weight": "area"},
            "2 folds in the order of day with 1,000 of 1,200 rows, rows weighted by "
            "area",
        ),
        ({"fold": "part"}, "2 folds assigned by part"),
    ],
)
def test_folds_are_described_with_what_they_respect(summary, fields, text):
    assert describe_folds(replace(summary, **fields)) == text


def test_the_score_to_expect_has_its_interval(summary):
    assert describe_honest_score(summary) == (
        "Expected accuracy on new rows: 0.7500 (95 % interval 0.5000 to 0.8750)."
    )
    macro = describe_honest_score(replace(summary, metric="f1_macro"))
    assert "f1_macro (the mean of the F1 scores of all classes)" in macro


def test_the_reason_stands_for_a_score_that_is_unknown(summary):
    nan = float("nan")
    honest = replace(
        summary.honest, score=nan, low=nan, high=nan, reason="a rare class"
    )
    unknown = replace(summary, honest=honest)
    assert describe_honest_score(unknown) == (
        "accuracy on new rows could not be estimated for the best of 2 pipelines: "
        "a rare class."
    )
    assert "selection bias could not be estimated" in describe_naive_score(unknown)


@pytest.mark.parametrize(
    ("higher", "score", "naive", "method", "said"),
    [
        (True, 0.75, 0.8, "bootstrap", "the estimated selection bias is 0.0500."),
        (False, 60.0, 55.0, "bootstrap", "the estimated selection bias is 5.0000."),
        (False, 55.0, 55.0, "bootstrap", "bias is 0, which does not exclude a small"),
        (True, 0.8, 0.75, "nested", "outer training folds scored no worse"),
    ],
)
def test_the_bias_has_the_sign_of_the_metric(
    summary, higher, score, naive, method, said
):
    honest = replace(summary.honest, score=score, naive=naive, method=method)
    found = replace(summary, honest=honest, higher_is_better=higher)
    assert said in describe_naive_score(found)


def test_a_single_pipeline_has_no_selection_bias(summary):
    alone = replace(summary, honest=replace(summary.honest, n_candidates=1))
    assert "with a single pipeline there is no selection bias" in describe_naive_score(
        alone
    )
    grown = replace(alone, members=(MemberRow("nb", 0.5),) * 2)
    assert "no selection bias" not in describe_naive_score(grown)


def test_ties_and_committees_are_named(summary):
    assert (
        describe_model(summary) == "The model is the best pipeline: scaled > logistic"
    )
    tied = replace(summary, leaderboard=summary.leaderboard[:1] * 2)
    assert "the first of 2 with the same score" in describe_model(tied)
    quick = replace(summary, best="scaled > lda")  # others predict too slowly
    assert describe_model(quick) == (
        "The model is the best pipeline that is quick enough: scaled > lda"
    )
    grown = replace(summary, members=(MemberRow("nb", 0.5),) * 3)
    assert describe_model(grown).startswith("The model is a committee of 3 pipelines;")


def test_selected_columns_are_counted(summary):
    assert describe_selected_columns(summary) == (
        "Of 3 columns, 2 were selected in some fold and 1 in every fold. Stability "
        "0.40 (1: always the same, 0: random)."
    )
    encoded = describe_selected_columns(replace(summary, n_selectable=None))
    assert encoded.startswith("Of the one-hot encoded columns, 2 were selected")
    mixing = replace(summary, selection=(), n_selected=0, n_always=0, stability=None)
    assert "combines all columns linearly" in describe_selected_columns(mixing)
    every = replace(summary, n_selected=3, n_always=3, stability=None)
    assert describe_selected_columns(every) == "The best pipeline uses all columns."


def test_only_columns_that_help_are_important(summary):
    assert describe_importance(summary) == (
        "Largest decrease in accuracy if a column is permuted: size (0.2000)."
    )
    loss = replace(summary, higher_is_better=False, metric="rmse")
    assert "Largest increase in rmse" in describe_importance(loss)
    assert describe_importance(replace(summary, importance=())) == ""
    assert describe_importance(summary, max_shown=0) == ""
    unknown = replace(summary, importance=(), importance_note="No time was left.")
    assert describe_importance(unknown) == "No time was left."


def test_tuned_decisions_are_named_with_their_metric(summary):
    assert describe_decisions(summary) == ""
    same = replace(summary, class_weights={"a": 1.0, "b": 1.0})
    assert describe_decisions(same) == ""
    tuned = replace(
        summary, class_weights={"a": 0.5, "b": 2.0}, metric="balanced_accuracy"
    )
    assert describe_decisions(tuned) == (
        "The predicted class is not always the most likely one, because decisions were "
        "tuned for balanced_accuracy: class_weights in search.json."
    )


def test_a_model_of_one_class_is_compared_with_a_constant(summary):
    assert describe_one_class(summary) == ""
    found = replace(summary, one_class=OneClass("a", 0.995, 0.75))
    assert describe_one_class(found) == (
        "The model predicts a for 99.5% of the tested rows, and its accuracy of 0.7500 "
        "is not better than that of a constant prediction, 0.7500."
    )


def test_the_lowest_coverage_names_the_classes_that_are_counted(summary):
    def name(n_parts, **fields):
        coverage = (CoverageEstimate(0.9, 0.914, 0.01, 1.25, 0.8, 100, n_parts),)
        return describe_lowest_coverage(replace(summary, coverage=coverage, **fields))

    counts = {f"c{i}": 25 for i in range(150)}
    target = replace(summary.table.target, counts=counts)
    many = {"table": replace(summary.table, target=target)}
    said = "lowest coverage of the 12 classes with 20 tested rows or more"
    assert name(12, **many) == said
    assert name(2) == name(0, **many) == "lowest coverage of a class"
    numbers = "lowest coverage of a fifth of the predictions"
    assert name(5, task="regression") == numbers


def test_errors_are_where_classes_overlap_unless_a_class_is_lost(details):
    assert "1.00 (0.5 is random): errors lie where classes overlap" in (
        describe_error_regions(details)
    )
    easy = replace(details, complexity=replace(details.complexity, area=0.6))
    assert "many errors are in regions that look easy" in describe_error_regions(easy)
    told, true = np.tile([0.9, 0.1], (50, 1)), np.repeat([0, 1], [45, 5])
    lost = measure_class_errors(told, true, np.array(["no", "yes"]))
    text = describe_error_regions(replace(details, classes=lost))
    assert "5 of 5 errors are all rows of yes, which is never found" in text
    assert "errors lie" not in text
    right = replace(details, complexity=replace(details.complexity, area=None))
    assert describe_error_regions(right) == ""
    assert describe_error_regions(replace(details, complexity=None)) == ""


def test_trials_are_counted_by_their_end(summary):
    assert describe_trials(summary) == (
        "4 trials: 2 evaluated on all folds, 1 pruned, 1 failed."
    )
    one = replace(summary, n_trials=1, outcomes={"slow": 1, "failed": 0})
    assert describe_trials(one) == "1 trial: 1 too slow."
    some = replace(summary, n_trials=3, outcomes={"sampled": 2, "complete": 1})
    expected = "1 evaluated on all folds, 2 evaluated on a sample of the rows."
    assert describe_trials(some) == f"3 trials: {expected}"


def test_coverage_is_described_if_there_is_any(summary):
    assert describe_coverage(summary) == ""
    coverage = (CoverageEstimate(0.9, 0.914, 0.01, 1.25, 0.8, 100),)
    text = describe_coverage(replace(summary, coverage=coverage))
    assert "90 % sets cover 91.4% of the rows (standard error 1.0%" in text
    assert "mean size 1.25" in text
    numbers = replace(summary, coverage=coverage, task="regression")
    assert "90 % intervals cover" in describe_coverage(numbers)
    assert "Calibrated on other rows, 90" in describe_coverage(numbers)
    by_group = describe_coverage(replace(numbers, group="patient"))
    assert "Calibrated on other groups by patient, 90" in by_group
    in_time = describe_coverage(replace(numbers, time="day"))
    assert "Calibrated on other blocks of time, 90" in in_time
    assert "later rows that drift" in in_time and "later" not in by_group
