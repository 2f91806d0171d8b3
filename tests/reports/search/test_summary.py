"""The summary of a search holds what the fitted search found."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_array

from manyminds.datasets import Dataset, from_arrays
from manyminds.reports.search.decisions import OneClass
from manyminds.reports.search.summary import (
    detail_search,
    name_best,
    read_member_predictions,
    summarize_search,
)
from manyminds.reports.search.summary_types import SearchSummary
from manyminds.reports.shared.plain import from_plain, to_plain
from manyminds.search import HonestScore
from manyminds.search.evaluation.evaluation import Evaluation
from manyminds.search.evaluation.metrics import PredictionScorer
from manyminds.search.study.prediction_store import open_prediction_store

HONEST = HonestScore(0.75, 0.5, 0.875, 0.8, 0.95, 2, "bootstrap")
FRAME = pd.DataFrame(
    {"size": [0.0, 1.0, np.nan, 3.0], "hue": pd.Categorical(["r", "b", "r", "b"])}
)
DATA = Dataset("toy", FRAME, np.array(["a", "b", "a", "b"]), "classification")


@pytest.fixture
def search():
    """Return what is read of a fitted search, without searching."""
    board = {
        "rank": [1, 2], "score": [0.8, 0.7], "low": [0.7, 0.6], "high": [0.9, 0.8],
        "learner": ["nb", "lda"], "pipeline": ["nb", "lda"], "stage": ["x", "y"],
        "seconds": [1.0, 2.0], "trial": [3, 0],
    }  # fmt: skip
    trace = {
        "trial": [0, 1, 3], "stage": ["y", "y", "x"],
        "state": ["complete", "failed", "complete"],
        "score": [0.7, np.nan, 0.8], "best": [0.7, 0.7, 0.8],
    }  # fmt: skip
    importance = {"feature": ["size"], "importance": [0.2], "std": [0.1]}
    return SimpleNamespace(
        _measure=PredictionScorer("accuracy", "classification", np.array(["a", "b"])),
        leaderboard_=pd.DataFrame(board),
        trace_=pd.DataFrame(trace),
        selection_=pd.DataFrame({"feature": ["size", "hue"], "frequency": [1.0, 0.5]}),
        selection_stability_=np.nan,
        importance_=pd.DataFrame(importance),
        honest_score_=HONEST,
        metric_="accuracy",
        folds_=[(None, np.array([0, 1])), (None, np.array([2, 3]))],
        committee_=None,
        class_weights_=None,
        weights_=[("nb", 1.0)],
        calibration_=True,
        _coverage_rows={"sample_weight": None, "groups": None},
        classes_=np.array(["a", "b"]),
        oof_predictions_=np.array([[0.9, 0.1], [0.2, 0.8], [0.4, 0.6], [0.3, 0.7]]),
        storage=None,
        study_name="study",
    )


def test_the_table_and_the_trials_are_counted(search):
    found = summarize_search(search, DATA, seed=7, seconds=2, command="run")
    table = found.table
    assert (table.n_rows, table.n_numbers, table.n_categories) == (4, 1, 1)
    assert table.n_missing == 1 and table.fingerprint == DATA.fingerprint
    assert found.outcomes == {"complete": 2, "failed": 1} and found.n_trials == 3
    assert [row.trial for row in found.leaderboard] == [3, 0]
    assert found.best == "nb" and found.honest is HONEST
    assert (found.seed, found.seconds, found.command) == (7, 2.0, "run")
    assert found.importance[0].feature == "size" and found.importance[0].std == 0.1


def test_selected_columns_are_counted(search):
    found = summarize_search(search, DATA)
    assert (found.n_selected, found.n_always, found.n_selectable) == (2, 1, 2)
    assert found.stability is None  # undefined, as NaN says
    search.selection_["feature"] = ["size", "hue_r"]
    assert summarize_search(search, DATA).n_selectable is None
    thin = from_arrays(csr_array(np.eye(4)), DATA.y)
    assert summarize_search(search, thin).n_selectable == 4


@pytest.mark.parametrize(
    ("metric", "higher"), [("accuracy", True), ("log_loss", False)]
)
def test_the_direction_is_that_of_the_shown_score(search, metric, higher):
    search._measure = PredictionScorer(metric, "classification", np.array(["a", "b"]))
    assert summarize_search(search, DATA).higher_is_better is higher


def test_errors_are_those_of_decisions_by_weights_of_classes(search):
    assert detail_search(search, DATA).classes.n_wrong == 1
    search.class_weights_ = np.array([9.0, 1.0])
    assert detail_search(search, DATA).classes.n_wrong == 2


def test_decisions_are_stored_with_the_summary(search):
    assert summarize_search(search, DATA).class_weights == {}
    search.class_weights_ = np.array([9.0, 1.0])
    found = summarize_search(search, DATA)
    assert found.class_weights == {"a": 9.0, "b": 1.0} and found.one_class is None
    again = from_plain(SearchSummary, to_plain(found))
    assert again.class_weights == found.class_weights
    search.oof_predictions_ = np.tile([0.1, 0.9], (4, 1))
    search.class_weights_, search.honest_score_ = None, replace(HONEST, score=0.5)
    found = summarize_search(search, DATA)
    assert found.one_class == OneClass("b", 1.0, 0.5)
    assert from_plain(SearchSummary, to_plain(found)).one_class == found.one_class


@pytest.mark.parametrize(
    ("n_columns", "budget", "said"),
    [
        (2, "30s", "unknown: no time was left for it."),
        (2, None, "unknown: it could not be measured."),
        (101, "30s", "no time was left for it, or the model uses more than 100 "),
    ],
)
def test_missing_importance_is_explained(search, n_columns, budget, said):
    data = from_arrays(np.eye(4, n_columns), DATA.y)
    search.budget = budget
    assert summarize_search(search, data).importance_note == ""
    search.importance_ = search.importance_.iloc[:0]
    assert said in summarize_search(search, data).importance_note


def test_the_best_pipeline_is_the_model_if_it_is_alone(search):
    search.weights_ = [("lda", 1.0)]  # if "nb" predicts too slowly
    assert name_best(search) == "lda" == summarize_search(search, DATA).best
    search.committee_ = object()
    assert name_best(search) == "nb"


def test_members_are_those_of_a_committee(search):
    assert summarize_search(search, DATA).members == ()
    search.committee_, search.weights_ = object(), [("nb", 0.6), ("lda", 0.4)]
    found = summarize_search(search, DATA)
    assert [(one.pipeline, one.weight) for one in found.members] == search.weights_


def test_details_are_of_the_out_of_fold_predictions(search):
    details = detail_search(search, DATA)
    assert details.classes.counts == ((1, 1), (0, 2)) and details.numbers is None
    assert details.complexity.wrong == (False, False, True, False)
    assert [point.trial for point in details.trace] == [0, 1, 3]
    assert details.diversity is None
    numbers = from_arrays(np.eye(4), np.arange(4.0) + 0.5, task="regression")
    search.oof_predictions_ = np.arange(4.0)
    details = detail_search(search, numbers)
    assert (
        details.numbers.bias == -0.5 and details.classes is details.complexity is None
    )


def test_diversity_needs_the_predictions_of_all_members(search):
    search.committee_, search.weights_ = object(), [("nb", 0.6), ("lda", 0.4)]
    told = search.oof_predictions_
    assert detail_search(search, DATA, member_predictions=[told]).diversity is None
    made = [told, told[:, ::-1]]
    diversity = detail_search(search, DATA, member_predictions=made).diversity
    assert diversity.differences == ((0.0, 1.0), (1.0, 0.0))
    assert_allclose(diversity.scores, [0.75, 0.25])


def test_predictions_of_members_are_read_in_their_order(search, tmp_path):
    search.committee_, search.weights_ = object(), [("lda", 0.6), ("nb", 0.4)]
    assert read_member_predictions(search) == []  # no storage
    search.storage = tmp_path / "study.sqlite"
    store = open_prediction_store(str(search.storage), search.study_name)
    for trial in (0, 3):
        told = np.full((4, 2), float(trial))
        store.write(trial, Evaluation(predictions=told))
    store.close()
    made = read_member_predictions(search)
    assert [one[0, 0] for one in made] == [0.0, 3.0]
    search.weights_ = [("unknown", 1.0)]
    assert read_member_predictions(search) == []


def test_coverage_is_that_of_new_groups_where_there_are_groups(search):
    # The errors of a group are its number: no other group covers the last of the 12.
    groups = np.repeat(np.arange(12), 20)
    data = from_arrays(np.eye(240), groups * np.tile([-1.0, 1.0], 120))
    search.oof_predictions_ = np.zeros(240)
    search.folds_ = [(None, np.arange(240))]
    assert summarize_search(search, data).coverage[-1].coverage > 0.99
    search._coverage_rows = {"sample_weight": np.ones(240), "groups": groups}
    found = summarize_search(search, data).coverage[-1]
    assert found.coverage <= 11 / 12 and found.standard_error > 0.03


def test_rows_that_are_never_tested_are_left_out(search):
    search.folds_ = [(None, np.array([2, 0, 3]))]
    search.oof_predictions_[1] = np.nan
    assert summarize_search(search, DATA).n_tested == 3
    details = detail_search(search, DATA)
    assert np.sum(details.classes.counts) == 3 and len(details.complexity.wrong) == 3
    numbers = from_arrays(np.eye(4), np.array([0.0, 1.0, 2.0, 9.0]), task="regression")
    search.oof_predictions_ = np.array([0.0, np.nan, 2.0, 4.0])
    found = detail_search(search, numbers).numbers
    assert found.mae == pytest.approx(5.0 / 3.0) and found.worst[0] == (4, 9.0, 4.0)
