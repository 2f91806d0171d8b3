"""The pair-conditioned filter: exclusive or, copies, naive twin, the printed rule."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.datasets import make_xor
from manyminds.feature_selection.filters.fcbf import FCBFSelector
from manyminds.feature_selection.filters.pairwise_redundancy import (
    PairwiseRedundancySelector,
)


def entropy(*columns):
    _, counts = np.unique(np.column_stack(columns), axis=0, return_counts=True)
    share = counts / counts.sum()
    return float(-(share * np.log2(share)).sum())


def associate(columns, y, association):
    """What some columns, taken as one, say about y."""
    gain = entropy(*columns) + entropy(y) - entropy(*columns, y)
    if association == "information_gain":
        return gain
    if association == "gain_ratio":
        return gain / entropy(*columns)
    return 2.0 * gain / (entropy(*columns) + entropy(y))


def filter_naively(X, y, threshold, association):
    scores = [associate([x], y, association) for x in X.T]
    left = sorted(range(X.shape[1]), key=lambda j: -round(scores[j], 10))
    kept = []
    while left:
        best = left.pop(0)
        kept.append(best)
        if threshold is not None and scores[best] <= threshold + 1e-10:
            continue
        left = [
            j
            for j in left
            if associate([X[:, best], X[:, j]], y, association) > scores[best] + 1e-10
        ]
    return kept


def draw_codes(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(3, size=100)
    X = rng.integers(3, size=(100, 8))
    for j in range(5):
        copied = rng.uniform(size=100) < rng.uniform(0.1, 0.8)
        X[copied, j] = y[copied]
    return X, y


@pytest.mark.parametrize("threshold", [None, 0.0, 0.1])
@pytest.mark.parametrize(
    "association", ["symmetrical_uncertainty", "information_gain", "gain_ratio"]
)
def test_agrees_with_naive_twin(seed, threshold, association):
    for i in range(3):
        X, y = draw_codes(seed + i)
        selector = PairwiseRedundancySelector(
            threshold, association=association, discretize=None
        ).fit(X, y)
        kept = filter_naively(X, y, threshold, association)
        ranked = np.argsort(selector.ranking_, kind="stable")[: len(kept)]
        assert_array_equal(ranked, kept)
        assert selector.support_.sum() == len(kept)
        assert_allclose(selector.scores_[0], associate([X[:, 0]], y, association))


# Spec 22, RG-66: an exclusive or survives, which FCBF drops.
def test_exclusive_or_survives():
    X, y = make_xor(None, n_irrelevant=0)
    assert PairwiseRedundancySelector().fit(X, y).support_.all()
    assert not FCBFSelector(discretize=None).fit(X, y).support_.any()


def test_printed_rule_loses_an_exclusive_or_behind_noise():
    # On the table of all rows nothing is relevant alone. As printed, the first column
    # removes all that adds nothing to it; ours lets no irrelevant column remove any.
    X, y = make_xor(None, n_irrelevant=2)
    behind = X[:, ::-1]  # the noise comes first
    printed = PairwiseRedundancySelector(threshold=None)
    assert_array_equal(printed.fit(X, y).support_, [True, True, False, False])
    assert_array_equal(printed.fit(behind, y).support_, [True, False, False, False])
    assert PairwiseRedundancySelector().fit(behind, y).support_.all()


def test_copies_and_noise_beside_a_relevant_column(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=400)
    x = np.where(rng.uniform(size=400) < 0.9, y, 1 - y)
    X = np.column_stack([x, x, rng.integers(2, size=(400, 5))])
    selector = PairwiseRedundancySelector().fit(X, y)
    assert_array_equal(selector.support_, [True] + 6 * [False])
    assert_array_equal(selector.blankets_, [-1] + 6 * [0])


@pytest.mark.slow
def test_many_levels(seed):
    # The levels of two columns and the classes together are more than a code holds.
    rng = np.random.default_rng(seed)
    X, y = rng.integers(300, size=(400, 3)), rng.integers(4, size=400)
    selector = PairwiseRedundancySelector(threshold=None, discretize=None).fit(X, y)
    kept = filter_naively(X, y, None, "symmetrical_uncertainty")
    assert_array_equal(np.flatnonzero(selector.support_), sorted(kept))
