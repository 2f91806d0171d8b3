"""Decoders: formulas by loops, ties, perfect outputs, what minimal codes correct."""

from math import exp, log, sqrt

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.ensemble import (
    decode,
    dense_random_code,
    minimal_code,
    one_vs_all_code,
    one_vs_one_code,
    row_distances,
    sparse_random_code,
)
from manyminds.ensemble.codes.decoders import DECODERS, find_nearest


def sign(z):
    return float(np.sign(z))


def clip(x):
    return min(1.0, max(-1.0, x))


TWINS = {
    "strict_hamming": lambda x, y: sum((1 - sign(a * b)) / 2 for a, b in zip(x, y)),
    "euclidean": lambda x, y: sqrt(sum((clip(a) - b) ** 2 for a, b in zip(x, y))),
    "l1": lambda x, y: sum(abs(clip(a) - b) / 2 for a, b in zip(x, y)),
    "hinge": lambda x, y: sum(max(0.0, 1 - a * b) for a, b in zip(x, y)),
    "exponential": lambda x, y: sum(exp(-a * b) for a, b in zip(x, y)),
}


@pytest.mark.parametrize("name", TWINS)
def test_losses_equal_loops(name, seed):
    rng = np.random.default_rng(seed)
    code = sparse_random_code(6, 9, n_candidates=1, random_state=seed)
    outputs = rng.normal(size=(20, 9))
    expected = [[TWINS[name](x, y) for y in code] for x in outputs]
    assert_allclose(decode(outputs, code, name), expected, atol=1e-9)


def test_probabilistic_equals_loops(seed):
    rng = np.random.default_rng(seed)
    code = sparse_random_code(6, 9, n_candidates=1, random_state=seed)
    p = rng.uniform(size=(20, 9))
    expected = [
        [-sum(log(a if b > 0 else 1 - a) for a, b in zip(x, y) if b) for y in code]
        for x in p
    ]
    assert_allclose(decode(2 * p - 1, code, "probabilistic"), expected)
    # Certain outputs that are wrong cost much, but not infinitely much.
    assert np.isfinite(decode(np.ones((1, 9)), code, "probabilistic")).all()


def test_attenuated_ignores_zeros_and_hamming_does_not():
    code = np.array([[1, 1, 1, 1], [1, -1, 0, 0], [-1, 1, 1, -1]])
    x = [[0.5, -0.5, -0.5, 0.5]]
    # Wrong margins are 1 of 2, 0 of 2, and all: they change no order of unlike losses.
    assert_allclose(decode(x, code, "hamming"), [[2 + 0.125, 1.0, 4 + 0.25]])
    assert_allclose(
        decode(x, code, "attenuated"), [[2 * sqrt(2.125), 0.0, 2 * sqrt(4.25)]]
    )


def test_ties_go_to_the_class_whose_wrong_columns_are_unsure():
    # The output 1 1 is of no class; 1 -1 and -1 1 are both one column away.
    code = minimal_code(3)
    for x, best in (([0.2, 0.9], 1), ([0.9, 0.2], 2)):
        assert decode([x], code, "hamming").argmin() == best
        assert decode([x], code, "strict_hamming").argmin() == 1
    # Equal margins: the lowest class.
    assert decode([[0.5, 0.5]], code, "hamming").argmin() == 1
    assert decode([[0.0, 0.0]], code, "hamming").argmin() == 0


@pytest.mark.parametrize("name", sorted(DECODERS))
@pytest.mark.parametrize(
    "code",
    [
        minimal_code(5),
        minimal_code(8, "gray"),
        one_vs_all_code(6),
        dense_random_code(7, random_state=0),
    ],
    ids=["binary", "gray", "one_vs_all", "dense"],
)
def test_item_3_perfect_outputs_are_decoded(name, code):
    assert_array_equal(decode(code, code, name).argmin(axis=1), np.arange(len(code)))


def test_item_3_minimal_codes_of_a_power_of_two_correct_nothing():
    code = minimal_code(8)
    for j in range(3):
        flipped = code.copy()
        flipped[:, j] *= -1
        found = decode(flipped, code, "hamming").argmin(axis=1)
        assert (found != np.arange(8)).all()


def test_a_long_code_corrects_as_many_errors_as_its_distance_promises(seed):
    rng = np.random.default_rng(seed)
    code = dense_random_code(10, random_state=seed)
    least = row_distances(code)[~np.eye(10, dtype=bool)].min()
    n_errors = int((least - 1) // 2)
    assert n_errors >= 3
    outputs = code.astype(float)
    for row in outputs:
        row[rng.permutation(len(row))[:n_errors]] *= -1
    found = decode(outputs, code, "hamming").argmin(axis=1)
    assert_array_equal(found, np.arange(10))


@pytest.mark.parametrize("name", sorted(DECODERS))
def test_item_4_order_and_complement_of_columns_do_not_matter(name, seed):
    rng = np.random.default_rng(seed)
    code = sparse_random_code(6, 12, n_candidates=1, random_state=seed)
    outputs = rng.uniform(-0.99, 0.99, size=(50, 12))
    order, turn = rng.permutation(12), rng.choice([-1, 1], size=12)
    again = decode((outputs * turn)[:, order], (code * turn)[:, order], name)
    assert_allclose(again, decode(outputs, code, name))


@pytest.mark.parametrize("name", sorted(DECODERS))
@pytest.mark.parametrize("n_classes", [3, 6, 8, 30])
def test_looking_codewords_up_changes_nothing(name, n_classes, seed):
    rng = np.random.default_rng(seed)
    code = minimal_code(n_classes, "gray")
    outputs = rng.uniform(-0.99, 0.99, size=(300, code.shape[1]))
    outputs[:40] = outputs[:40].round()  # outputs without a sign
    expected = decode(outputs, code, name).argmin(axis=1)
    assert_array_equal(find_nearest(outputs, code, name), expected)


def test_one_vs_one_by_hamming_is_the_vote_of_pairs(seed):
    outputs = np.random.default_rng(seed).normal(size=(30, 6))
    code = one_vs_one_code(4)
    votes = np.array(
        [[sum(a * b > 0 for a, b in zip(x, y)) for y in code] for x in outputs]
    )
    losses = decode(outputs, code, "strict_hamming")
    assert_allclose(losses, 3 * 0.5 + 3 - votes)


def test_own_decoders_and_wrong_arguments():
    code = minimal_code(4)
    same = decode(code, code, lambda x, code: -x @ code.T)
    assert_array_equal(same.argmin(axis=1), np.arange(4))
    with pytest.raises(ValueError, match="decoder must return losses of shape"):
        decode(code, code, lambda x, code: x)
    with pytest.raises(ValueError, match="decoder must be one of"):
        decode(code, code, "manhattan")
    with pytest.raises(ValueError, match="as many columns"):
        decode(code[:, :1], code)
