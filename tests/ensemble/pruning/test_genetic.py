"""Genetic search over subsets."""

import numpy as np
from numpy.testing import assert_allclose

from manyminds.ensemble.pruning.genetic import (
    make_error_fitness,
    make_vote_fitness,
    search_subset,
)


def test_fitness_of_votes_and_means(seed):
    rng = np.random.default_rng(seed)
    labels, y = rng.integers(3, size=(7, 25)), rng.integers(3, size=25)
    bits = rng.uniform(size=(6, 7)) < 0.5
    bits[:, :2] = True
    found = make_vote_fitness(labels, y, 3, 0.6)(bits)
    errors = rng.normal(size=(7, 25))
    mean_errors = make_error_fitness(errors @ errors.T / 25)(bits)
    for k, chosen in enumerate(bits):
        some = labels[chosen]
        votes = [np.sum(some == c, axis=0) for c in range(3)]
        accuracy = np.mean(np.argmax(votes, axis=0) == y)
        pairs = [
            np.mean(some[i] != some[j]) for i in range(len(some)) for j in range(i)
        ]
        assert_allclose(found[k], 0.6 * accuracy + 0.4 * np.mean(pairs), rtol=1e-5)
        assert_allclose(mean_errors[k], -np.mean(errors[chosen].mean(axis=0) ** 2))


def test_search_finds_what_is_easy_and_respects_the_size(seed):
    worth = np.array([1.0, -1.0] * 6)
    found = search_subset(lambda bits: bits @ worth, 12, None, np.random.RandomState(1))
    assert found.tolist() == list(range(0, 12, 2))
    rng = np.random.RandomState(seed)
    assert len(search_subset(lambda bits: bits @ worth, 12, 3, rng)) == 3
    # Never empty, even if nothing is best.
    assert len(search_subset(lambda bits: -bits.sum(axis=1), 12, None, rng)) == 1
