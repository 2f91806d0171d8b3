"""Committees grown on out-of-fold predictions."""

import numpy as np
import pytest

from manyminds.search import grow_committee
from manyminds.search.evaluation.metrics import PredictionScorer

RMSE = PredictionScorer("rmse", "regression")


def test_equals_a_naive_greedy_search(seed):
    rng = np.random.default_rng(seed)
    y = rng.normal(size=30)
    P = y + rng.normal(size=(6, 30))
    found = grow_committee(P, y, RMSE, n_rounds=7, n_bags=1, random_state=0)
    taken, best, best_taken = [], np.inf, []
    for _ in range(7):
        errors = [
            np.sqrt(np.mean((P[[*taken, c]].mean(axis=0) - y) ** 2)) for c in range(6)
        ]
        taken = [*taken, int(np.argmin(errors))]
        if min(errors) < best - 1e-9:
            best, best_taken = min(errors), taken
    counts = np.bincount(best_taken, minlength=6)
    np.testing.assert_allclose(found, counts / counts.sum())


def test_rows_that_count_twice_are_rows_given_twice(seed):
    rng = np.random.default_rng(seed)
    y = rng.normal(size=30)
    P = y + rng.normal(size=(6, 30))
    counts = rng.integers(3, size=30).astype(float)
    rows = np.repeat(np.arange(30), counts.astype(int))
    weighed = grow_committee(P, y, RMSE, counts=counts, random_state=seed)
    repeated = grow_committee(P[:, rows], y[rows], RMSE, random_state=seed)
    np.testing.assert_allclose(weighed, repeated)


def test_weights_sum_to_one_and_leave_the_useless_out(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=200)
    signal = np.where(y == 1, 0.7, 0.3) + rng.normal(0, 0.2, size=(4, 200))
    P = np.clip(np.stack([*signal, rng.random(200)]), 0.01, 0.99)
    P = np.stack([1 - P, P], axis=2)
    measure = PredictionScorer("log_loss", "classification", np.array([0, 1]))
    weights = grow_committee(P, y, measure, random_state=seed)
    assert weights.sum() == pytest.approx(1.0)
    assert weights[4] < 0.1
