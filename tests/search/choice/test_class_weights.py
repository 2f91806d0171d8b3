"""Weights of classes: metrics of scikit-learn, and all of the grid as a twin."""

from time import perf_counter

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.search.choice import class_weights
from manyminds.search.choice.class_weights import (
    GRID,
    MAX_SWEEPS,
    MIN_GAIN,
    TINY,
    _count_decisions,
    _find_middle,
    decide_by,
    tune_class_weights,
)
from manyminds.search.evaluation.rates import RATES


def draw(seed, n_classes=3, n_rows=300):
    rng = np.random.default_rng(seed)
    y = rng.choice(n_classes, size=n_rows, p=np.arange(1, n_classes + 1) ** 2
                   / (np.arange(1, n_classes + 1) ** 2).sum())  # fmt: skip
    logits = rng.normal(size=(n_rows, n_classes)) + 1.5 * np.eye(n_classes)[y]
    logits += 2.0 * np.log(np.arange(1, n_classes + 1))
    P = np.exp(logits)
    return P / P.sum(axis=1, keepdims=True), y


@pytest.mark.parametrize("metric", RATES)
def test_two_classes_get_the_best_weight_of_the_grid(seed, metric):
    P, y = draw(seed, n_classes=2)
    weights = tune_class_weights(P, y, metric)
    rate, ones = RATES[metric], np.ones(len(y))

    def score(log_weight):
        decided = (P * np.exp([0.0, log_weight])).argmax(axis=1)
        return rate(*_count_decisions(decided, y, ones, 2))

    best = max(score(0.0), *(score(one) for one in GRID))
    decided = (P * weights).argmax(axis=1)
    assert rate(*_count_decisions(decided, y, ones, 2)) == pytest.approx(best)
    assert np.prod(weights) == pytest.approx(1.0)


@pytest.mark.parametrize("metric", RATES)
def test_many_classes_score_no_worse_than_without(seed, metric):
    P, y = draw(seed, n_classes=4)
    weights = tune_class_weights(P, y, metric)
    ones, rate = np.ones(len(y)), RATES[metric]
    before, after = (
        rate(*_count_decisions((P * one).argmax(axis=1), y, ones, 4))
        for one in (1.0, weights)
    )
    assert after >= before
    assert metric != "balanced_accuracy" or weights[0] > 2.0 * weights[3]


def test_a_row_that_counts_twice_is_like_two_rows(seed):
    P, y = draw(seed)
    counts = np.random.default_rng(seed).integers(3, size=len(y))
    rows = np.repeat(np.arange(len(y)), counts)
    found = tune_class_weights(P, y, "f1_macro", counts)
    assert_allclose(found, tune_class_weights(P[rows], y[rows], "f1_macro"))


def tune_naively(P, y, metric, counts):
    """Decide all rows anew for each weight of the grid, of one class after the other.

    A weight moves a row to its class only beyond a tie with the best of the others.
    """
    logs = np.log(np.maximum(P.astype(np.float64), TINY))
    n_classes, rows = P.shape[1], np.arange(len(y))
    weights, rate = np.zeros(n_classes), RATES[metric]
    best = rate(*_count_decisions(logs.argmax(axis=1), y, counts, n_classes))
    for _ in range(MAX_SWEEPS):
        before = best
        for code in range(n_classes) if n_classes > 2 else (1,):
            others = logs + weights
            own = others[:, code] - weights[code]
            others[:, code] = -np.inf
            rest = others.argmax(axis=1)
            is_own = others[rows, rest] - own < GRID[:, None]
            scores = np.array(
                [
                    rate(
                        *_count_decisions(
                            np.where(one, code, rest), y, counts, n_classes
                        )
                    )
                    for one in is_own
                ]
            )
            score, place = _find_middle(scores)
            if score > best + MIN_GAIN:
                best, weights[code] = score, GRID[place]
        if best <= before:
            break
    return np.exp(weights - weights.mean())


@pytest.mark.parametrize("metric", RATES)
@pytest.mark.parametrize("n_classes", [2, 3, 12])
def test_weights_are_those_of_a_naive_twin(seed, metric, n_classes):
    P, y = draw(seed, n_classes)
    counts = np.random.default_rng(seed).integers(3, size=len(y)).astype(float)
    votes = np.round(P, 1)  # as of ten neighbors: with ties
    for made in (P, P.astype(np.float32), np.sqrt(P), votes):
        expected = tune_naively(made, y, metric, counts)
        assert_allclose(tune_class_weights(made, y, metric, counts), expected)


@pytest.mark.slow
def test_a_sweep_is_not_quadratic_in_the_classes(seed, monkeypatch):
    # Ten times the classes took 13 times as long, and 55 times with a copy of all
    # probabilities for each class.
    monkeypatch.setattr(class_weights, "MAX_SWEEPS", 1)
    seconds = [[], []]
    for n_classes, taken in zip((40, 400), seconds):
        P, y = draw(seed, n_classes, n_rows=4_900)
        for _ in range(3):
            start = perf_counter()
            tune_class_weights(P, y, "balanced_accuracy")
            taken.append(perf_counter() - start)
    assert min(seconds[1]) < 28.0 * min(seconds[0])


def test_what_cannot_be_better_stays_as_it_is():
    P = np.array([[0.9, 0.1], [0.2, 0.8], [0.7, 0.3]])
    assert_array_equal(tune_class_weights(P, np.array([0, 1, 0]), "accuracy"), [1, 1])


def test_decisions_by_hand():
    P = np.array([[0.6, 0.4], [0.9, 0.1]])
    assert decide_by(P, None) is P
    assert_allclose(decide_by(P, np.array([1.0, 3.0])), [[1 / 3, 2 / 3], [0.75, 0.25]])
