"""Seconds of folds are averaged as the folds end; ended trials keep their folds."""

import pytest

from manyminds.search.evaluation.evaluation import Evaluation, end_as_slow


def test_seconds_are_means_over_folds():
    found = Evaluation()
    for fit, predict, n_tested in ((2.0, 1.0, 10), (4.0, 2.0, 4)):
        found.add_seconds(fit, predict, n_tested)
        found.fold_scores.append(0.5)
    assert found.fit_seconds == pytest.approx((2.0 + 4.0) / 2)
    assert found.predict_seconds == pytest.approx((0.1 + 0.5) / 2)


def test_a_trial_that_is_ended_keeps_the_folds_that_it_continued():
    before = Evaluation("slow", fold_scores=[0.9], score=0.9, seconds=4.0)
    ended = end_as_slow(before, 10.0)
    assert (ended.state, ended.fold_scores, ended.seconds) == ("slow", [0.9], 14.0)
    assert ended.reason and not before.reason
    assert end_as_slow(None, 10.0).fold_scores == []
