"""Draws of rows: their number, their totals, and sums that stay unbiased."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.kernels.boosting.bundles import (
    ALL_ROWS,
    BOOTSTRAP,
    LOG_LOSS,
    MINIMAL_VARIANCE,
    SQUARED_ERROR,
    WITHOUT_REPLACEMENT,
    Sampling,
    State,
    Target,
)
from manyminds.kernels.boosting.sampling import draw_rows

N, N_TABLE = 60, 80


@pytest.fixture(scope="module")
def draw(compiled):
    return compiled(draw_rows)


def make_work(seed, loss=SQUARED_ERROR):
    rng = np.random.default_rng(seed)
    rows = np.sort(rng.choice(N_TABLE, size=N, replace=False)).astype(np.uint32)
    y = rng.gamma(0.5, size=N_TABLE)  # a few large gradients, many small ones
    if loss == LOG_LOSS:
        y = (y > 1.0).astype(float)
    target = Target(loss, y, rng.uniform(0.5, 2, size=N_TABLE), 0.5, rows, rows[:0])
    state = State(
        rng.normal(size=(1, N_TABLE)), np.empty((0, N_TABLE), np.float32), rows.copy(),
        np.full(N_TABLE, -1.0, np.float32), np.zeros(256), np.zeros((2, 1)),
        np.zeros(8, np.int64),
    )  # fmt: skip
    return target, state


def check_order(target, state, n_drawn):
    drawn = state.drawn
    assert_array_equal(np.sort(drawn), target.rows)  # each row once
    assert (np.diff(drawn[:n_drawn].astype(int)) > 0).all()
    assert (np.diff(drawn[n_drawn:].astype(int)) > 0).all()


def test_all_rows_are_drawn_as_they_are(draw, seed):
    target, state = make_work(seed)
    assert draw(Sampling(ALL_ROWS, N), target, state, seed, 0.0) == N
    assert_array_equal(state.drawn, target.rows)


def test_draws_without_replacement_are_exact_in_number_and_even(draw, seed):
    # Each row is drawn 20 of 60 times: 1,000 of 3,000 draws, standard deviation 26. One
    # of 60 rows is off by 160 (6.2 standard deviations) once in 10^7 runs.
    target, state = make_work(seed)
    counts = np.zeros(N_TABLE)
    for s in range(3000):
        assert (
            draw(
                Sampling(WITHOUT_REPLACEMENT, 20), target, state, 10**6 * seed + s, 0.0
            )
            == 20
        )
        counts[state.drawn[:20]] += 1
    check_order(target, state, 20)
    assert np.abs(counts[target.rows] - 1000).max() < 160


def test_bootstrap_weights_are_counts_of_draws(draw, seed):
    target, state = make_work(seed)
    for n in (N, 25):
        n_drawn = draw(Sampling(BOOTSTRAP, n), target, state, seed, 0.0)
        factors = state.factors[target.rows]
        assert factors.sum() == n
        assert_array_equal(factors, np.round(factors))
        assert n_drawn == np.count_nonzero(factors)
        assert (state.factors[state.drawn[:n_drawn]] > 0).all()
        check_order(target, state, n_drawn)


@pytest.mark.parametrize("loss", [SQUARED_ERROR, LOG_LOSS])
def test_minimal_variance_draws_are_unbiased_and_of_the_expected_size(loss, draw, seed):
    # Means over 3,000 draws lie within 5 standard errors of what they estimate: a
    # correct build fails one of the two less than once in 10^6 runs.
    target, state = make_work(seed, loss)
    rows, y, raw = target.rows, target.y, state.raw[0]
    g = raw - y if loss == SQUARED_ERROR else 1 / (1 + np.exp(-raw)) - y
    g = (target.weights * g)[rows]
    sums, sizes = [], []
    for s in range(3000):
        sampling = Sampling(MINIMAL_VARIANCE, 20)
        n_drawn = draw(sampling, target, state, 10**6 * seed + s, 0.0)
        sums.append(g @ state.factors[rows])
        sizes.append(n_drawn)
    check_order(target, state, n_drawn)
    for found, expected in ((sums, g.sum()), (sizes, 20)):
        error = np.std(found) / np.sqrt(3000)
        assert abs(np.mean(found) - expected) < 5 * error + 1e-9


def test_odds_of_minimal_variance_draws_are_in_proportion_to_gradients(draw, seed):
    target, state = make_work(seed)
    draw(Sampling(MINIMAL_VARIANCE, 20), target, state, seed, 0.0)
    rows = target.rows
    g, w = (state.raw[0] - target.y)[rows], target.weights[rows]
    size = w * np.sqrt(g**2 + 0.1)
    low, high = 1e-9, size.sum()
    for _ in range(100):  # the threshold by bisection
        middle = 0.5 * (low + high)
        low, high = (
            (middle, high) if np.minimum(size / middle, 1).sum() > 20 else (low, middle)
        )
    odds = np.minimum(size / low, 1.0)
    factors = state.factors[rows]
    assert_allclose(factors[factors > 0], 1.0 / odds[factors > 0], rtol=1e-5)
