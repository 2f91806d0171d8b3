"""Orders of members against naive twins."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.metrics import cohen_kappa_score

from manyminds.ensemble.pruning import orderings


def draw(seed, n_members=8, n_classes=3, n_samples=40):
    rng = np.random.default_rng(seed)
    y = rng.integers(n_classes, size=n_samples)
    is_right = rng.uniform(size=(n_members, n_samples)) < 0.6
    noise = rng.integers(n_classes, size=(n_members, n_samples))
    return np.where(is_right, y, noise), y


def vote(labels, n_classes):
    votes = [np.sum(labels == c, axis=0) for c in range(n_classes)]
    return np.argmax(votes, axis=0)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_forward_orders(n_classes, seed):
    labels, y = draw(seed, n_classes=n_classes)
    for only_wrong in (False, True):
        order = []
        while len(order) < len(labels):
            left = [m for m in range(len(labels)) if m not in order]
            wrong = np.ones(len(y), bool)
            if order:
                wrong = vote(labels[order], n_classes) != y
            scores = [
                np.sum((labels[m] == y) & wrong)
                if only_wrong
                else np.sum(vote(labels[[*order, m]], n_classes) == y)
                for m in left
            ]
            order.append(left[int(np.argmax(scores))])
        by = orderings.order_by_reduced_error
        by = orderings.order_by_complementarity if only_wrong else by
        assert_array_equal(by(labels, y, n_classes), order)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_backward_order(n_classes, seed):
    labels, y = draw(seed, n_classes=n_classes)
    inside, removed = list(range(len(labels))), []
    while len(inside) > 1:
        scores = [
            np.sum(vote(labels[[k for k in inside if k != m]], n_classes) == y)
            for m in inside
        ]
        last = len(inside) - 1 - int(np.argmax(scores[::-1]))
        removed.append(inside.pop(last))
    order = orderings.order_by_removal(labels, y, n_classes)
    assert_array_equal(order, [*inside, *removed[::-1]])


def test_orientation(seed):
    labels, y = draw(seed)
    c = np.where(labels == y, 1.0, -1.0)
    mean = c.mean(axis=0)
    reference = 1.0 - (mean.sum() / (mean @ mean)) * mean
    assert abs(reference @ mean) < 1e-9  # perpendicular
    cosine = [one @ reference for one in c]  # all signatures have the same length
    order = sorted(range(len(c)), key=lambda m: -round(cosine[m], 9))
    assert_array_equal(orderings.order_by_orientation(labels, y, 3), order)
    same = np.tile(y, (3, 1))  # always right: no direction is left
    assert_array_equal(orderings.order_by_orientation(same, y, 3), [0, 1, 2])


def test_margin_distance(seed):
    labels, y = draw(seed)
    c = np.where(labels == y, 1.0, -1.0)
    goal, order = np.full(len(y), 0.075), []
    while len(order) < len(c):
        left = [m for m in range(len(c)) if m not in order]
        distance = [
            np.round(np.sum((goal - c[[*order, m]].sum(axis=0) / len(c)) ** 2), 9)
            for m in left
        ]
        order.append(left[int(np.argmin(distance))])
    found = orderings.order_by_margin_distance(labels, y, 3)
    # Ties may be decided by rounding: compare distances, not members.
    for size in range(1, len(c) + 1):
        one, other = (
            np.sum((goal - c[some[:size]].sum(axis=0) / len(c)) ** 2)
            for some in (list(found), order)
        )
        assert abs(one - other) < 1e-6


def test_kappa_takes_pairs_that_agree_least(seed):
    labels, y = draw(seed)
    pairs = sorted(
        (
            (round(cohen_kappa_score(labels[i], labels[k]), 10), i, k)
            for i in range(len(labels))
            for k in range(i + 1, len(labels))
        ),
    )
    order = []
    for _, i, k in pairs:
        order += [m for m in (i, k) if m not in order]
    assert_array_equal(orderings.order_by_kappa(labels, y, 3), order)
    assert_array_equal(orderings.order_by_kappa(labels[:1], y, 3), [0])


def test_choose_best(seed):
    labels, y = draw(seed)
    accuracy = np.mean(labels == y, axis=1)
    order = orderings.order_by_accuracy(labels, y, 3)
    assert (np.diff(accuracy[order]) <= 0).all()
