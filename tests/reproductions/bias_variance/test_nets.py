"""Nets, codes and how they are trained."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.reproductions.bias_variance.nets import (
    NetClassifier,
    NormalEquations,
    add_ones,
    draw_code,
    draw_weights,
    smallest_distance,
    sum_squares,
    train_nets,
)


def draw_batch(seed, n_nets=3, n_rows=40, n_inputs=3, n_hidden=4, n_outputs=5):
    rng = np.random.RandomState(seed)
    inputs = add_ones(rng.normal(size=(n_nets, n_rows, n_inputs)))
    targets = rng.normal(size=(n_nets, n_rows, n_outputs))
    return inputs, targets, draw_weights(n_nets, n_inputs + 1, n_hidden, n_outputs, rng)


@pytest.mark.parametrize("n_outputs", [1, 5])
def test_a_step_is_that_of_the_whole_jacobian(seed, n_outputs):
    # The naive twin: all derivatives by differences, all weights solved for at once.
    inputs, targets, (hidden, output) = draw_batch(seed, n_outputs=n_outputs)
    system = NormalEquations(inputs, targets, hidden, output)
    steps = system.solve(np.arange(3), np.array([0.1, 1.0, 10.0]))
    for i, damping in enumerate([0.1, 1.0, 10.0]):
        split = hidden[i].size

        def errors(weights, i=i, split=split):
            first = weights[:split].reshape(hidden[i].shape)
            second = weights[split:].reshape(output[i].shape)
            return (add_ones(np.tanh(inputs[i] @ first)) @ second - targets[i]).ravel()

        weights = np.concatenate([hidden[i].ravel(), output[i].ravel()])
        units = 1e-6 * np.eye(len(weights))
        columns = [errors(weights + e) - errors(weights - e) for e in units]
        jacobian = np.stack(columns, axis=1) / 2e-6
        matrix = jacobian.T @ jacobian + damping * np.eye(len(weights))
        expected = np.linalg.solve(matrix, -jacobian.T @ errors(weights))
        found = np.concatenate([steps[0][i].ravel(), steps[1][i].ravel()])
        assert_allclose(found, expected, atol=1e-6)


def test_squares_never_rise_and_nets_do_not_mix(seed):
    inputs, targets, first = draw_batch(seed)
    before = sum_squares(inputs, targets, *first)
    stages = list(train_nets(inputs, targets, first, 6))
    for weights in stages:
        after = sum_squares(inputs, targets, *weights)
        assert (after <= before).all()
        before = after
    alone = list(
        train_nets(inputs[1:2], targets[1:2], (first[0][1:2], first[1][1:2]), 2)
    )
    # Later steps let rounding grow.
    assert_allclose(stages[1][0][1], alone[1][0][0], rtol=1e-4, atol=1e-6)


def test_nets_learn_a_circle():
    rng = np.random.RandomState(0)
    X = rng.normal(size=(300, 2))
    y = np.where(np.linalg.norm(X, axis=1) < 1.2, "in", "out")
    net = NetClassifier(n_hidden=8, epochs=(2, 15), random_state=0).fit(X, y)
    early, late = net.staged_predict(X)
    assert np.mean(late == y) > 0.95 > np.mean(early == y) + 0.02
    assert_array_equal(net.predict(X), late)
    with pytest.raises(ValueError, match="family takes"):
        NetClassifier("boosting").fit(X, y)


def test_codes_tell_classes_apart(seed):
    rng = np.random.RandomState(seed)
    for n_classes in (3, 9):
        code = draw_code(n_classes, 50, rng)
        assert set(np.unique(code)) == {-1.0, 1.0}
        assert (np.abs(code.sum(axis=0)) < n_classes).all()
        assert smallest_distance(code) >= 1
    assert smallest_distance(np.array([[1.0, 1, 1], [1, -1, -1], [-1, -1, -1]])) == 1
    with pytest.raises(ValueError, match="three classes or more"):
        draw_code(2, 50, rng)


def test_decoding_takes_the_nearest_row_and_the_lowest_of_equals():
    net = NetClassifier("ECOC")
    net.classes_ = np.arange(3)
    net.code_ = np.array([[1.0, 1, 1, -1], [1, -1, -1, 1], [-1, -1, 1, 1]])
    # Four nets whose answers are the signs of their constants.
    answers = np.array([[1.0, -1, -1, 1], [1, 1, -1, -1], [1, -1, 1, 1]])
    for row, expected in zip(answers, [1, 0, 1]):
        hidden = np.zeros((4, 2, 1))
        output = np.stack([np.zeros((4, 1)), row[:, None]], axis=1)
        assert net._decode(np.ones((1, 2)), (hidden, output))[0] == expected


def test_saturated_units_do_not_stop_the_training():
    # All rows drive all units to the same end: the hidden layer says nothing at all.
    from manyminds.reproductions.bias_variance.nets import _add_ridge

    grams = np.zeros((2, 3, 3))
    grams[0] = 7.0
    steps = np.linalg.solve(_add_ridge(grams, np.zeros(2)), np.ones((2, 3, 1)))
    assert np.isfinite(steps).all()
