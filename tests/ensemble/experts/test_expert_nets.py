"""Nets of experts as one batch: outputs, gates, early stopping."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import expit, softmax

from manyminds.ensemble.experts.expert_nets import (
    Mixture,
    NetOptions,
    TrainingSet,
    draw_nets,
    hold_out,
    mix,
    normalize_rows,
    squared_error,
    train_mixture,
)
from manyminds.kernels.expert_nets import BY_SHARE


def draw_case(seed, n_samples=120, n_experts=5):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples, 3))
    label = (X[:, 0] + 0.3 * rng.normal(size=n_samples) > 0.0).astype(int)
    share = rng.uniform(0.1, 1.0, size=(n_samples, n_experts))
    data = TrainingSet(X, label, np.ones(n_samples), share)
    nets = draw_nets(3, 4, 2, n_experts, np.random.RandomState(seed))
    return data, Mixture(nets, np.zeros((1, 4)))


def test_outputs_of_the_batch_are_those_of_each_net(seed):
    data, mixture = draw_case(seed)
    nets = mixture.nets
    found = nets.outputs(data.X)
    ones = np.ones((len(data.X), 1))
    for e in range(nets.n_experts):
        units = expit(np.hstack([data.X, ones]) @ nets.hidden_weights[:, :, e])
        expected = expit(np.hstack([units, ones]) @ nets.output_weights[:, :, e])
        assert_allclose(found[e], expected)
        assert_allclose(nets.expert(e).outputs(data.X)[0], expected)
    assert nets.n_parameters == 5 * (4 * 4 + 5 * 2)


def test_gates_of_modules_and_experts(seed):
    rng = np.random.default_rng(seed)
    data, mixture = draw_case(seed, n_experts=6)
    top, inner = rng.normal(size=(2, 4)), rng.normal(size=(6, 4))
    X1 = np.column_stack([data.X, np.ones(len(data.X))])
    upper = softmax(X1 @ top.T, axis=1)
    trained = Mixture(mixture.nets, top, inner).gates(data.X)
    first = softmax(X1 @ inner[:3].T, axis=1) * upper[:, :1]
    assert_allclose(trained[:, :3], first)
    assert_allclose(trained.sum(axis=1), 1.0)
    shared = Mixture(mixture.nets, top).gates(data.X, data.share)
    assert_allclose(shared.sum(axis=1), 1.0)
    part = data.share[:, 3:] / data.share[:, 3:].sum(axis=1, keepdims=True)
    assert_allclose(shared[:, 3:], part * upper[:, 1:])
    raw = Mixture(mixture.nets, top).gates(data.X, data.share, normalize=False)
    assert_allclose(raw[:, 3:], data.share[:, 3:] * upper[:, 1:])


def test_early_stopping_keeps_the_best_nets(seed):
    data, start = draw_case(seed)
    options = NetOptions(4, learning_rate=2.0, max_iter=60, n_iter_no_change=5)
    mixture, errors, n_iter = train_mixture(
        data, start, BY_SHARE, options, np.random.RandomState(0)
    )
    assert len(errors) == n_iter <= 60
    assert n_iter == 60 or errors.argmin() == n_iter - 6
    rows = hold_out(data.label, options, np.random.RandomState(0))
    assert rows.sum() == 12
    held = TrainingSet(*(a[rows] for a in data))
    assert_allclose(squared_error(mixture, held), errors.min())


def test_threads_do_not_matter(seed):
    data, start = draw_case(seed, n_experts=9)
    options = NetOptions(4, max_iter=3)
    results = [
        train_mixture(data, start, BY_SHARE, options, np.random.RandomState(0), n_jobs)
        for n_jobs in (None, 2)
    ]
    first, second = (found[0].nets for found in results)
    assert_array_equal(first.hidden_weights, second.hidden_weights)
    assert_array_equal(first.output_weights, second.output_weights)


def test_mixing_and_rows_of_zeros():
    gates = np.array([[0.25, 0.75]])
    outputs = np.array([[[1.0, 0.0]], [[0.0, 1.0]]])
    assert_allclose(mix(gates, outputs), [[0.25, 0.75]])
    assert_allclose(
        normalize_rows(np.array([[0.0, 0.0], [1.0, 3.0]])), [[0.5, 0.5], [0.25, 0.75]]
    )
