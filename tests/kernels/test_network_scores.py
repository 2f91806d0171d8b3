"""Scores of families: the memory returns what a fresh score is."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.kernels.network_scores import BIC, ScoreRules, score_families
from manyminds.networks.bayesian.columns import make_family_data
from manyminds.networks.scores import make_room


@pytest.mark.no_jit
def test_many_families_at_once():
    X = np.array([[0, 0], [0, 1], [1, 1], [1, 1]], dtype=float)
    data = make_family_data(X, np.array([2, 2]), np.ones(4))
    out = np.empty(2)
    score_families(
        data, ScoreRules(BIC, 1.0), np.array([1, 1]), np.array([[0], [0]]),
        np.array([0, 1]), make_room(data), out,
    )  # fmt: skip
    alone = np.log(1 / 4) + 3 * np.log(3 / 4) - np.log(4) / 2
    given = 2 * np.log(1 / 2) - np.log(4)
    assert_allclose(out, [alone, given])


@pytest.mark.no_jit
def test_constant_columns_have_finite_scores():
    X = np.ones((5, 2))
    data = make_family_data(X, np.array([0, 0]), np.ones(5))
    out = np.empty(1)
    score_families(
        data, ScoreRules(BIC, 1.0), np.array([1]), np.array([[0]]), np.array([1]),
        make_room(data), out,
    )  # fmt: skip
    assert np.isfinite(out).all()
