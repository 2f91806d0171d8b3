"""Ambiguity: the identity it is made for, and both of its forms for labels."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.analysis import measure_diversity_error
from manyminds.analysis.diversity import (
    decompose_ambiguity,
    majority_vote,
    member_ambiguity,
    sample_ambiguity,
)


def test_error_is_that_of_members_less_ambiguity(seed):
    # Acceptance 3: to 1e-12, for any predictions and weights.
    rng = np.random.default_rng(seed)
    for n_members in (1, 2, 9):
        predictions, y = rng.normal(size=(n_members, 50)), rng.normal(size=50)
        weights = rng.dirichlet(np.ones(n_members))
        found = decompose_ambiguity(y, predictions, weights=weights)
        gap = found.ensemble_error - (found.member_error - found.ambiguity)
        assert abs(gap) < 1e-12
        mean = weights @ predictions
        assert_allclose(found.ensemble_error, np.mean((mean - y) ** 2))
        by_sample = weights @ (predictions - mean) ** 2
        assert_allclose(found.sample_ambiguity, by_sample, atol=1e-15)
        assert_allclose(sample_ambiguity(predictions, weights=5 * weights), by_sample)


def test_ambiguity_is_half_the_mean_square_between_members(seed):
    # Another room's measure: pairs of different members, of 2 T / (T - 1) times all.
    rng = np.random.default_rng(seed)
    predictions = rng.normal(size=(6, 20))
    between = measure_diversity_error(np.zeros(20), predictions).diversity ** 2
    found = decompose_ambiguity(np.zeros(20), predictions)
    assert_allclose(found.ambiguity, between.mean() * 5 / 12)


def test_both_forms_for_two_classes(draw_votes):
    # Acceptance 6: by counting contradictions, and by the product of -1 and 1.
    _, predictions = draw_votes(5, n_classes=2)
    signs = 2 * predictions - 1
    vote = np.sign(signs.sum(axis=0))
    by_product = 0.5 - (signs * vote).mean(axis=1) / 2
    assert_allclose(member_ambiguity(signs), by_product)
    assert_allclose(member_ambiguity(signs, vote=vote), by_product)


def test_another_ensembles_vote(draw_votes, seed):
    y, predictions = draw_votes(6)
    assert_allclose(
        member_ambiguity(predictions, vote=y), np.mean(predictions != y, axis=1)
    )
    options = {"tie_break": "random", "random_state": seed}
    vote = majority_vote(predictions, **options)
    assert_array_equal(
        member_ambiguity(predictions, **options),
        member_ambiguity(predictions, vote=vote),
    )


@pytest.mark.parametrize("weights", [[1.0], [1.0, -1.0], [0.0, 0.0]])
def test_weights_that_weigh_nothing_are_refused(weights):
    with pytest.raises(ValueError, match="weights must be 2 numbers of 0 or more"):
        sample_ambiguity([[1.0], [2.0]], weights=weights)


def test_targets_of_other_samples_are_refused():
    with pytest.raises(ValueError, match="one target for each of the 1 columns"):
        decompose_ambiguity([1.0, 2.0], [[1.0], [2.0]])
