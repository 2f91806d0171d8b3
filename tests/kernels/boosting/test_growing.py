"""A tree grows best leaf first."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from plain_boosting import compute_gain, make_booster


def test_worked_example():
    # Residuals 0, 0, 4, 4, 9: first {0, 0 | 4, 4, 9}, or {0, 0, 4, 4 | 9}? Sums of
    # squares over counts: 0 + 289/3 = 96.3 against 64/4 + 81 = 97.
    X, y = np.arange(5.0)[:, np.newaxis], np.array([0.0, 0.0, 4.0, 4.0, 9.0])
    booster = make_booster(
        X, y, "squared_error", min_samples_leaf=1, max_leaf_nodes=3, learning_rate=1.0
    )
    booster.run(1)
    tree = booster.get_trees()
    assert_array_equal(tree.feature, [0, 0, -1, -1, -1])
    assert_array_equal(tree.threshold[:2], [3.5, 1.5])
    assert_array_equal(np.round(tree.value[2:, 0], 5), [9.0, 0.0, 4.0])
    assert_array_equal(tree.n_samples, [5, 4, 1, 2, 2])


@pytest.mark.parametrize("smoothing", [0.0, 10.0])
def test_categories_are_split_as_sets(smoothing, seed):
    rng = np.random.default_rng(seed)
    code = rng.integers(0, 70, size=900)
    means = rng.normal(size=70)
    y = means[code]
    y -= y.mean()
    booster = make_booster(
        code[:, np.newaxis], y, "squared_error", categorical=np.array([True]),
        max_leaf_nodes=2, categorical_smoothing=smoothing, categorical_l2=0.0,
    )  # fmt: skip
    booster.run(1)
    tree = booster.get_trees()
    left = tree.apply(code[:, np.newaxis].astype(float))[:, 0] == 1
    gain = compute_gain(left, -y, np.ones(900))
    # With equal values in a category, the best split is a cut of the values.
    cuts = [compute_gain(y <= c, -y, np.ones(900)) for c in np.unique(y)[:-1]]
    assert gain <= max(cuts) * (1 + 1e-9)
    if smoothing == 0.0:
        assert gain >= max(cuts) * (1 - 1e-6)


def test_trees_in_depth_first_order_have_all_splits_that_gain(seed):
    rng = np.random.default_rng(seed)
    X, y = np.round(rng.normal(size=(200, 2)), 1), rng.normal(size=200)
    deep, wide = (
        make_booster(X, y, "squared_error", min_samples_leaf=5, max_leaf_nodes=n)
        for n in (None, 200)
    )
    deep.run(1), wide.run(1)
    # The same splits, in another order.
    assert_array_equal(
        deep.get_trees().sum_values(X, [0.0]), wide.get_trees().sum_values(X, [0.0])
    )
