"""Learners suit problems up to a size, from which their cost is too high."""

from dataclasses import replace

import pytest

from manyminds.search import Problem
from manyminds.search.space import suitability
from manyminds.search.space.suitability import (
    can_be_calibrated,
    has_few_cells,
    has_few_columns,
    has_few_rows,
    has_very_few_rows,
    is_large,
    is_large_enough,
    is_narrow,
    suits_boosting,
    suits_elm,
    suits_net,
    suits_quick_boosting,
    suits_svm,
)

PLAIN = Problem("classification", 1_000, 10, 2, 500, n_encoded=10)


@pytest.mark.parametrize(
    ("condition", "last", "beyond"),
    [
        (has_few_rows, {"n_samples": 15_000}, {"n_samples": 15_001}),
        (has_very_few_rows, {"n_samples": 1_000}, {"n_samples": 1_001}),
        (is_narrow, {"n_encoded": 2_000}, {"n_encoded": 2_001}),
        (has_few_columns, {"n_encoded": 20_000}, {"n_encoded": 20_001}),
        (has_few_columns, {"n_samples": 15_000}, {"n_samples": 15_001}),
        (has_few_cells, {"n_encoded": 1_000}, {"n_encoded": 1_001}),
        (has_few_cells, {"n_samples": 200_000}, {"n_samples": 200_001}),
        (is_large_enough, {"n_samples": 100}, {"n_samples": 99}),
        (is_large_enough, {"n_encoded": 20_000}, {"n_encoded": 20_001}),
        (suits_boosting, {"n_samples": 40}, {"n_samples": 39}),
        (suits_boosting, {"n_encoded": 20_000}, {"n_encoded": 20_001}),
        (
            suits_boosting,
            {"n_samples": 50_000, "n_classes": 1000},
            {"n_samples": 50_001, "n_classes": 1000},
        ),
        (suits_quick_boosting, {"n_samples": 2000}, {"n_samples": 1999}),
        (can_be_calibrated, {"smallest_class": 6}, {"smallest_class": 5}),
        (suits_net, {"n_encoded": 2_000}, {"n_encoded": 2_001}),
        (suits_net, {"n_samples": 100}, {"n_samples": 99}),
        (is_large, {"n_samples": 2_000}, {"n_samples": 1_999}),
        (is_large, {"n_encoded": 100}, {"n_encoded": 99}),
    ],
)
def test_a_condition_holds_up_to_its_bound(condition, last, beyond):
    assert condition(replace(PLAIN, **last))
    assert not condition(replace(PLAIN, **beyond))


@pytest.mark.parametrize("condition", [can_be_calibrated])
def test_numbers_have_no_rare_class(condition):
    assert condition(Problem("regression", 1_000, 10, n_encoded=10))


@pytest.mark.parametrize(
    ("condition", "change"),
    [
        (suits_svm, {"n_samples": 15_001}),
        (suits_svm, {"smallest_class": 5}),
        (suits_elm, {"n_encoded": 2_001}),
        (suits_elm, {"smallest_class": 5}),
    ],
)
def test_a_learner_needs_all_of_its_conditions(condition, change):
    assert condition(PLAIN) and not condition(replace(PLAIN, **change))


def test_conditions_return_truth_values():
    for name, condition in vars(suitability).items():
        if callable(condition) and condition is not Problem:
            assert condition(PLAIN) in (True, False), name
