"""The temperature of probabilities, against a grid and known truths."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics import log_loss

from manyminds.search.evaluation.temperature import fit_temperature, scale_temperature


def draw(seed, n=400, sharpness=3.0):
    """Draw classes by probabilities; return those made too sure, and the classes."""
    rng = np.random.default_rng(seed)
    logits = rng.normal(size=(n, 3))
    P = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    y = (rng.random((n, 1)) > P.cumsum(axis=1)).sum(axis=1)
    return scale_temperature(P, 1.0 / sharpness), np.minimum(y, 2)


def test_by_hand():
    P = np.array([[0.8, 0.2]])
    assert_allclose(scale_temperature(P, 0.5), [[16 / 17, 1 / 17]])
    assert scale_temperature(P, 1.0) is P
    # Odds of 99 : 1 must become 3 : 1.
    P, y = np.tile([0.99, 0.01], (4, 1)), np.array([0, 0, 0, 1])
    assert fit_temperature(P, y) == pytest.approx(np.log(99) / np.log(3), rel=1e-4)


def test_no_temperature_of_a_grid_is_better(seed):
    P, y = draw(seed)
    grid = np.geomspace(0.2, 8.0, 200)
    losses = [log_loss(y, scale_temperature(P, one)) for one in grid]
    found = fit_temperature(P, y)
    assert log_loss(y, scale_temperature(P, found)) <= min(losses) + 1e-9
    assert found == pytest.approx(grid[np.argmin(losses)], rel=0.03)


def test_what_was_made_too_sure_is_found(seed):
    P, y = draw(seed, n=20_000)
    assert fit_temperature(P, y) == pytest.approx(3.0, rel=0.15)


def test_a_row_that_counts_twice_is_like_two_rows(seed):
    P, y = draw(seed)
    counts = np.random.default_rng(seed).integers(3, size=400)
    rows = np.repeat(np.arange(400), counts)
    assert fit_temperature(P, y, counts) == pytest.approx(
        fit_temperature(P[rows], y[rows]), rel=1e-4
    )


@pytest.mark.parametrize(("right", "end"), [(True, 0.1), (False, 10.0)])
def test_it_stays_within_its_range(right, end):
    P = np.tile([0.6, 0.4], (5, 1))
    y = np.zeros(5, int) if right else np.ones(5, int)
    assert fit_temperature(P, y) == pytest.approx(end, rel=1e-3)
