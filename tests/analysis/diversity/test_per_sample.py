"""Measures of single samples: both forms of each formula, and SciPy's entropy."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import entropy

from manyminds.analysis.diversity import (
    ensemble_confidence,
    minority_share,
    vote_entropy,
)


def test_entropy_is_scipys(draw_votes):
    _, predictions = draw_votes(n_classes=4)
    expected = [
        entropy(np.unique(column, return_counts=True)[1], base=2)
        for column in predictions.T
    ]
    assert_allclose(vote_entropy(predictions), expected, atol=1e-15)


@pytest.mark.parametrize("n_members", [2, 3, 4, 7, 10])
def test_both_forms_of_the_minoritys_share(draw_votes, n_members):
    # Acceptance 4: by the smaller count, and by the size of the sum of votes.
    y, predictions = (2 * labels - 1 for labels in draw_votes(n_members, n_classes=2))
    lead = np.abs(predictions.sum(axis=0))
    assert_array_equal(ensemble_confidence(predictions), lead)
    by_lead = (n_members - lead) / (2 * (n_members // 2))
    assert_allclose(minority_share(y, predictions), by_lead)
    # For two classes it does not matter which labels are the true ones.
    assert_allclose(minority_share(-y, predictions), by_lead)


def test_confidence_is_the_lead_over_the_second():
    votes = [["a", "a", "b"], ["b", "a", "b"], ["c", "b", "b"], ["c", "c", "b"]]
    assert_array_equal(ensemble_confidence(votes), [1, 1, 4])
    assert_array_equal(ensemble_confidence([["a", "a"], ["a", "a"]]), [2, 2])
