"""Notions of relevance, on joints where the answer is known; votes of members."""

from itertools import product
from math import comb

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.datasets import make_multiplexer, make_xor
from manyminds.feature_selection.relevance import (
    expected_ensemble_accuracy,
    find_marginally_relevant,
    find_strongly_relevant,
    find_weakly_relevant,
    is_markov_blanket,
)


def test_exclusive_or():
    # Spec 22, RG-61: marginally irrelevant, strongly relevant.
    X, y = make_xor(None, n_irrelevant=2)
    assert not find_marginally_relevant(X, y).any()
    assert_array_equal(find_strongly_relevant(X, y), [True, True, False, False])
    assert not find_weakly_relevant(X, y).any()


def test_multiplexer():
    # All six matter; alone, an input bit says something and a control bit nothing.
    X, y = make_multiplexer(n_irrelevant=1)
    assert_array_equal(find_strongly_relevant(X, y), [True] * 6 + [False])
    alone = find_marginally_relevant(X, y)
    assert_array_equal(alone, [False] * 2 + [True] * 4 + [False])


def test_a_copy_makes_both_weakly_relevant():
    X, y = make_xor(None, n_irrelevant=0)
    X = np.column_stack([X, X[:, 0]])
    assert_array_equal(find_strongly_relevant(X, y), [False, True, False])
    assert_array_equal(find_weakly_relevant(X, y), [True, False, True])
    assert is_markov_blanket(X, y, 0, [2])
    assert not is_markov_blanket(X, y, 0, [1])


def test_blanket_must_cover_other_features_too():
    # The class is x0; x1 is a copy of x2, and has nothing to do with the class. Given
    # nothing, x1 still says something about x2, so the empty set is no blanket.
    rows = np.array(list(product([0, 1], repeat=2)))
    X = np.column_stack([rows[:, 0], rows[:, 1], rows[:, 1]])
    assert not is_markov_blanket(X, rows[:, 0], 1, [])
    assert is_markov_blanket(X, rows[:, 0], 1, [2])


def test_blankets_compose(seed):
    # RG-61: x0 has the blanket {x1}, x1 the blanket {x2}; then x0 has {x2}.
    rng = np.random.default_rng(seed)
    states = np.array(list(product([0, 1], repeat=4)))  # x0, x1, x2, y
    down, base = rng.uniform(0.1, 0.9, size=(2, 2))

    def flip(p, given, value):
        return np.where(value == 1, p[given], 1.0 - p[given])

    x0, x1, x2, y = states.T
    copies = (x0 == x1) & (x1 == x2)
    weight = np.where(copies, flip(base, 0 * y, x2) * flip(down, x2, y), 0.0)
    X = states[:, :3]
    assert is_markov_blanket(X, y, 0, [1], sample_weight=weight)
    assert is_markov_blanket(X, y, 1, [2], sample_weight=weight)
    assert is_markov_blanket(X, y, 0, [2], sample_weight=weight)
    assert not is_markov_blanket(X, y, 0, [], sample_weight=weight)


def test_weights_are_probabilities():
    # Unequal weights break the symmetry: each bit alone now says a little.
    X, y = make_xor(None, n_irrelevant=0)
    assert find_marginally_relevant(X, y, sample_weight=[3, 1, 1, 1]).all()
    assert not find_marginally_relevant(X, y, sample_weight=[2, 2, 2, 2]).any()


def test_drawn_rows_need_a_tolerance(seed):
    X, y = make_xor(2000, n_irrelevant=1, random_state=seed)
    strong = find_strongly_relevant(X, y, tolerance=0.05)
    assert_array_equal(strong, [True, True, False])


def test_wrong_arguments():
    X, y = make_xor(None, n_irrelevant=0)
    with pytest.raises(ValueError, match="feature=0 itself"):
        is_markov_blanket(X, y, 0, [0, 1])
    with pytest.raises(ValueError, match="from 0 to 1; got 2"):
        is_markov_blanket(X, y, 2, [0])
    with pytest.raises(ValueError, match="got 21"):
        find_weakly_relevant(np.zeros((2, 21)), [0, 1])


def test_votes_by_hand():
    # RG-60. Three members: p^3 + 3 p^2 (1 - p); two: p^2, and ties of 2 p (1 - p).
    p = 0.6
    assert_allclose(expected_ensemble_accuracy(p, 3), p**3 + 3 * p**2 * (1 - p))
    tie = 2 * p * (1 - p)
    found = [expected_ensemble_accuracy(p, 2, t) for t in ("wrong", "half", "right")]
    assert_allclose(found, [p**2, p**2 + tie / 2, p**2 + tie])


def test_votes_by_formula(seed):
    p = np.random.default_rng(seed).uniform(size=4)
    for n in (1, 4, 7, 10):
        terms = [
            comb(n, t) * p**t * (1 - p) ** (n - t) for t in range(-(-n // 2), n + 1)
        ]
        found = expected_ensemble_accuracy(p, n, "right")
        assert_allclose(found, np.sum(terms, axis=0), atol=1e-12)


def test_larger_margins_need_fewer_members():
    # Members that it takes to come within one percent of certainty.
    n = np.arange(1, 400, 2)
    needed = [
        int(n[np.argmax(expected_ensemble_accuracy(p, n) > 0.99)]) for p in (0.6, 0.8)
    ]
    assert needed[0] > 5 * needed[1]
    assert_allclose(expected_ensemble_accuracy(0.5, n), 0.5)


def test_wrong_votes():
    with pytest.raises(ValueError, match="ties"):
        expected_ensemble_accuracy(0.5, 3, ties="never")
    with pytest.raises(ValueError, match="n_members"):
        expected_ensemble_accuracy(0.5, 0)
    with pytest.raises(ValueError, match="p must"):
        expected_ensemble_accuracy(1.5, 3)
