"""Labels of viewed words: a toy log by hand, a naive twin, errors."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.preprocessing import label_viewed_words

LISTS = [[3, 4], [5, 6], [6, 7]]


def test_item_4_toy_log():
    log = [  # term, search topic, marked as relevant, label
        (3, 0, True, 1),  # a word of the search, in a document that was marked
        (5, 0, True, -1),  # a word of another topic there
        (9, 0, True, -1),  # a word of no list
        (3, 0, False, -1),  # a word of the search in a document that was not
        (5, 0, False, 0),  # a word of another topic there
        (6, 1, False, 0),  # a word of the search and of another topic there
        (6, 1, True, 1),
        (6, 2, True, 1),
        (9, 2, False, -1),
    ]
    terms, topics, marked, labels = zip(*log)
    assert label_viewed_words(terms, topics, marked, LISTS).tolist() == list(labels)


def test_item_4_naive_twin(seed):
    rng = np.random.default_rng(seed)
    lists = np.array([rng.permutation(30)[:5] for _ in range(6)])
    terms, topics = rng.integers(30, size=200), rng.integers(6, size=200)
    marked = rng.uniform(size=200) < 0.5
    expected = []
    for term, topic, mark in zip(terms, topics, marked):
        others = {one for k in range(6) if k != topic for one in lists[k]}
        if mark:
            expected.append(1 if term in lists[topic] else -1)
        else:
            expected.append(0 if term in others else -1)
    labels = label_viewed_words(terms, topics, marked, lists)
    assert_array_equal(labels, expected)
    assert np.isin(terms[labels >= 0], lists).all()  # no word outside the lists


@pytest.mark.parametrize(
    ("terms", "topics", "lists", "message"),
    [
        ([-1], [0], LISTS, "terms must be integers of 0 or more"),
        ([0.5], [0], LISTS, "terms must be integers"),
        ([1], [3], LISTS, "search_topics must be rows of topic_words, from 0 to 2"),
        ([1], [0], [1, 2], "topic_words must have one row"),
        ([1, 2], [0], LISTS, "inconsistent numbers"),
    ],
)
def test_bad_input(terms, topics, lists, message):
    with pytest.raises(ValueError, match=message):
        label_viewed_words(terms, topics, [True] * len(terms), lists)
