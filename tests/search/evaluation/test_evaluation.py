"""Seconds of folds are averaged as the folds end."""

import pytest

from manyminds.search.evaluation.evaluation import Evaluation


def test_seconds_are_means_over_folds():
    found = Evaluation()
    for start, fitted, predicted, n_tested in ((0.0, 2.0, 3.0, 10), (3.0, 7.0, 9.0, 4)):
        found.add_seconds(start, fitted, predicted, n_tested)
        found.fold_scores.append(0.5)
    assert found.fit_seconds == pytest.approx((2.0 + 4.0) / 2)
    assert found.predict_seconds == pytest.approx((0.1 + 0.5) / 2)
