"""Replayed trees have the same splits, and the values that other rows give them."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from plain_boosting import differentiate, find_quantile, find_value, make_booster


@pytest.mark.parametrize(
    "loss",
    ["squared_error", "absolute_error", "huber", "poisson", "log_loss", "softmax"],
)
def test_replay_equals_the_plain_twin(loss, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(200, 3))
    y = X[:, 0] + rng.normal(size=200)
    y = {
        "poisson": np.exp(y),
        "log_loss": y > 0,
        "softmax": np.digitize(y, [0, 1]),
    }.get(loss, y)
    y, weights = np.asarray(y, float), rng.uniform(0.5, 2.0, size=200)
    booster = make_booster(
        X, y, loss, 0.2, rows=np.arange(120), weights=weights, level=0.8,
        min_samples_leaf=5, max_leaf_nodes=4, l2_regularization=0.5,
    )  # fmt: skip
    first = booster.raw.copy()
    booster.run(4)
    before, rows = booster.get_trees(3), np.arange(30, 200)
    booster.replay(rows.astype(np.uint32), first.copy(), 3)
    after = booster.get_trees()
    for name in ("feature", "threshold", "left", "missing_left"):
        assert_array_equal(getattr(before, name), getattr(after, name))

    raw, leaf, n_outputs = first.copy(), before.apply(X), len(first)
    for number in range(3):
        delta = find_quantile(np.abs(y - raw[0])[rows], weights[rows], 0.8)
        g, h = differentiate(loss, y, raw, 0.8, delta)
        for k in range(n_outputs):
            t = number * n_outputs + k
            tree = after.tree(t)
            for node in np.flatnonzero(tree.left < 0):
                some = rows[leaf[rows, t] == node]
                assert tree.n_samples[node] == len(some) or len(some) == 0
                if len(some) == 0:  # nothing to learn from: as it was
                    assert tree.value[node] == before.tree(t).value[node]
                    continue
                w = weights[some]
                value = 0.1 * find_value(
                    loss, (y - raw[k])[some], w, w * g[k, some], w * h[k, some], 0.5,
                    0.8, delta,
                )  # fmt: skip
                assert_allclose(tree.value[node, 0], value, rtol=1e-5, atol=1e-7)
                raw[k, some] += value
    assert after.n_samples[0] == len(rows)
