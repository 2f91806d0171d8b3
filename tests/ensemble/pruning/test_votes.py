"""Votes from one matrix of predictions."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import roc_auc_score

from manyminds.ensemble.pruning.votes import (
    choose_size,
    list_sizes,
    member_diversity,
    score_prefixes,
)


@pytest.mark.parametrize("n_classes", [2, 4])
def test_item_1_diversity_equals_pairwise_hamming_distances(n_classes, seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(n_classes, size=(9, 31))
    naive = [
        np.mean([np.mean(labels[i] != labels[k]) for k in range(9) if k != i])
        for i in range(9)
    ]
    assert_allclose(member_diversity(labels), naive, rtol=0, atol=1e-12)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_item_3_prefixes_equal_votes_from_scratch(n_classes, seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(n_classes, size=(12, 40))
    y, order = rng.integers(n_classes, size=40), rng.permutation(12)
    naive = []
    for size in range(1, 13):
        votes = [np.sum(labels[order[:size]] == c, axis=0) for c in range(n_classes)]
        naive.append(np.mean(np.argmax(votes, axis=0) == y))
    assert_array_equal(score_prefixes(labels, order, y, n_classes), naive)


def test_area_under_the_curve_of_prefixes(seed):
    rng = np.random.default_rng(seed)
    labels, y = rng.integers(2, size=(5, 30)), np.arange(30) % 2
    order = rng.permutation(5)
    naive = [
        roc_auc_score(y, labels[order[:size]].mean(axis=0)) for size in range(1, 6)
    ]
    assert_allclose(score_prefixes(labels, order, y, 2, "roc_auc"), naive)
    assert_array_equal(score_prefixes(labels, order, y * 0, 2, "roc_auc"), [0.5] * 5)


def test_sizes_are_multiples_and_the_least_of_equals_is_taken():
    assert_array_equal(list_sizes(35, 10, 11), [20, 30])
    assert_array_equal(list_sizes(5, 10), [5])
    assert choose_size(np.array([0.5, 0.7, 0.7, 0.6]), np.arange(1, 5)) == 2
