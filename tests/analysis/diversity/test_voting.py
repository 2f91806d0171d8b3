"""Majority votes: counted plainly, and their ties by every rule."""

from collections import Counter

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.analysis.diversity import majority_vote
from manyminds.analysis.diversity.voting import count_votes


def test_counts_by_a_plain_twin(draw_votes, seed):
    _, codes = draw_votes(n_classes=4)
    where = np.random.default_rng(seed).random(codes.shape) < 0.5
    for mask in (None, where):
        counted = np.ones(codes.shape, dtype=bool) if mask is None else mask
        expected = [
            [np.sum((codes[:, i] == c) & counted[:, i]) for c in range(4)]
            for i in range(codes.shape[1])
        ]
        assert_array_equal(count_votes(codes, 4, mask), expected)


def test_counts_of_more_than_one_block(seed):
    codes = np.random.default_rng(seed).integers(3, size=(2, 2**19 + 3))
    expected = np.stack([(codes == c).sum(axis=0) for c in range(3)], axis=1)
    assert_array_equal(count_votes(codes, 3), expected)


@pytest.mark.parametrize("tie_break", ["first", "prior", "random"])
def test_the_winner_has_most_votes(draw_votes, seed, tie_break):
    _, predictions = draw_votes(n_members=6, n_classes=3)
    options = {"tie_break": tie_break, "random_state": seed}
    vote = majority_vote(predictions, **options)
    for column, label in zip(predictions.T, vote):
        counts = Counter(column.tolist())
        assert counts[label] == max(counts.values())
        if tie_break == "first":
            assert label == min(c for c in counts if counts[c] == counts[label])
    assert_array_equal(majority_vote(predictions, **options), vote)


def test_ties_by_each_rule():
    tie = [["a", "a"], ["b", "b"], ["b", "a"], ["a", "b"], ["c", "b"]]
    assert_array_equal(majority_vote(tie), ["a", "b"])
    even = tie[:4]
    assert_array_equal(majority_vote(even), ["a", "a"])
    prior = {"a": 0.2, "b": 0.3, "c": 0.5}
    assert_array_equal(majority_vote(even, tie_break="prior", prior=prior), ["b", "b"])
    # By default the prior is how often members say a label: b three times, a once.
    votes = [["a", "b"], ["b", "b"]]
    assert_array_equal(majority_vote(votes, tie_break="prior"), ["b", "b"])


def test_random_ties_fall_both_ways(seed):
    # One of 200 tosses of a coin is missing a side less than once in 10**59.
    tie = np.repeat([[0], [1]], 200, axis=1)
    vote = majority_vote(tie, tie_break="random", random_state=seed)
    assert set(vote.tolist()) == {0, 1}


def test_what_is_no_rule_or_no_prior_is_refused():
    with pytest.raises(ValueError, match="tie_break must be one of"):
        majority_vote([[0]], tie_break="last")
    with pytest.raises(ValueError, match="prior must hold numbers of 0 or more"):
        majority_vote([[0]], tie_break="prior", prior={0: -1.0})
