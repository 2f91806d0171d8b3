"""Exclusive or, multiplexer, monks."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.datasets.generators import (
    bayes_error,
    make_monks,
    make_multiplexer,
    make_xor,
)


def monk(problem, a1, a2, a3, a4, a5, a6):
    if problem == 1:
        return a1 == a2 or a5 == 1
    if problem == 2:
        return [a1, a2, a3, a4, a5, a6].count(1) == 2
    return (a5 == 3 and a4 == 1) or (a5 != 4 and a2 != 3)


@pytest.mark.parametrize("problem, n_ones", [(1, 216), (2, 142), (3, 228)])
def test_monks_by_brute_force(problem, n_ones):
    robots = list(
        product((1, 2, 3), (1, 2, 3), (1, 2), (1, 2, 3), (1, 2, 3, 4), (1, 2))
    )
    X, y = make_monks(problem=problem)
    assert_array_equal(X, robots)
    assert_array_equal(y, [monk(problem, *robot) for robot in robots])
    assert y.sum() == n_ones and len(y) == 432


def test_training_part_of_the_third_monk(seed):
    # 5 % of 122 rows are 6.1: six labels are wrong.
    X, y = make_monks(122, problem=3, label_noise=0.05, random_state=seed)
    assert len(np.unique(X, axis=0)) == 122
    assert sum(monk(3, *robot) != label for robot, label in zip(X, y)) == 6


def test_monks_refuse_what_is_not_there():
    with pytest.raises(ValueError, match=r"n_samples .* from 1 to 432; got 433"):
        make_monks(433)
    with pytest.raises(ValueError, match=r"problem must be one of \[1, 2, 3\]; got 4"):
        make_monks(problem=4)


@pytest.mark.parametrize("n_control", [1, 2, 3])
def test_multiplexer_truth_table(n_control):
    X, y = make_multiplexer(n_control=n_control)
    n_features = n_control + 2**n_control
    assert_array_equal(X, list(product([0, 1], repeat=n_features)))
    for bits, label in zip(X.astype(int).tolist(), y):
        address = int("".join(map(str, bits[:n_control])), base=2)
        assert label == bits[n_control:][address]
    assert y.sum() * 2 == len(y)


def test_multiplexer_draws_with_replacement(seed):
    X, y = make_multiplexer(2000, n_irrelevant=3, random_state=seed)
    assert X.shape == (2000, 9)
    table = {tuple(row): label for row, label in zip(*make_multiplexer())}
    assert [table[tuple(row)] for row in X[:, :6]] == y.tolist()


def test_xor_by_hand():
    X, y = make_xor(None, n_irrelevant=1)
    first, second, _ = X.T
    assert_array_equal(y, first != second)
    assert len(np.unique(X, axis=0)) == 8


@pytest.mark.parametrize("n_bits", [2, 3, 4])
def test_fewer_bits_tell_nothing(n_bits):
    X, y = make_xor(None, n_bits=n_bits, n_irrelevant=1)
    for left_out in range(n_bits):
        rest = np.delete(X, left_out, axis=1)
        _, group = np.unique(rest, axis=0, return_inverse=True)
        share = np.bincount(group.ravel(), weights=y) / np.bincount(group.ravel())
        assert_array_equal(share, 0.5)


def test_continuous_xor_is_cut_at_one_half(seed):
    X, y = make_xor(300, continuous=True, random_state=seed)
    assert_array_equal(y, (X[:, 0] > 0.5) != (X[:, 1] > 0.5))
    assert len(np.unique(X)) == X.size


def test_labels_are_flipped_in_their_share(seed):
    for maker in (make_xor, make_multiplexer):
        X, y = maker(200, random_state=seed)
        again, noisy = maker(200, label_noise=0.15, random_state=seed)
        assert_array_equal(X, again)
        assert (y != noisy).sum() == 30
    assert bayes_error("xor", label_noise=0.15) == 0.15
    assert bayes_error("multiplexer", label_noise=1.0) == 0


def test_too_large_tables_are_refused():
    with pytest.raises(ValueError, match=r"n_samples=None .* 20 columns; there are 22"):
        make_xor(None, n_irrelevant=20)
    with pytest.raises(ValueError, match=r"n_samples must be an integer with"):
        make_xor(None, continuous=True)


@pytest.mark.parametrize("problem, n_train", [(1, 124), (2, 169), (3, 122)])
def test_monks_in_circulation(problem, n_train, shared_data):
    # Their training part comes first, then all robots in our order.
    table = np.loadtxt(
        shared_data / f"monks-{problem}.csv.gz", delimiter=",", skiprows=1
    )
    X, y = make_monks(problem=problem)
    assert_array_equal(table[n_train:], np.column_stack([X, y]))
    train = table[:n_train]
    assert len(np.unique(train[:, :6], axis=0)) == n_train
    n_wrong = sum(monk(problem, *robot) != label for *robot, label in train)
    assert n_wrong == (6 if problem == 3 else 0)
