"""Counts of pairs by a plain twin, in one block or several, of all or some answers."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.analysis.diversity import count_correct_pairs, count_pairs
from manyminds.analysis.diversity.pair_counts import count_agreements, gram


def plain_counts(correct, where):
    n = len(correct)
    counts = np.zeros((2, 2, n, n))
    for t in range(n):
        for u in range(n):
            both = where[t] & where[u]
            for a in (0, 1):
                for b in (0, 1):
                    same = (correct[t] == a) & (correct[u] == b) & both
                    counts[a, b, t, u] = same.sum()
    return counts


@pytest.mark.parametrize("masked", [False, True])
def test_plain_twin(draw_votes, seed, masked):
    y, predictions = draw_votes()
    where = np.ones(predictions.shape, dtype=bool)
    if masked:
        where = np.random.default_rng(seed).random(predictions.shape) < 0.4
    expected = plain_counts(predictions == y, where)
    counts = count_pairs(y, predictions, where=where if masked else None)
    assert_array_equal(counts.both_right, expected[1, 1])
    assert_array_equal(counts.only_first, expected[1, 0])
    assert_array_equal(counts.only_second, expected[0, 1])
    assert_array_equal(counts.both_wrong, expected[0, 0])
    assert_array_equal(counts.n_samples, expected.sum(axis=(0, 1)))


def test_all_answers_are_the_same_as_none_left_out(draw_votes):
    y, predictions = draw_votes(n_classes=2)
    where = np.ones(predictions.shape, dtype=bool)
    some = count_pairs(y, predictions, where=where)
    assert_array_equal(some.both_wrong, count_pairs(y, predictions).both_wrong)


@pytest.mark.parametrize("n_classes", [1, 2, 5])
@pytest.mark.parametrize("masked", [False, True])
def test_agreements_by_a_plain_twin(draw_votes, seed, n_classes, masked):
    _, codes = draw_votes(n_classes=n_classes)
    where = np.random.default_rng(seed).random(codes.shape) < (0.5 if masked else 2.0)
    found = count_agreements(codes, n_classes, where if masked else None)
    for t, u in np.ndindex(found[0].shape):
        both = where[t] & where[u]
        a, b = codes[t, both], codes[u, both]
        chance = sum((a == c).sum() * (b == c).sum() for c in range(n_classes))
        assert [each[t, u] for each in found] == [(a == b).sum(), chance, both.sum()]


def test_products_of_more_than_one_block_are_exact(seed):
    # Two members: a block has 2**22 samples, and this is one and a bit.
    some = np.random.default_rng(seed).random((2, 2**22 + 5)) < 0.9
    expected = [[np.count_nonzero(a & b) for b in some] for a in some]
    assert_array_equal(gram(some), expected)
    assert_array_equal(gram(some, ~some).diagonal(), [0, 0])


def test_what_is_not_right_or_wrong_is_refused():
    with pytest.raises(ValueError, match="correct must have only 0 and 1"):
        count_correct_pairs([[0, 2], [1, 1]])
    assert repr(count_correct_pairs([[0, 1], [1, 1]])) == "<PairCounts: 2 members>"
