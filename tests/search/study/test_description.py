"""A study is continued by a search of the same data and options, or says why not."""

import re

import numpy as np
import pytest

from manyminds.search import Problem, default_space
from manyminds.search.evaluation.evaluator import Evaluator
from manyminds.search.evaluation.metrics import PredictionScorer
from manyminds.search.study.description import check_same, describe_study
from manyminds.utils.errors import InputError

OPTIONS = {"learner": ["nb", "lightgbm"], "scale": ["standard", "rank"]}


def describe(*learners, y=None, with_data=False):
    X = np.random.default_rng(0).normal(size=(40, 2))
    y = np.arange(40) % 2 if y is None else y
    problem = Problem.of(X, y, "classification", "accuracy")
    space = default_space("classification").only("learner", *learners).suiting(problem)
    measure = PredictionScorer("accuracy", "classification", np.arange(2))
    folds = [(np.arange(20), np.arange(20, 40)), (np.arange(20, 40), np.arange(20))]
    evaluator = Evaluator(X, y, folds, space, problem, measure)
    return describe_study(evaluator, "accuracy", with_data=with_data)


def test_options_are_those_that_suit_the_problem():
    found = describe("nb", "quick_gb", "lda")  # quick ones are for large tables
    assert found["options"]["learner"] == ["lda", "nb"]
    assert found["table"] == [40, 2, 2] and found["folds"] == 2
    check_same("s", found, describe("nb", "lda"))


def test_data_are_described_on_demand():
    assert "data" not in describe("nb")
    stored = describe("nb", with_data=True)
    check_same("s", stored, describe("nb", with_data=True))
    other = describe("nb", y=np.arange(40) // 20, with_data=True)
    with pytest.raises(InputError, match="made with other rows, weights, groups"):
        check_same("s", stored, other)


def test_a_study_of_an_earlier_version_without_options_is_continued():
    check_same("s", {"task": "regression"}, {"task": "regression", "options": OPTIONS})


def test_a_study_of_an_earlier_version_has_folds_of_any_budget():
    check_same("s", {"task": "regression"}, {"task": "regression", "minutes": 5})
    with pytest.raises(InputError, match="a number of folds that its budget decided"):
        check_same("s", {"minutes": 5}, {"minutes": 1})


@pytest.mark.parametrize(
    ("here", "message"),
    [
        (
            {"learner": ["nb"]},
            "other learners: it has lightgbm, which this search lacks. Continue",
        ),
        (
            {"learner": ["nb", "xgboost"], "scale": ["rank"]},
            "it has lightgbm, which this search lacks; it lacks xgboost, which this",
        ),
        ({"learner": ["lightgbm", "nb"]}, "other learners: they are in another order"),
        ({"scale": ["rank"]}, "options of the stage 'scale': it has standard, which"),
    ],
    ids=["fewer", "others", "order", "stage"],
)
def test_other_options_are_named(here, message):
    with pytest.raises(InputError, match=message):
        check_same("s", {"options": OPTIONS}, {"options": {**OPTIONS, **here}})


@pytest.mark.parametrize(
    ("stored", "here", "message"),
    [
        (
            [0.25, 1.0],
            [1.0],
            "with a budget, for which .* Continue it with a --budget, or",
        ),
        ([1.0], [0.25, 1.0], "with no budget, .* Continue it with --trials alone, or"),
        ([0.5, 1.0], [0.25, 1.0], "another samples"),
    ],
)
def test_a_budget_is_needed_to_continue_a_search_by_budget(stored, here, message):
    with pytest.raises(InputError) as caught:
        check_same("s", {"samples": stored}, {"samples": here})
    shown = caught.value.describe({"budget": "--budget", "n_trials": "--trials"})
    assert re.search(message, shown)
    assert shown.endswith("ame another study or storage.")
