"""Weights on the simplex: worked examples, and a general solver as a twin."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import linprog, minimize

from manyminds.search import weigh_committee
from manyminds.search.choice.simplex import Losses


def pool(seed, n_models=6, n_rows=150, n_classes=3):
    """Probabilities of models of different skill, and the classes."""
    rng = np.random.default_rng(seed)
    y = rng.integers(n_classes, size=n_rows)
    logits = rng.normal(size=(n_models, n_rows, n_classes))
    logits[:, np.arange(n_rows), y] += rng.uniform(0.2, 1.5, size=(n_models, 1))
    P = np.exp(logits)
    return P / P.sum(axis=2, keepdims=True), y


def solve_by_slsqp(losses, n_models):
    found = minimize(
        lambda weights: losses.counts @ losses.of_rows(weights),
        np.full(n_models, 1.0 / n_models),
        method="SLSQP",
        bounds=[(0.0, 1.0)] * n_models,
        constraints={"type": "eq", "fun": lambda weights: weights.sum() - 1.0},
        options={"ftol": 1e-13, "maxiter": 1000},
    )
    return found.x


def test_two_complementary_models_get_a_half_each():
    # Each is sure where the other guesses.
    y = np.array([0, 1, 0, 1])
    given = np.array([[0.9, 0.9, 0.5, 0.5], [0.5, 0.5, 0.9, 0.9]])
    P = np.where(y[:, None] == [0, 1], given[:, :, None], 1.0 - given[:, :, None])
    assert_allclose(weigh_committee(P, y), [0.5, 0.5], atol=1e-6)


def test_numbers_by_hand():
    # Errors 1 and -2 cancel at 2/3 and 1/3.
    P = np.array([[1.0, 1.0], [-2.0, -2.0]])
    assert_allclose(weigh_committee(P, np.zeros(2)), [2 / 3, 1 / 3], atol=1e-6)
    assert_allclose(weigh_committee(np.zeros((2, 3)), np.zeros(3)), [0.5, 0.5])


@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_is_what_a_general_solver_finds(seed, kind):
    rng = np.random.default_rng(seed)
    for draw in range(5):
        P, y = pool([seed, draw])
        if kind == "numbers":
            y = rng.normal(size=150)
            P = y + rng.normal(size=(6, 150)) * rng.uniform(0.5, 1.0, size=(6, 1))
        losses = Losses(P, y, rng.integers(3, size=150).astype(float))
        found, expected = losses.minimize(), solve_by_slsqp(losses, 6)
        assert found.min() >= 0.0 and found.sum() == pytest.approx(1.0)
        loss = [losses.counts @ losses.of_rows(one) for one in (found, expected)]
        assert loss[0] <= loss[1] + 1e-6
        assert_allclose(found, expected, atol=5e-3)


def test_a_row_that_counts_twice_is_like_two_rows(seed):
    P, y = pool(seed)
    counts = np.random.default_rng(seed).integers(3, size=150)
    rows = np.repeat(np.arange(150), counts)
    weights = weigh_committee(P, y, counts=counts)
    assert_allclose(weights, weigh_committee(P[:, rows], y[rows]), atol=1e-5)


def test_units_and_order_do_not_matter(seed):
    rng = np.random.default_rng(seed)
    y = rng.normal(size=80)
    P = y + rng.normal(size=(5, 80))
    weights = weigh_committee(P, y)
    assert_allclose(weigh_committee(1e6 * P + 7, 1e6 * y + 7), weights, atol=1e-6)
    assert_allclose(weigh_committee(P[::-1], y)[::-1], weights, atol=1e-6)


def test_equal_models_share_their_weight(seed):
    P, y = pool(seed, n_models=1)
    assert_allclose(weigh_committee(P[[0, 0, 0, 0]], y), 0.25, atol=1e-4)


def test_a_model_that_is_sure_and_wrong_is_left_out():
    y = np.array([0, 0, 0, 1])
    P = np.array([[[0.7, 0.3]] * 4, [[0.0, 1.0]] * 4])
    weights = weigh_committee(P, y)
    assert np.isfinite(weights).all()
    # Of the true classes the first has 0.7, 0.7, 0.7, 0.3, and the prior has 3/4.
    assert_allclose(weights, [1.0, 0.0], atol=1e-5)
    assert weigh_committee(P, y[[0, 3, 3, 3]])[1] > 0.3


def test_absolute_errors_are_those_of_a_linear_program(seed):
    rng = np.random.default_rng(seed)
    y = rng.standard_t(2, size=60)
    P = y + rng.standard_t(2, size=(4, 60)) * rng.uniform(0.5, 1.0, size=(4, 1))
    losses = Losses(P, y, is_absolute=True)
    # Weights, then a bound of each row's error from both sides.
    signs = np.vstack([losses.table, -losses.table])
    bounds = np.hstack([signs, -np.vstack([np.eye(60)] * 2)])
    costs = np.concatenate([np.zeros(4), losses.counts])
    total = np.concatenate([np.ones(4), np.zeros(60)])[None]
    best = linprog(costs, bounds, np.zeros(120), total, [1.0])
    loss = losses.counts @ losses.of_rows(losses.minimize())
    assert best.fun <= loss <= 1.005 * best.fun
    squares = Losses(P, y).minimize()
    assert loss <= losses.counts @ losses.of_rows(squares)
