"""Metrics of decisions: scikit-learn's as a twin, also where classes are missing."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics import get_scorer

from manyminds.search.evaluation.metrics import PredictionScorer
from manyminds.search.evaluation.rates import RATES, score_decisions


@pytest.mark.parametrize("metric", RATES)
def test_scores_are_those_of_scikit_learn(seed, metric):
    rng = np.random.default_rng(seed)
    y, P = rng.integers(4, size=60), rng.random((3, 60, 4))
    counts = rng.integers(3, size=(5, 60)).astype(float)
    counts[3] *= y != 2  # no row of a class that is predicted
    counts[4] *= y == 1  # one class only
    found = score_decisions(RATES[metric], P, y, counts)
    scorer = get_scorer(metric)
    for b, weights in enumerate(counts):
        rows = np.repeat(np.arange(60), weights.astype(int))
        for m, made in enumerate(P):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                expected = scorer._score_func(
                    y[rows], made[rows].argmax(axis=1), **scorer._kwargs
                )
            assert found[b, m] == pytest.approx(expected), (b, m)


def test_by_hand():
    # Right: 2 of 3 rows of the first class, 1 of 1 of the second.
    y, P = np.array([0, 0, 0, 1]), np.eye(2)[[0, 0, 1, 1]][None]
    ones = np.ones((1, 4))
    assert_allclose(score_decisions(RATES["f1_macro"], P, y, ones), (0.8 + 2 / 3) / 2)
    # (2 * 1 - 0 * 1) / sqrt(2 * 2 * 1 * 3), of the table of right and wrong rows.
    mcc = score_decisions(RATES["matthews_corrcoef"], P, y, ones)
    assert_allclose(mcc, 2 / np.sqrt(12))


def test_scorers_are_vectorized(seed):
    rng = np.random.default_rng(seed)
    y, P = rng.integers(3, size=50), rng.random((50, 3))
    for metric in RATES:
        measure = PredictionScorer(metric, "classification", np.arange(3))
        assert measure.is_vectorized
        scorer = get_scorer(metric)
        expected = scorer._score_func(y, P.argmax(axis=1), **scorer._kwargs)
        assert measure(P, y) == pytest.approx(expected)
