"""The search of minimal codes: all designs, repair, cache, fitness by loops."""

from itertools import permutations
from math import factorial

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.datasets import make_blobs
from sklearn.linear_model import LogisticRegression

from manyminds.ensemble import decode
from manyminds.ensemble.codes.columns import predict_left_out
from manyminds.ensemble.codes.distances import canonical_columns
from manyminds.ensemble.codes.fixed_codes import code_from_words, count_bits
from manyminds.ensemble.codes.minimal_search import (
    CodeRater,
    ColumnCache,
    list_designs,
    repair_words,
    search_by_evolution,
    search_exhaustively,
)

OPTIONS = {
    "population_size": 50,
    "n_generations": 60,
    "n_islands": 4,
    "patience": None,
}


def make_rater(seed, n_classes=5, n_samples=120, enabled=True):
    X, label = make_blobs(
        n_samples, centers=n_classes, cluster_std=3.0, random_state=seed
    )
    fold = np.arange(n_samples) % 2
    base = LogisticRegression(solver="liblinear", random_state=0)
    cache = ColumnCache(
        base, X, label, None, fold, lambda c: [0] * len(c), None, enabled
    )
    return CodeRater(cache, n_classes)


@pytest.mark.parametrize("n_classes", range(2, 9))
def test_designs_are_as_many_as_the_formula_counts(n_classes):
    words = list_designs(n_classes)
    n_bits = count_bits(n_classes)
    n_words = 2**n_bits
    expected = factorial(n_words) // factorial(n_words - n_classes)
    assert len(words) == expected // (n_words * factorial(n_bits))
    if n_classes <= 5:  # every code is one of them, up to order and complement
        kinds = {frozenset(map(tuple, _split(w, n_bits))) for w in words}
        assert len(kinds) == len(words)
        everything = permutations(range(n_words), n_classes)
        assert {frozenset(map(tuple, _split(w, n_bits))) for w in everything} == kinds


def _split(words, n_bits):
    return canonical_columns(code_from_words(np.array(words), n_bits))[0].T.tolist()


def test_item_6_repair(seed):
    rng = np.random.RandomState(seed)
    for _ in range(200):
        n_classes = rng.randint(2, 20)
        n_bits = count_bits(n_classes)
        words = rng.randint(2**n_bits, size=n_classes)
        repaired = repair_words(words, n_bits, rng)
        assert len(set(repaired)) == n_classes
        assert repaired.max() < 2**n_bits
        _, first = np.unique(words, return_index=True)
        assert_array_equal(repaired[first], words[first])  # the first keeps its word
        assert_array_equal(repair_words(repaired, n_bits, rng), repaired)


def test_error_equals_decoding_by_hand(seed):
    rater = make_rater(seed, n_classes=6)
    cache, rng = rater.cache, np.random.RandomState(seed)
    words = rng.permutation(8)[:6]
    code = code_from_words(words, 3)
    outputs = [
        predict_left_out(cache.estimator, cache.X, cache.label, column, 0, cache.fold)
        for column in code.T
    ]
    guess = decode(np.stack(outputs, 1), code, "strict_hamming").argmin(axis=1)
    assert rater.rate_words(words) == np.mean(guess != cache.label)


@pytest.mark.parametrize("n_classes", [3, 4, 5])
@pytest.mark.parametrize("method", ["ga", "pbil"])
def test_item_5_evolution_finds_the_best_code(n_classes, method, seed):
    rater = make_rater(seed, n_classes)
    code, history = search_by_evolution(
        rater, method, OPTIONS, np.random.RandomState(seed)
    )
    best, errors = search_exhaustively(rater)
    assert history[-1] == errors[-1]
    assert (np.diff(history) <= 0.0).all()
    for found in (code, best):
        words = (found > 0) @ (1 << np.arange(found.shape[1])[::-1])
        assert rater.rate_words(words) == errors[-1]


@pytest.mark.parametrize("n_classes", [5, 6])
def test_item_7_cache(n_classes, seed):
    results = {}
    options = OPTIONS | {"population_size": 8, "n_generations": 4, "n_islands": 2}
    for enabled in (True, False):
        rater = make_rater(seed, n_classes, 60, enabled=enabled)
        rng = np.random.RandomState(seed)
        code, history = search_by_evolution(rater, "ga", options, rng)
        results[enabled] = code, history, rater.cache.n_fitted
    assert_array_equal(results[True][0], results[False][0])
    assert_array_equal(results[True][1], results[False][1])
    # All splits of n classes; without the cache three columns for each of 8 codes and,
    # in four generations, two children on each of two islands.
    assert results[True][2] <= 2 ** (n_classes - 1) - 1
    assert results[False][2] == 3 * (8 + 4 * 2 * 2)
