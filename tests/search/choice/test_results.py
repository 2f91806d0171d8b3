"""Tables of a search's results, worked by hand."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from manyminds.feature_selection.stability import nogueira_stability
from manyminds.search.choice.results import (
    make_leaderboard,
    make_selection,
    make_trace,
)
from manyminds.search.evaluation.metrics import PredictionScorer
from manyminds.search.study.prediction_store import StoredPredictions
from manyminds.search.study.trial_record import TrialRecord

ACCURACY = PredictionScorer("accuracy", "classification", np.arange(2))
RMSE = PredictionScorer("rmse", "regression")


def record(number, state="complete", score=0.5, criterion=None, folds=(0.4, 0.6)):
    criterion = score if criterion is None else criterion
    return TrialRecord(
        number, state, "first", {"learner": f"l{number}"}, f"p{number}", score,
        float(np.nanstd(folds)) if len(folds) else np.nan, criterion, list(folds),
        2.0, 1.0, float(number), "",
    )  # fmt: skip


def test_the_best_criterion_comes_first_and_ties_go_to_the_earlier():
    records = [
        record(0, score=0.9, criterion=0.5),
        record(1, score=0.8, criterion=0.7),
        record(2, score=0.6, criterion=0.7),
        record(3, "pruned", score=0.99),
    ]
    board = make_leaderboard(records, ACCURACY)
    assert board["trial"].tolist() == [1, 2, 0]
    assert board["rank"].tolist() == [1, 2, 3]
    assert board["learner"].tolist() == ["l1", "l2", "l0"]


def test_intervals_are_those_of_students_t():
    folds = [0.45, 0.5, 0.55]
    board = make_leaderboard([record(0, folds=folds)], ACCURACY, level=0.9)
    low, high = stats.t.interval(0.9, 2, 0.5, stats.sem(folds))
    assert_allclose(board[["low", "high"]], [[low, high]])
    assert_allclose(board["std"], np.std(folds))


def test_folds_without_a_score_do_not_count():
    with_gap, without = (
        make_leaderboard([record(0, folds=folds)], ACCURACY)
        for folds in ((0.4, np.nan, 0.6), (0.4, 0.6))
    )
    pd.testing.assert_frame_equal(with_gap, without)
    alone = make_leaderboard([record(0, folds=(0.5,))], ACCURACY)
    assert alone["low"].isna().all() and alone["high"].isna().all()


def test_intervals_stay_within_the_range_and_losses_are_positive():
    board = make_leaderboard([record(0, folds=(0.0, 1.0))], ACCURACY)
    assert (board["low"].iloc[0], board["high"].iloc[0]) == (0.0, 1.0)
    loss = make_leaderboard([record(0, score=-2.0, folds=(-1.0, -3.0))], RMSE)
    assert loss["score"].tolist() == [2.0] and loss["low"].tolist() == [0.0]
    assert loss["high"].iloc[0] > 2.0


@pytest.mark.parametrize(("measure", "sign"), [(ACCURACY, 1.0), (RMSE, -1.0)])
def test_the_trace_has_the_best_complete_score_so_far(measure, sign):
    records = [
        record(0, "pruned", 0.9 * sign),
        record(1, score=0.5 * sign),
        record(2, "failed", np.nan, folds=()),
        record(3, score=(0.5 + 0.2 * sign) * sign),
        record(4, score=0.5 * sign),
    ]
    trace = make_trace(records, measure)
    best = 0.5 + 0.2 * sign
    assert_allclose(trace["best"], [np.nan, 0.5, 0.5, best, best])
    assert_allclose(trace["score"], [0.9, 0.5, np.nan, best, 0.5])
    assert trace["n_folds"].tolist() == [2, 2, 0, 2, 2]
    assert trace["trial"].tolist() == [0, 1, 2, 3, 4]


def test_without_trials_there_are_empty_tables():
    assert list(make_leaderboard([], ACCURACY))[:2] == ["rank", "score"]
    assert len(make_trace([], ACCURACY)) == 0


def make_stored(*selected, names=()):
    return StoredPredictions(np.zeros(2), [np.array(s) for s in selected], list(names))


def test_columns_are_counted_over_the_folds():
    stored = make_stored([1], [0, 1], [1, 3], [1])
    selection, stability = make_selection(stored, list("abcd"))
    assert selection["feature"].tolist() == ["b", "a", "d"]  # ties as in the table
    assert selection["frequency"].tolist() == [1.0, 0.25, 0.25]
    masks = np.array([[0, 1, 0, 0], [1, 1, 0, 0], [0, 1, 0, 1], [0, 1, 0, 0]], bool)
    assert stability == nogueira_stability(masks).stability


def test_names_that_encoding_made_stand_for_the_table():
    selection, _ = make_selection(make_stored([0], [2], names=["x", "y", "z"]), ["a"])
    assert selection["feature"].tolist() == ["x", "z"]


@pytest.mark.parametrize(
    ("selected", "n_found"), [([[0, 1], [0, 1]], 2), ([[0]], 1), ([], 0)]
)
def test_stability_may_be_undefined(selected, n_found):
    selection, stability = make_selection(make_stored(*selected), ["a", "b"])
    assert len(selection) == n_found and np.isnan(stability)
