"""Gradients of RealMLP equal finite differences of a twin; Adam by its formulas."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import log_softmax

from manyminds.kernels.real_mlp_steps import (
    Plan,
    Target,
    compute_gradient,
    step_adam,
    train_batches,
)
from manyminds.learners.real_mlp_net import list_factors, make_work

_FILE = Path(__file__).with_name("test_real_mlp.py")
_spec = importlib.util.spec_from_file_location("forward_of_real_mlp", _FILE)
forward = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(forward)


def naive_loss(table, target, theta, shape):
    """Return the mean loss: squared error, or cross-entropy with smoothed labels."""
    out = forward.naive_forward(table, theta, shape)
    weight, value = target.weight.astype(np.float64), target.value
    if out.shape[1] == 1:
        return np.mean(weight * (out[:, 0] - value) ** 2)
    n_classes = out.shape[1]
    wanted = np.eye(n_classes)[value.astype(int)]
    wanted = (1 - target.smoothing) * wanted + target.smoothing / n_classes
    return np.mean(weight * -(wanted * log_softmax(out, axis=1)).sum(axis=1))


def differences(table, target, theta, shape, step=1e-5):
    """Return the gradient of the twin's loss by central differences, in float64."""
    theta, gradient = theta.astype(np.float64), np.empty(len(theta))
    for p in range(len(theta)):
        ends = []
        for sign in (1, -1):
            moved = theta.copy()
            moved[p] += sign * step
            ends.append(naive_loss(table, target, moved, shape))
        gradient[p] = (ends[0] - ends[1]) / (2 * step)
    return gradient


def make_problem(seed, n_outputs, is_mish):
    rng = np.random.default_rng(seed)
    table = forward.make_table(rng)
    shape, theta = forward.make_net(rng, table, n_outputs, is_mish)
    value = rng.integers(0, n_outputs, size=7) if n_outputs > 1 else rng.normal(size=7)
    weight = rng.uniform(0.2, 2.0, size=7)
    target = Target(value.astype(np.float32), weight.astype(np.float32), 0.1)
    return table, target, shape, theta


@pytest.mark.no_jit
@pytest.mark.parametrize("n_outputs", [1, 2, 3])
@pytest.mark.parametrize("is_mish", [False, True])
def test_gradient_equals_finite_differences(n_outputs, is_mish, seed):
    table, target, shape, theta = make_problem(seed, n_outputs, is_mish)
    found = np.full(len(theta), np.nan, dtype=np.float32)
    compute_gradient(
        table, target, np.arange(7), theta, shape, make_work(shape, 7), 0.0,
        np.array([1]), found,
    )  # fmt: skip
    expected = differences(table, target, theta, shape)
    largest = abs(expected).max()
    assert_allclose(found, expected, rtol=2e-3, atol=2e-4 * largest)
    blocks = np.split(expected, shape.starts[1:-1])  # each of them is tested
    assert all(abs(block).max(initial=1.0 if not len(block) else 0.0) > 0
               for block in blocks)  # fmt: skip


def test_gradient_of_a_batch_is_that_of_its_rows(seed):
    table, target, shape, theta = make_problem(seed, 3, False)
    rows = np.array([5, 0, 2])
    found, expected = np.empty((2, len(theta)), dtype=np.float32)
    state = np.array([1])
    compute_gradient(
        table, target, rows, theta, shape, make_work(shape, 3), 0.0, state, found
    )
    few = type(table)(*(part[rows] for part in table))
    some = Target(target.value[rows], target.weight[rows], 0.1)
    compute_gradient(
        few, some, np.arange(3), theta, shape, make_work(shape, 3), 0.0, state, expected
    )
    assert_array_equal(found, expected)


def test_gradient_with_dropout_is_that_of_the_kept_units(seed):
    # One hidden layer: dropping units is setting their outgoing weights to zero and
    # scaling the others, which only holds for a batch of one row.
    rng = np.random.default_rng(seed)
    table = forward.make_table(rng, n_rows=1)
    shape, theta = forward.make_net(rng, table, 1, hidden=(30,))
    target = Target(np.ones(1, np.float32), np.ones(1, np.float32), 0.0)
    found = np.empty_like(theta)
    work = make_work(shape, 1)
    compute_gradient(
        table, target, np.arange(1), theta, shape, work, 0.4, np.array([3]), found
    )
    keep = work.keep.astype(np.float64)
    assert 0 < (keep == 0).sum() < 30
    last = slice(shape.starts[-4], shape.starts[-3])
    masked = theta.astype(np.float64)
    masked[last] *= keep
    expected = differences(table, target, masked, shape)
    expected[last] *= keep
    largest = abs(expected).max()
    assert_allclose(found, expected, rtol=2e-3, atol=2e-4 * largest)


@pytest.mark.no_jit
def test_adam_by_hand():
    # Two blocks of one parameter. Step 1: both means are corrected to g and g * g, so
    # that a parameter moves by its rate against the sign of the gradient.
    vectors = np.zeros((4, 2), dtype=np.float32)
    vectors[0], vectors[1] = [2.0, -1.0], [0.5, -0.25]
    factors = np.array([[1.0, 1.0], [0.1, 0.0]])
    starts = np.array([0, 1, 2])
    step_adam(vectors, starts, factors, 0.1, 0.2, 1)
    # The factor of the rate applies to the decay once: 1 - 0.1 * 0.2.
    assert_allclose(vectors[0], [2.0 * 0.98 - 0.1, -1.0 + 0.01], rtol=1e-5)
    vectors[1] = [0.0, 0.5]
    step_adam(vectors, starts, factors, 0.1, 0.0, 2)
    first = 0.9 * 0.05 / (1 - 0.81) / np.sqrt(0.95 * 0.0125 / (1 - 0.9025))
    mean = (0.9 * -0.025 + 0.05) / (1 - 0.81)
    square = (0.95 * 0.05 * 0.0625 + 0.05 * 0.25) / (1 - 0.9025)
    expected = [1.86 - 0.1 * first, -0.99 - 0.01 * mean / np.sqrt(square)]
    assert_allclose(vectors[0], expected, rtol=1e-5)


def test_an_epoch_is_its_steps(seed):
    table, target, shape, theta = make_problem(seed, 3, False)
    factors = list_factors(shape)
    rows = np.array([[0, 1, 2], [6, 4, 3]])
    plan = Plan(rows, np.array([0.1, 0.2]), np.full(2, 0.01), np.zeros(2), factors, 4)
    state, work = np.array([1]), make_work(shape, 3)
    found, expected = np.zeros((2, 4, len(theta)), dtype=np.float32)
    found[0] = expected[0] = theta
    train_batches(table, target, plan, shape, work, found, state)
    for s in range(2):
        compute_gradient(
            table, target, rows[s], expected[0], shape, work, 0.0, state, expected[1]
        )
        step_adam(expected, shape.starts, factors, plan.rate[s], 0.01, 5 + s)
    assert_array_equal(found, expected)
    assert (found[0] != theta).mean() > 0.7
