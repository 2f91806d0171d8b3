"""The bootstrap that takes the winner's luck away, beside a naive twin."""

import numpy as np
import pytest
from sklearn.metrics import accuracy_score

from manyminds.search.honest import (
    correct_for_choosing,
    draw_counts,
    score_strategies,
)
from manyminds.search.measuring import Measurer

MEASURE = Measurer("accuracy", "classification", np.array([0, 1]))


def guesses(seed, n_models, n_samples, skill=0.5):
    """Predictions that are right with a given chance, and the truth."""
    rng = np.random.default_rng(seed)
    y = np.arange(n_samples) % 2
    right = rng.random((n_models, n_samples)) < skill
    labels = np.where(right, y, 1 - y)
    return np.stack([labels == 0, labels == 1], axis=2).astype(np.float32), y


def test_equals_a_loop_over_bootstrap_samples(seed):
    P, y = guesses(seed, 6, 40, skill=0.7)
    found = correct_for_choosing(P, y, MEASURE, n_bootstraps=30, random_state=seed)
    counts = draw_counts(np.random.RandomState(seed), 30, y, classes=True)
    scores = []
    for drawn in counts:
        inside = np.repeat(np.arange(40), drawn.astype(int))
        outside = np.flatnonzero(drawn == 0)
        labels = P.argmax(axis=2)
        best = np.argmax([accuracy_score(y[inside], one[inside]) for one in labels])
        scores.append(accuracy_score(y[outside], labels[best][outside]))
    assert found.score == pytest.approx(np.mean(scores))
    assert found.low == pytest.approx(np.percentile(scores, 2.5))
    assert found.high == pytest.approx(np.percentile(scores, 97.5))


def test_samples_keep_the_size_of_each_class(seed):
    y = np.array([0] * 3 + [1] * 17)
    counts = draw_counts(np.random.RandomState(seed), 20, y, classes=True)
    assert (counts[:, :3].sum(axis=1) == 3).all()
    assert (counts[:, 3:].sum(axis=1) == 17).all()


def test_samples_that_leave_no_row_out_are_dropped(seed):
    P, y = guesses(seed, 3, 4)  # a quarter of the samples draws every row
    counts = draw_counts(np.random.RandomState(seed), 400, y, classes=True)
    assert 200 < len(counts) < 400
    assert (counts == 0).any(axis=1).all()
    found = correct_for_choosing(P, y, MEASURE, random_state=seed)
    assert 0 <= found.low <= found.score <= found.high <= 1
    kept = score_strategies(
        {"first": lambda P, y, W: np.eye(3)[0]}, P, y, MEASURE, 400, seed
    )
    assert len(kept["first"]) == len(counts)


def test_the_luck_of_guessing_is_taken_away():
    differences, naive = [], []
    for seed in range(10):
        P, y = guesses(seed, 100, 80)
        found = correct_for_choosing(P, y, MEASURE, 200, random_state=seed)
        differences.append(found.score - 0.5)
        naive.append(found.naive - 0.5)
    assert abs(np.mean(differences)) < 0.02
    assert np.mean(naive) > 0.1


def test_a_single_candidate_needs_no_correction(seed):
    P, y = guesses(seed, 1, 400, skill=0.8)
    found = correct_for_choosing(P, y, MEASURE, random_state=seed)
    assert found.score == pytest.approx(found.naive, abs=0.01)


def test_strategies_are_judged_on_rows_they_have_not_seen(seed):
    P, y = guesses(seed, 5, 60, skill=0.7)

    def remember(P, y, counts):
        seen.append(counts > 0)
        return np.array([1.0, 0, 0, 0, 0])

    seen = []
    scores = score_strategies({"first": remember}, P, y, MEASURE, 10, seed)
    right = P[0].argmax(axis=1) == y
    for score, drawn in zip(scores["first"], seen, strict=True):
        assert score == pytest.approx(right[~drawn].mean())
