"""Baselines have the least loss; links are undone; targets are checked."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize_scalar

from manyminds.ensemble import GradientBoostingRegressor
from manyminds.ensemble.boosting.gradient.losses import (
    check_targets,
    find_baseline,
    link_inverse,
    measure_scale,
)

LOSS = {
    "squared_error": lambda y, x: (y - x) ** 2,
    "absolute_error": lambda y, x: np.abs(y - x),
    "quantile": lambda y, x: np.where(y > x, 0.3 * (y - x), 0.7 * (x - y)),
    "poisson": lambda y, x: np.exp(x) - y * x,
    "gamma": lambda y, x: x + y * np.exp(-x),
    "log_loss": lambda y, x: np.logaddexp(0, x) - (y > 1.0) * x,
}


@pytest.mark.parametrize("loss", LOSS)
@pytest.mark.parametrize("weighted", [False, True])
def test_no_constant_has_a_lower_loss(loss, weighted, seed):
    rng = np.random.default_rng(seed)
    y = rng.gamma(2.0, size=101)
    weights = rng.integers(1, 4, size=101).astype(float) if weighted else None
    target = (y > 1.0).astype(float) if loss == "log_loss" else y

    def mean_loss(x):
        return np.average(LOSS[loss](y, x), weights=weights)

    (baseline,) = find_baseline(loss, target, weights, 0.3)
    best = minimize_scalar(mean_loss, bounds=(-6, 10), method="bounded")
    assert mean_loss(baseline) <= best.fun + 1e-9


@pytest.mark.parametrize("loss", ["absolute_error", "quantile", "huber"])
def test_equal_weights_and_copies_do_not_matter(loss, seed):
    y = np.random.default_rng(seed).normal(size=40)
    for level in (0.1, 0.5, 0.75):
        plain = find_baseline(loss, y, None, level)
        assert_allclose(find_baseline(loss, y, np.full(40, 2.0), level), plain)
        assert_allclose(find_baseline(loss, np.repeat(y, 2), None, level), plain)


def test_baseline_of_classes_is_the_logarithm_of_their_shares(seed):
    y = np.array([0.0, 0.0, 0.0, 1.0, 2.0, 2.0])
    raw = find_baseline("softmax", y, None, 0.5, 3)
    assert_allclose(link_inverse("softmax", raw[np.newaxis])[0], [3 / 6, 1 / 6, 2 / 6])
    assert_allclose(raw.sum(), 0.0, atol=1e-12)
    (one,) = find_baseline("log_loss", np.ones(3), None, 0.5)
    assert np.isfinite(one)


def test_links_are_undone():
    raw = np.array([[0.0], [np.log(3.0)]])
    assert_allclose(link_inverse("log_loss", raw), [[0.5, 0.5], [0.25, 0.75]])
    for loss in ("poisson", "gamma"):
        assert_allclose(link_inverse(loss, raw), [1.0, 3.0])
    assert_allclose(link_inverse("huber", raw), raw[:, 0])


@pytest.mark.parametrize(
    ("loss", "y", "is_right"),
    [
        ("poisson", [0.0, 1.0], True),
        ("poisson", [0.0, 0.0], False),
        ("poisson", [-1.0, 3.0], False),
        ("gamma", [0.1, 1.0], True),
        ("gamma", [0.0, 1.0], False),
        ("squared_error", [-1.0, 0.0], True),
    ],
)
def test_targets_are_checked(loss, y, is_right):
    if is_right:
        check_targets(loss, np.array(y))
    else:
        with pytest.raises(ValueError, match=f"loss='{loss}' needs targets"):
            check_targets(loss, np.array(y))


def test_targets_beyond_single_precision_are_refused():
    # Gradients were infinite in single precision, and predictions NaN.
    model, X = GradientBoostingRegressor(max_iter=5), np.arange(20.0)[:, np.newaxis]
    assert np.isfinite(model.fit(X, 1e36 * (X[:, 0] > 9.0)).predict(X)).all()
    with pytest.raises(ValueError, match=r"y must be between -1e\+36 and 1e\+36"):
        model.fit(X, 1e40 * (X[:, 0] > 9.0))


@pytest.mark.parametrize("loss", ["squared_error", "huber"])
def test_targets_that_hardly_vary_are_refused(loss):
    # Gradients were 0 in single precision, and predictions constant.
    X = np.arange(60.0)[:, np.newaxis]
    y = 1.0 * (X[:, 0] > 29.0)
    model = GradientBoostingRegressor(loss=loss, max_iter=5, random_state=0)
    expected, unit = model.fit(X, y).predict(X), 2.0**-119  # 1.5e-36
    assert_allclose(model.fit(X, unit * y).predict(X) / unit, expected, rtol=1e-5)
    with pytest.raises(ValueError, match="y must be constant or vary by 1e-36"):
        model.fit(X, 1e-46 * y)
    assert not model.fit(X, 0.0 * y).predict(X).any()


@pytest.mark.parametrize("loss", ["poisson", "gamma"])
def test_counts_that_are_tiny_are_refused(loss):
    X = np.arange(60.0)[:, np.newaxis]
    model = GradientBoostingRegressor(loss=loss, max_iter=5, random_state=0)
    with pytest.raises(ValueError, match="y must reach 1e-15 for loss="):
        model.fit(X, 1e-37 * (X[:, 0] + 1.0))


def test_scale_follows_the_unit_of_the_target():
    y, weights = np.array([1.0, 2.0, 6.0]), np.array([1.0, 1.0, 2.0])
    expected = {"squared_error": 4.0, "absolute_error": 2.0, "huber": 4.0}
    expected |= {"quantile": 2.0, "poisson": 2.0, "gamma": 1.0, "softmax": 1.0}
    for loss, factor in expected.items():
        before, after = (
            measure_scale(loss, unit * y, weights, np.array([3.0 * unit]))
            for unit in (1.0, 2.0)
        )
        assert after == pytest.approx(factor * before)
    assert measure_scale("squared_error", y, weights, np.array([3.0])) == 0.5 * 23 / 4
