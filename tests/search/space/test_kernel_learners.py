"""Nets are bounded by the size of the table; decision values are calibrated."""

import numpy as np
from sklearn.calibration import CalibratedClassifierCV

from manyminds.search import Problem
from manyminds.search.space.kernel_learners import limit_epochs, make_elm, make_svm


def test_nets_are_fewer_and_have_fewer_epochs_for_many_cells():
    # Eight columns: a row costs 1 + 8 / 128 of the hidden layers' share. Nets of
    # 100,000 rows may see them 112 times, those of 300,000 rows 37 times.
    def limit(nets, epochs, n_rows):
        problem = Problem("regression", n_rows, 8, n_encoded=8)
        return limit_epochs(nets, epochs, problem)

    assert limit(3, 64, 1_000) == (3, 64)
    assert limit(3, 64, 100_000) == (3, 112 // 3)
    assert limit(8, 64, 100_000) == (112 // 24, 112 // 4)
    assert limit(3, 64, 300_000) == (1, 37)
    assert limit(3, 5, 300_000) == (3, 5)
    assert limit(3, 64, 10**7) == (1, 8)


def test_classes_have_probabilities(seed):
    X = np.random.default_rng(seed).normal(size=(60, 2))
    y = (X[:, 0] > 0.0).astype(int)
    problem = Problem.of(X, y, "classification")
    assert isinstance(make_elm(problem, 20, 1.0), CalibratedClassifierCV)
    for model in (make_elm(problem, 20, 1.0), make_svm(problem, kernel="linear")):
        made = model.fit(X, y).predict_proba(X)
        assert made.shape == (60, 2) and (made[y == 1, 1] > 0.5).mean() > 0.8
