"""Levenberg-Marquardt kernels: products, factors, and a plain twin of the training."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.kernels.lm_nets import (
    add_product,
    factor,
    run_net,
    solve_factored,
    train_net,
)


@pytest.mark.no_jit
@pytest.mark.parametrize("shape", [(1, 1, 1), (3, 7, 2), (5, 4, 6)])
def test_product(shape, seed):
    n, m, p = shape
    rng = np.random.default_rng(seed)
    A, B, out = rng.normal(size=(n, m)), rng.normal(size=(m, p)), np.ones((n, p))
    add_product(A, B, False, out)
    assert_allclose(out, A @ B + 1.0)
    square = np.zeros((n, n))
    add_product(A, np.ascontiguousarray(A.T), True, square)
    assert_allclose(np.tril(square), np.tril(A @ A.T))
    assert_allclose(np.triu(square, 1), 0.0)


@pytest.mark.no_jit
@pytest.mark.parametrize("n", [1, 5, 32, 35, 70])
def test_factor_and_solution(n, seed):
    rng = np.random.default_rng(seed)
    half = rng.normal(size=(n, n + 3))
    A = half @ half.T
    L, b = A.copy(), rng.normal(size=n)
    assert factor(L)
    assert_allclose(np.tril(L), np.linalg.cholesky(A), atol=1e-9)
    x = b.copy()
    solve_factored(L, x)
    assert_allclose(A @ x, b, atol=1e-6)


@pytest.mark.no_jit
def test_no_factor_of_an_indefinite_matrix():
    for A in ([[1.0, 2.0], [2.0, 1.0]], [[0.0]], [[np.nan]]):
        assert not factor(np.array(A))


def run_plainly(X, parameters, n_hidden, is_linear):
    n_weights = X.shape[1] * n_hidden
    W = parameters[:n_weights].reshape(X.shape[1], n_hidden)
    out = np.tanh(X @ W) @ parameters[n_weights:-1] + parameters[-1]
    return out if is_linear else 1.0 / (1.0 + np.exp(-out))


def train_plainly(X, root, target, n_hidden, max_iter, alpha, is_linear, parameters):
    """Textbook steps, with derivatives by central differences.

    The penalty is that of further errors: the parameters times the root of alpha.
    """

    def errors(parameters):
        out = run_plainly(X, parameters, n_hidden, is_linear)
        return np.concatenate([root * (out - target), alpha**0.5 * parameters])

    damping, n_steps, eye = 1e-3, 0, np.eye(len(parameters))
    while n_steps < max_iter and damping <= 1e10:
        e = errors(parameters)
        J = np.stack(
            [
                (errors(parameters + h) - errors(parameters - h)) / 2e-5
                for h in 1e-5 * eye
            ],
            axis=1,
        )
        step = -np.linalg.solve(J.T @ J + damping * eye, J.T @ e)
        if np.sum(errors(parameters + step) ** 2) < np.sum(e**2):
            parameters, damping, n_steps = parameters + step, damping / 10, n_steps + 1
        else:
            damping *= 10
    return parameters, n_steps


def problem(seed, n_rows, n_features=3):
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(size=(n_rows, n_features)), np.ones(n_rows)])
    target = (X[:, 0] * X[:, 1] > 0).astype(float)
    root = np.sqrt(rng.integers(1, 4, size=n_rows))
    return X, root, target, rng


@pytest.mark.parametrize("n_rows", [8, 60])  # fewer rows than the 16 weights, or more
@pytest.mark.parametrize("is_linear", [False, True])
@pytest.mark.parametrize("alpha", [0.0, 0.3])
def test_training_equals_the_textbook(n_rows, is_linear, alpha, seed):
    X, root, target, rng = problem(seed, n_rows)
    start = 0.5 * rng.normal(size=4 * 3 + 4)
    found = start.copy()
    n_steps, loss = train_net(X, root, target, 3, 3, alpha, is_linear, found)
    expected, n_expected = train_plainly(X, root, target, 3, 3, alpha, is_linear, start)
    assert n_steps == n_expected == 3
    assert_allclose(found, expected, rtol=1e-3, atol=1e-3)
    out = run_plainly(X, found, 3, is_linear)
    penalty = alpha * np.sum(found**2)
    assert_allclose(loss, np.sum((root * (out - target)) ** 2) + penalty)


@pytest.mark.parametrize("n_rows", [20, 200])
def test_errors_fall_to_nothing_or_stop(n_rows, seed):
    X, root, target, _ = problem(seed, n_rows)
    losses = []
    for max_iter in (1, 2, 5, 20, 300):
        parameters = 0.5 * np.random.default_rng(seed).normal(size=4 * 6 + 7)
        losses.append(
            train_net(X, root, target, 6, max_iter, 0.0, False, parameters)[1]
        )
    assert (np.diff(losses) <= 0.0).all()
    assert losses[-1] < losses[0]


@pytest.mark.no_jit
def test_few_steps_without_compiling():
    X, root, target, rng = problem(0, 6, n_features=1)
    parameters = rng.normal(size=2 * 2 + 3)
    n_steps, loss = train_net(X, root, target, 2, 2, 0.0, False, parameters)
    hidden, out = np.empty((6, 2)), np.empty(6)
    run_net(X, parameters, 2, False, hidden, out)
    assert n_steps <= 2
    assert_allclose(loss, np.sum((root * (out - target)) ** 2))
