"""Scores of drawn rows: exact where all are used, errors within their bars."""

import numpy as np
import pytest

from manyminds.analysis import (
    correlation_score,
    disagreeing_neighbors,
    estimate_correlation_score,
    estimate_disagreement,
)


def draw(seed, n_samples=1500):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n_samples)
    return rng.normal(size=(n_samples, 3)) + 0.7 * y[:, None], y


@pytest.mark.parametrize("method", ["distance", "uncertainty"])
def test_score_of_drawn_rows_is_near_that_of_all(seed, method):
    X, y = draw(seed)
    exact = estimate_correlation_score(X, y, method, random_state=0)
    expected = correlation_score(X, y, method, clip=False, random_state=0)
    assert exact.value == pytest.approx(expected, abs=1e-6)
    assert (exact.std_error, exact.is_sampled) == (0.0, False)
    options = {"max_samples": 700, "random_state": seed % 2**32}
    drawn = estimate_correlation_score(X, y, method, **options)
    assert drawn.is_sampled and drawn.n_samples == 700
    # Six standard errors of nine degrees of freedom: once in 10,000 draws; entropies
    # by neighbors have a bias that depends on the number of rows.
    assert abs(drawn.value - exact.value) < 6.0 * drawn.std_error + 0.02


def test_neighbors_of_drawn_rows_are_exact(seed):
    X, y = draw(seed)
    exact = estimate_disagreement(X, y)
    assert exact.value == pytest.approx(disagreeing_neighbors(X, y).mean())
    drawn = estimate_disagreement(X, y, max_samples=400, random_state=seed % 2**32)
    assert drawn.is_sampled
    assert abs(drawn.value - exact.value) < 5.0 * drawn.std_error
    whole = disagreeing_neighbors(X, y).std(ddof=1) / 20.0 * np.sqrt(1 - 400 / 1500)
    assert drawn.std_error == pytest.approx(whole, rel=0.3)


def test_equal_rows_are_neighbors_of_each_other():
    X, y = np.zeros((6, 1)), np.array([0, 0, 0, 1, 1, 1])
    assert estimate_disagreement(X, y, n_neighbors=5).value == pytest.approx(0.6)


def test_errors_name_the_parameter():
    X, y = draw(0, 50)
    with pytest.raises(ValueError, match="method"):
        estimate_correlation_score(X, y, "r2")
    with pytest.raises(ValueError, match="max_samples"):
        estimate_correlation_score(X, y, max_samples=10)
    with pytest.raises(ValueError, match="n_neighbors"):
        estimate_disagreement(X, y, 0)
