"""Boosting rounds equal a plain twin, whatever the loss."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from plain_boosting import compute_loss, find_quantile, follow, make_booster

from manyminds.kernels.boosting.bundles import NODE_VALUE
from manyminds.kernels.boosting.rounds import find_delta, walk_codes

# Hessians that differ from row to row are rounded to 15 bits, gradients to 40.
EXACT, ROUNDED = 1e-9, 1e-3
REGRESSION = ["squared_error", "absolute_error", "quantile", "huber"]


def make_data(seed, loss, n=160, missing=True):
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n, 3)), 1)
    if missing:
        X[rng.random(n) < 0.2, 1] = np.nan
    signal = X[:, 0] + np.where(np.isnan(X[:, 1]), 1.0, X[:, 1] * X[:, 2])
    noisy = signal + rng.normal(size=n)
    targets = {
        "log_loss": noisy > 0.5,
        "softmax": np.digitize(noisy, [-0.5, 1.0]),
        "poisson": rng.poisson(np.exp(np.clip(signal, -2, 2))),
        "gamma": rng.gamma(2.0, np.exp(np.clip(signal, -1, 1))),
    }
    return X, np.asarray(targets.get(loss, noisy), np.float64)


def use_binned_values(booster, X):
    """Return the codes of the training table as numbers, NaN where values miss."""
    codes = booster.table.codes[: X.size].reshape(X.shape[1], -1).T.astype(float)
    codes[np.isnan(X)] = np.nan
    return codes


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    "loss", [*REGRESSION, "log_loss", "softmax", "poisson", "gamma"]
)
def test_rounds_equal_the_plain_twin(loss, weighted, seed):
    X, y = make_data(seed, loss)
    rng = np.random.default_rng(seed + 1)
    weights = rng.uniform(0.5, 2.0, size=len(y)) if weighted else None
    limits = {"min_samples_leaf": 5, "min_sum_hessian": 0.5}
    level = {"quantile": 0.3, "huber": 0.8}.get(loss, 0.5)
    booster = make_booster(
        X, y, loss, 0.1, weights=weights, level=level, max_leaf_nodes=6,
        learning_rate=0.3, l2_regularization=0.5, seed=seed, **limits,
    )  # fmt: skip
    raw = booster.raw.copy()
    booster.run(4)
    trees = booster.get_trees()
    # The thresholds separate the same rows as the bins do: there are few values.
    expected = follow(
        trees, X, y, loss, raw, rate=0.3, weights=weights, max_leaves=6, level=level,
        tolerance=EXACT if loss in REGRESSION and not weighted else ROUNDED, l2=0.5,
        **limits,
    )  # fmt: skip
    assert_allclose(booster.raw, expected, rtol=1e-5, atol=1e-6)
    assert_allclose(trees.sum_values(X, raw[:, 0]).T, booster.raw, atol=1e-12)


def test_columns_with_more_values_than_bins_equal_the_twin_of_the_bins(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(120, 2))
    y = X[:, 0] * X[:, 1] + rng.normal(size=120)
    booster = make_booster(X, y, "squared_error", max_leaf_nodes=5, min_samples_leaf=4)
    assert booster.table.columns[:, 0].max() <= 40  # three rows to a bin
    booster.run(3)
    trees, binned = booster.get_trees(), use_binned_values(booster, X)
    inner = trees.left >= 0
    for j in range(2):  # thresholds as codes: the bins left of them
        some = inner & (trees.feature == j)
        order = np.argsort(X[:, j])
        at = np.searchsorted(X[order, j], trees.threshold[some], side="right") - 1
        trees.threshold[some] = binned[order[at], j]
    raw = follow(
        trees, binned, y, "squared_error", np.zeros((1, 120)), rate=0.1, max_leaves=5,
        min_samples_leaf=4,
    )  # fmt: skip
    assert_allclose(booster.raw, raw, atol=1e-6)


@pytest.mark.parametrize("loss", [*REGRESSION, "log_loss", "softmax", "gamma"])
def test_curves_are_mean_losses(loss, seed):
    X, y = make_data(seed, loss)
    weights = np.random.default_rng(seed).uniform(0.5, 2.0, size=len(y))
    rows, held_out = np.arange(100), np.arange(100, 160, dtype=np.uint32)
    level = {"quantile": 0.3, "huber": 0.8}.get(loss, 0.5)
    booster = make_booster(
        X, y, loss, rows=rows, held_out=held_out, weights=weights, track=True,
        min_samples_leaf=5, level=level,
    )  # fmt: skip
    first = find_quantile(np.abs(y[:100]), weights[:100], level)  # of Huber's loss
    curves = []
    for _ in range(3):
        booster.run(1)
        losses = compute_loss(loss, y, booster.raw, level, first)
        curves.append(
            [
                np.average(losses[some], weights=weights[some])
                for some in (rows, held_out)
            ]
        )
    assert_allclose(booster.curves, np.transpose(curves), rtol=1e-10)


def test_held_out_rows_stop_the_rounds_after_patience(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(100, 2)), rng.normal(size=100)
    held_out = np.arange(60, 100, dtype=np.uint32)
    booster = make_booster(
        X, y, "squared_error", rows=np.arange(60), held_out=held_out, track=True,
        min_samples_leaf=3, patience=4,
    )  # fmt: skip
    booster.run(500)
    curve = booster.curves[1]
    assert booster.stopped and len(curve) == booster.n_done < 500
    assert booster.best_round == curve.argmin() + 1 == len(curve) - 4


def test_walk_equals_that_over_values(plain, seed):
    X, y = make_data(seed, "squared_error")
    categorical = np.array([False, False, True])
    X[:, 2] = np.abs(np.round(X[:, 2] * 3))
    X[::7, 2] = np.nan
    booster = make_booster(
        X, y, "squared_error", categorical=categorical, min_samples_leaf=3,
        categorical_smoothing=0.0, categorical_l2=0.0,
    )  # fmt: skip
    booster.run(2)
    nodes, table = booster._join_nodes(2), booster._table
    assert nodes.counts[:, 1].sum() > 0  # there are sets of categories
    walk = plain(walk_codes)
    leaf = booster.get_trees().apply(X)
    for tree in range(2):
        own = [walk(table, nodes, tree, np.uint64(i)) for i in range(len(X))]
        values = nodes.reals[tree, :, NODE_VALUE]
        expected = booster.get_trees().tree(tree).value[leaf[:, tree], 0]
        assert_array_equal(values[own], expected)


def test_bound_of_hubers_loss_is_the_quantile_of_absolute_residuals(plain, seed):
    X, y = make_data(seed, "huber")
    weights = np.random.default_rng(seed).uniform(0.5, 2.0, size=len(y))
    booster = make_booster(X, y, "huber", 0.3, weights=weights, level=0.8)
    delta = plain(find_delta)(booster._target, booster._memory, booster._state)
    assert delta == find_quantile(np.abs(y - 0.3), weights, 0.8)


@pytest.mark.no_jit
def test_two_rounds_without_jit():
    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0.0, 0.0, 1.0, 3.0])
    booster = make_booster(
        X, y, "squared_error", min_samples_leaf=1, max_leaf_nodes=2, learning_rate=0.5
    )
    booster.run(2)
    # {0, 1, 2 | 3}: 1/3 + 9 beats {0, 1 | 2, 3}: 16/2. Then residuals are
    # -1/6, -1/6, 5/6, 3/2, and the best cut is {0, 1 | 2, 3}.
    left, right = 0.5 / 3, 1.5
    expected = [left - 0.5 / 6, left - 0.5 / 6, left, right]
    expected[2:] = np.array(expected[2:]) + 0.5 * (5 / 6 + 3 / 2) / 2
    assert_allclose(booster.raw[0], expected, atol=1e-6)
