"""Measures of a whole ensemble: by hand, by the identities that tie them together."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.analysis.diversity import (
    coincident_errors,
    coincident_failure_diversity,
    difficulty,
    disagreement,
    ensemble_coincident_errors,
    entropy_measure,
    generalized_diversity,
    interrater_agreement,
    kohavi_wolpert_variance,
    minority_share,
)

# Three members, five samples, which 3, 3, 2, 1 and 0 members get right.
TRUTH = np.ones(5, dtype=int)
THREE = np.array([[1, 1, 1, 1, 0], [1, 1, 1, 0, 0], [1, 1, 0, 0, 0]])


def test_worked_example():
    assert_allclose(kohavi_wolpert_variance(TRUTH, THREE), (2 + 2) / (5 * 9))
    # Mean accuracy 9/15 = 0.6.
    expected = 1 - 4 / (5 * 3 * 2 * 0.6 * 0.4)
    assert_allclose(interrater_agreement(TRUTH, THREE), expected)
    assert_allclose(entropy_measure(TRUTH, THREE), 2 / 5)
    assert_allclose(difficulty(TRUTH, THREE), np.var([1, 1, 2 / 3, 1 / 3, 0]))
    # One, two and three fail on one sample in five each.
    one, two = (1 + 2 + 3) / 3 / 5, (2 + 6) / 6 / 5
    assert_allclose(generalized_diversity(TRUTH, THREE), 1 - two / one)
    # (2 + 1 + 0) / 2 over the three samples on which somebody fails.
    assert_allclose(coincident_failure_diversity(TRUTH, THREE), 1.5 / 3)
    assert_allclose(ensemble_coincident_errors(TRUTH, THREE), 3 / (5 - 1 - 2 + 3))


def test_identities(draw_votes):
    # Those of Kuncheva and Whitaker (2003), and the law of total variance.
    for offset, n_members in enumerate([2, 5, 8]):
        y, predictions = draw_votes(n_members, offset=offset)
        variance = kohavi_wolpert_variance(y, predictions)
        split = disagreement(y, predictions, on="correctness")
        assert_allclose(variance, (n_members - 1) / (2 * n_members) * split)
        accuracy = np.mean(predictions == y)
        expected = 1 - split / (2 * accuracy * (1 - accuracy))
        assert_allclose(interrater_agreement(y, predictions), expected)
        expected = accuracy * (1 - accuracy) - variance
        assert_allclose(difficulty(y, predictions), expected)
        expected = minority_share(y, predictions).mean()
        assert_allclose(entropy_measure(y, predictions), expected)


def test_generalized_diversity_by_drawing_pairs(draw_votes):
    y, predictions = draw_votes()
    wrong, n = predictions != y, len(predictions)
    pairs = [(t, u) for t in range(n) for u in range(n) if t != u]
    two_fail = np.mean([np.mean(wrong[t] & wrong[u]) for t, u in pairs])
    expected = 1 - two_fail / wrong.mean()
    assert_allclose(generalized_diversity(y, predictions), expected)


def test_two_members_share_errors_as_a_pair_does(draw_votes):
    # Acceptance 2: the measure of the whole ensemble, of two members, is the pair's.
    for offset in range(10):
        y, predictions = draw_votes(2, 12, offset=offset)
        pair = coincident_errors(y, predictions)
        assert_allclose(ensemble_coincident_errors(y, predictions), pair)


@pytest.mark.parametrize("n_members", [2, 3])
def test_ends_of_the_scale(n_members):
    apart = 1 - np.eye(n_members, 4)
    together = np.repeat([[1, 1, 0, 0]], n_members, axis=0)
    perfect, truth = np.ones((n_members, 4)), np.ones(4)
    assert generalized_diversity(truth, apart) == 1.0
    assert coincident_failure_diversity(truth, apart) == 1.0
    assert ensemble_coincident_errors(truth, apart) == 0.0
    assert generalized_diversity(truth, together) == 0.0
    assert coincident_failure_diversity(truth, together) == 0.0
    assert ensemble_coincident_errors(truth, together) == 1.0
    assert interrater_agreement(truth, together) == 1.0
    assert np.isnan(interrater_agreement(truth, perfect))
    assert np.isnan(generalized_diversity(truth, perfect))
    assert np.isnan(ensemble_coincident_errors(truth, perfect))
    assert coincident_failure_diversity(truth, perfect) == 0.0
