"""The terms of the 0/1 error: worked examples, identities, a naive twin."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.analysis.decomposition import decompose_votes
from manyminds.analysis.decomposition.terms import (
    KINDS,
    domingos_factors,
    zero_one_parts,
)


@pytest.fixture
def chances(seed):
    """Class probabilities and counts of votes: many classes, some votes tied."""

    def draw(n_classes, n_points=300, n_predictors=10):
        rng = np.random.default_rng(seed)
        posterior = rng.dirichlet(np.ones(n_classes), size=n_points)
        shares = rng.dirichlet(np.ones(n_classes), size=n_points)
        return posterior, rng.multinomial(n_predictors, shares)

    return draw


def enumerate_error(p, votes):
    """The naive twin: every class with every predictor, from the definitions."""
    n, k = votes.sum(), len(p)
    predictors = np.repeat(np.arange(k), votes)
    best = min(range(k), key=lambda i: (-p[i], i))
    central = min(range(k), key=lambda i: (-votes[i], i))

    def loss_of(answer):
        return sum(p[y] for y in range(k) if y != answer)

    noise, off = loss_of(best), loss_of(central)
    error = np.mean([loss_of(answer) for answer in predictors])
    webb = sum(p[y] for y in range(k) if y != central) * votes[central] / n
    return {
        "noise": noise,
        "bias": float(best != central),
        "variance": np.mean(predictors != central),
        "systematic_effect": off - noise,
        "variance_effect": error - off,
        "error": error,
    }, webb


@pytest.mark.parametrize("n_classes", [2, 3, 7])
def test_naive_twin(chances, n_classes):
    posterior, votes = chances(n_classes)
    found = decompose_votes(posterior, votes)
    webb = found.terms("webb")["bias"]
    for i, (p, count) in enumerate(zip(posterior, votes)):
        expected, webb_bias = enumerate_error(p, count)
        for name, value in expected.items():
            assert_allclose(getattr(found, name)[i], value, atol=1e-12)
        assert_allclose(webb[i], webb_bias, atol=1e-12)


@pytest.mark.parametrize("n_classes", [2, 3, 9])
@pytest.mark.parametrize("ties", ["lowest", "average"])
@pytest.mark.parametrize("kind", KINDS)
def test_terms_add_up(chances, n_classes, ties, kind):
    # Item 1 of the acceptance list, and the same for the other papers.
    posterior, votes = chances(n_classes)
    found = decompose_votes(posterior, votes, ties=ties)
    total = sum(found.terms(kind).values())
    right = (posterior * votes).sum(axis=1) / 10
    assert_allclose(found.error, 1.0 - right, atol=1e-12)
    assert_allclose(total, found.error, atol=1e-12)
    assert found.systematic_effect.min() >= 0.0


def test_a_steady_predictor_has_no_variance(chances):
    # Item 2: one that always says the same, and the best possible one.
    posterior, _ = chances(4)
    steady = decompose_votes(posterior, np.tile([0, 0, 50, 0], (len(posterior), 1)))
    assert_allclose(steady.variance, 0.0)
    assert_allclose(steady.variance_effect, 0.0)
    assert_allclose(steady.error, steady.noise + steady.systematic_effect, atol=1e-12)
    best = decompose_votes(posterior, 50.0 * np.eye(4)[posterior.argmax(axis=1)])
    for name in ("bias", "systematic_effect", "variance_effect"):
        assert_allclose(getattr(best, name), 0.0)
    assert_allclose(best.error, best.noise, atol=1e-12)


def test_two_classes_have_effects_of_one_size(chances):
    # Item 3: |VE| is (2 p - 1) times the variance, positive where there is no bias.
    posterior, votes = chances(2, n_predictors=11)
    found = decompose_votes(posterior, votes)
    margin = 2.0 * posterior.max(axis=1) - 1.0
    sign = np.where(found.bias == 0.0, 1.0, -1.0)
    assert_allclose(found.variance_effect, sign * margin * found.variance, atol=1e-12)
    assert_allclose(found.systematic_effect, margin * found.bias, atol=1e-12)


def test_variance_may_help():
    # Item 5, worked by hand: 0.25 - (0.14 + 0.0875 + 0.10).
    found = decompose_votes([[0.4, 0.35, 0.25]], [[0.35, 0.25, 0.40]])
    assert found.central[0] == 2
    assert_allclose(found.variance_effect, -0.0775)
    assert_allclose(found.systematic_effect, 0.15)


def test_ties_go_to_the_lowest_class_or_to_all():
    posterior, votes = [[0.6, 0.3, 0.1]], [[2, 4, 4]]
    lowest = decompose_votes(posterior, votes)
    assert_allclose(lowest.systematic_effect, 0.6 - 0.3)
    average = decompose_votes(posterior, votes, ties="average")
    assert_allclose(average.systematic_effect, 0.6 - 0.2)
    assert_allclose(average.variance_effect, 0.2 - (0.12 + 0.12 + 0.04), atol=1e-12)
    shared = decompose_votes(posterior, [[5, 5, 0]], ties="average")
    assert_allclose(shared.bias, 0.5)


def test_factors_of_domingos(chances):
    # The printed factors of two classes, and that of variance for more.
    posterior, votes = chances(2, n_predictors=11)
    votes = votes / 11
    parts = zero_one_parts(posterior, votes, "lowest")
    noise, variance = domingos_factors(parts, posterior, votes)
    best = posterior.argmax(axis=1)
    votes_best = votes[np.arange(len(best)), best]
    assert_allclose(noise, 2.0 * votes_best - 1.0, atol=1e-9)
    assert_allclose(variance, np.where(parts["bias"] == 0.0, 1.0, -1.0), atol=1e-9)

    posterior, votes = chances(5)
    votes = votes / 10
    parts = zero_one_parts(posterior, votes, "lowest")
    _, variance = domingos_factors(parts, posterior, votes)
    biased = (parts["bias"] == 1.0) & (parts["variance"] > 0.0)
    best = posterior.argmax(axis=1)
    given_other = votes[np.arange(len(best)), best][biased]
    given_other /= parts["variance"][biased]
    assert_allclose(variance[biased], -given_other, atol=1e-9)
    assert variance[parts["bias"] == 0.0] == pytest.approx(1.0)


def test_kohavi_and_wolpert_without_bias(seed):
    # Two votes say little, but the mean of many pairs must not depend on their number.
    rng = np.random.default_rng(seed)
    p, q, n_points = np.array([0.7, 0.2, 0.1]), np.array([0.5, 0.3, 0.2]), 20_000
    votes = rng.multinomial(2, q, size=n_points)
    found = decompose_votes(np.tile(p, (n_points, 1)), votes)
    plain, unbiased = (
        found.terms("kohavi_wolpert", unbiased=flag) for flag in (False, True)
    )
    # Standard errors are below 0.004.
    assert_allclose(
        unbiased["squared_bias"].mean(), np.square(p - q).sum() / 2, atol=0.02
    )
    assert_allclose(
        unbiased["variance"].mean(), (1 - np.square(q).sum()) / 2, atol=0.02
    )
    assert plain["squared_bias"].mean() > unbiased["squared_bias"].mean() + 0.1
    assert_allclose(sum(unbiased.values()), found.error, atol=1e-12)
