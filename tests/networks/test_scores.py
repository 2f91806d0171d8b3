"""Scores of families: naive twins, additivity, missing values, limits."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import gammaln

from manyminds.datasets import load_network
from manyminds.networks import FamilyScores


def score_naively(X, n_states, node, parents, score, sample_size=10.0):
    """Count the cells of a family one row at a time."""
    counts = {}
    for row in X:
        place = tuple(row[list(parents)])
        counts.setdefault(place, np.zeros(n_states[node]))[int(row[node])] += 1
    q, r = int(np.prod([n_states[p] for p in parents])), n_states[node]
    if score == "bdeu":
        total = 0.0
        for cells in counts.values():
            total += gammaln(sample_size / q) - gammaln(sample_size / q + cells.sum())
            total += (gammaln(sample_size / q / r + cells)).sum()
            total -= r * gammaln(sample_size / q / r)
        return total
    likelihood = sum(
        n * math.log(n / cells.sum()) for cells in counts.values() for n in cells if n
    )
    return likelihood - q * (r - 1) * (math.log(len(X)) / 2 if score == "bic" else 1.0)


def regress_naively(X, node, parents):
    """Fit a Gaussian by least squares; BIC with an intercept and a variance."""
    left = np.column_stack([np.ones(len(X)), X[:, list(parents)]])
    rest = X[:, node] - left @ np.linalg.lstsq(left, X[:, node], rcond=None)[0]
    variance = np.mean(rest**2)
    likelihood = -0.5 * len(X) * (np.log(2 * np.pi * variance) + 1.0)
    return likelihood - (len(parents) + 2) / 2 * np.log(len(X))


@pytest.mark.parametrize("score", ["bic", "aic", "bdeu"])
def test_tables_agree_with_a_naive_twin(score, seed):
    network = load_network("asia")
    X = network.sample(200, random_state=seed, as_frame=False).astype(float)
    scores = FamilyScores(X, network.n_states, scoring=score)
    for node, parents in [(0, ()), (5, (1, 3)), (7, (4, 5)), (2, (0, 1, 6))]:
        expected = score_naively(X, network.n_states, node, parents, score)
        assert_allclose(scores.score(node, parents), expected, rtol=1e-10)


def test_numbers_agree_with_least_squares(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(100, 4)) @ rng.normal(size=(4, 4)) + 50.0
    scores = FamilyScores(X)
    for node, parents in [(0, ()), (1, (0,)), (2, (0, 1, 3))]:
        expected = regress_naively(X, node, parents)
        assert_allclose(scores.score(node, parents), expected, rtol=1e-6)


def test_numbers_given_categories_are_regressions_of_parts(seed):
    rng = np.random.default_rng(seed)
    state = rng.integers(3, size=300)
    x = rng.normal(size=300)
    y = x * state + state + rng.normal(size=300)
    X = np.column_stack([state, x, y])
    scores = FamilyScores(X, [3, 0, 0], scoring="log_likelihood")
    parts = sum(
        regress_naively(X[state == s], 2, [1]) + 1.5 * np.log(np.sum(state == s))
        for s in range(3)
    )
    assert_allclose(scores.score(2, [0, 1]), parts, rtol=1e-6)
    bic = FamilyScores(X, [3, 0, 0]).score(2, [1, 0])
    assert_allclose(bic, parts - 9 / 2 * np.log(300), rtol=1e-6)


def test_weights_are_copies(seed):
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.integers(2, size=50), rng.normal(size=50)])
    weight = rng.integers(1, 4, size=50)
    weighted = FamilyScores(X, [2, 0], sample_weight=weight.astype(float))
    copied = FamilyScores(np.repeat(X, weight, axis=0), [2, 0])
    for node, parents in [(0, []), (1, []), (1, [0])]:
        assert_allclose(weighted.score(node, parents), copied.score(node, parents))


def test_missing_values_are_scaled_up(seed):
    # A family is scored on the rows that have all of it, as if all had.
    rng = np.random.default_rng(seed)
    X = rng.integers(2, size=(100, 2)).astype(float)
    X[:20, 0] = np.nan
    some = FamilyScores(X[20:], [2, 2], scoring="log_likelihood")
    scores = FamilyScores(X, [2, 2], scoring="log_likelihood")
    assert_allclose(scores.score(1, [0]), some.score(1, [0]) * 100 / 80)
    numbers = rng.normal(size=(100, 2))
    numbers[:20, 0] = np.nan
    some = FamilyScores(numbers[20:], scoring="log_likelihood")
    scores = FamilyScores(numbers, scoring="log_likelihood")
    assert_allclose(scores.score(1, [0]), some.score(1, [0]) * 100 / 80, rtol=1e-6)


def test_impossible_families_and_errors(seed):
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.integers(2, size=20), rng.normal(size=20)])
    assert FamilyScores(X, [2, 0]).score(0, [1]) == -np.inf
    wide = rng.integers(300, size=(50, 4)).astype(float)
    assert FamilyScores(wide, [300] * 4).score(0, [1, 2]) == -np.inf
    with pytest.raises(ValueError, match="scoring must be one of"):
        FamilyScores(X, [2, 0], scoring="k2")
    with pytest.raises(ValueError, match=r"bdeu.*numeric: \[1\]"):
        FamilyScores(X, [2, 0], scoring="bdeu")


def test_each_family_is_scored_once():
    scores = FamilyScores(np.eye(4))
    scores.score(0, [1, 2])
    scores.score(0, [2, 1])
    assert scores.n_scored == 1
