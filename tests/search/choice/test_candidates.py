"""Candidates: which are read, and what their fits and predictions take."""

from types import SimpleNamespace

import numpy as np
import pytest

from manyminds.search.choice.candidates import (
    estimate_fits,
    estimate_prediction,
    find_kept,
    find_quick,
    list_learners,
    read_candidates,
)
from manyminds.search.evaluation.evaluation import Evaluation
from manyminds.search.study.prediction_store import MemoryPredictionStore
from manyminds.search.study.trial_record import TrialRecord
from manyminds.utils.errors import InputError


def record(number, score, learner="gb", state="complete", **more):
    pipeline = {"learner": learner, "n": number, **more}
    return TrialRecord(
        number, state, "base", pipeline, f"p{number}", score, 0.0, score, [score], 1.0,
        2.0, 0.0, "too slow" if state == "slow" else "", predict_seconds=0.001,
    )  # fmt: skip


def make_evaluator(kept=()):
    return SimpleNamespace(
        folds=[(None, np.arange(0, 3)), (None, np.arange(3, 6))],
        problem=SimpleNamespace(n_classes=0, n_labels=0),
        measure=SimpleNamespace(is_vectorized=True),
        has_kept=lambda pipeline: pipeline["n"] in kept,
    )


def make_store(*numbers):
    store = MemoryPredictionStore()
    for number in numbers:
        store.write(number, Evaluation(predictions=np.zeros(6)))
    return store


def test_the_best_with_predictions_are_read_in_their_order():
    records = [record(0, 0.5), record(1, 0.9), record(2, 0.7), record(3, 0.8)]
    found, stored = read_candidates(
        records, make_store(0, 2, 3), make_evaluator(), None
    )
    assert [one.number for one in found] == [3, 2, 0] and set(stored) == {0, 2, 3}


def test_without_a_candidate_the_reasons_are_named():
    with pytest.raises(InputError, match=r"None of 1 pipelines .* Reasons: too slow"):
        read_candidates(
            [record(0, 0.5, state="slow")], make_store(), make_evaluator(), None
        )


def test_a_learner_of_the_second_level_is_another():
    records = [record(0, 0.5), record(1, 0.5), record(2, 0.5, inputs=(0, 1))]
    names = list_learners(records)
    assert names[0] == names[1] != names[2]


def test_models_of_folds_all_predict_and_need_no_fit():
    one, other = record(0, 0.5), record(1, 0.5)
    evaluator = make_evaluator(kept=(1,))
    assert find_kept([one, other], evaluator).tolist() == [False, True]
    assert estimate_prediction(one, evaluator) == pytest.approx(0.001)
    assert estimate_prediction(other, evaluator) == pytest.approx(0.002)
    assert estimate_fits([one], 2) == pytest.approx([4.0])  # of twice the rows


def test_the_best_is_quick_whatever_it_takes():
    assert find_quick(np.array([9.0, 1.0, 9.0]), 5.0).tolist() == [True, True, False]
