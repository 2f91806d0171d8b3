"""Linear leaves predict offset and slopes, within their ranges."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.kernels.boosting.linear import add_linear_values


def add_plainly(leaves, values, lines, X, total):
    """Add to totals; ``lines`` lists (column, slope, least, greatest) of each node."""
    total = total.copy()
    for i, row in enumerate(X):
        for node in leaves[i]:
            columns = [line[0] for line in lines[node]]
            if np.isnan(row[columns]).any():
                total[i] += values[0, node]
                continue
            total[i] += values[1, node] + sum(
                slope * np.clip(row[column], least, greatest)
                for column, slope, least, greatest in lines[node]
            )
    return total


def call(leaves, values, lines, X, total):
    flat = np.array([line for of_node in lines for line in of_node], float)
    flat = flat.reshape(-1, 4)
    first = np.concatenate([[0], np.cumsum([len(of_node) for of_node in lines])])
    total = total.copy()
    add_linear_values(
        leaves,
        values,
        first.astype(np.int64),
        flat[:, 0].astype(np.int32),
        np.ascontiguousarray(flat[:, 1:].T),
        X,
        total,
    )
    return total


def test_sums_equal_the_plain_twin(seed):
    rng = np.random.default_rng(seed)
    n_nodes, X = 12, rng.normal(size=(60, 4))
    X[rng.random(X.shape) < 0.2] = np.nan
    lines = []
    for _ in range(n_nodes):
        columns = rng.permutation(4)[: rng.integers(0, 4)]
        ends = np.sort(rng.normal(size=(len(columns), 2)), axis=1)
        lines.append([(c, rng.normal(), *e) for c, e in zip(columns, ends)])
    leaves = rng.integers(0, n_nodes, size=(60, 5))
    values, total = rng.normal(size=(2, n_nodes)), rng.normal(size=60)
    expected = add_plainly(leaves, values, lines, X, total)
    assert_allclose(call(leaves, values, lines, X, total), expected, rtol=1e-12)
    assert np.abs(expected - total).max() > 1.0


@pytest.mark.no_jit
@pytest.mark.parametrize(
    ("x", "expected"),
    [([2.0, 9.0], 11.0), ([5.0, 9.0], 13.0), ([-8.0, 9.0], 7.0), ([np.nan, 9.0], 4.0)],
)
def test_worked_example(x, expected):
    # One slope of 2 between 0 and 3, an offset of 5, and a leaf without slopes.
    leaves, values = np.array([[0, 1]]), np.array([[2.0, 2.0], [5.0, 2.0]])
    lines = [[(0, 2.0, 0.0, 3.0)], []]
    assert_allclose(call(leaves, values, lines, np.array([x]), np.zeros(1)), expected)
