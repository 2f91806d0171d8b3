"""DT1 and DT2: a naive twin of the tree's bookkeeping, and what they see."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.datasets.generators import make_friedman_classes, make_simple, make_xor
from manyminds.feature_selection.embedded.mdl_tree_selectors import (
    TreeCandidateSelector,
    TreeSplitSelector,
)


def bits(y):
    _, counts = np.unique(y, return_counts=True)
    shares = counts / max(len(y), 1)
    return -np.sum(shares * np.log2(shares))


def name_cost(f, used, n_splits, n_features, kind):
    if kind == "none":
        return 0.0
    s = len(used)
    if f in used:
        return np.log2(s)
    cost = (n_splits + 1) * np.log2(s + 1) - (n_splits * np.log2(s) if s else 0.0)
    return cost + (np.log2(n_features) if kind == "full" else 0.0)


def best_cut(x, y):
    """Largest gain of a feature, and what its cut costs (first of equal cuts)."""
    n, best, cost = len(y), 0.0, np.inf
    for cut in np.unique(x)[:-1]:
        left = x <= cut
        inside = [(side.sum(), y[side]) for side in (left, ~left)]
        gain = bits(y) - sum(m * bits(labels) for m, labels in inside) / n
        if gain * n > best * n + 1e-10:
            k = len(np.unique(y))
            price = np.log2(n - 1) + np.log2(3.0**k - 2) - k * bits(y)
            price += sum(len(np.unique(labels)) * bits(labels) for _, labels in inside)
            best, cost = gain, price
    return best, cost


def naive_savings(X, y, kind):
    """Grow the tree level by level; note the best that each feature saves anywhere."""
    n_features = X.shape[1]
    savings, used, n_splits = np.full(n_features, -np.inf), [], 0
    nodes = [np.arange(len(y))]
    while nodes:
        rows = nodes.pop(0)
        if len(np.unique(y[rows])) < 2:
            continue
        chosen, most = None, -np.inf
        for f in range(n_features):
            gain, cost = best_cut(X[rows, f], y[rows])
            if gain <= 1e-10:
                continue
            left_over = len(rows) * gain - cost
            left_over -= name_cost(f, used, n_splits, n_features, kind)
            savings[f] = max(savings[f], left_over)
            if left_over >= -1e-10 and gain > most + 1e-10:
                chosen, most = f, gain
        if chosen is None:
            continue
        x = X[rows, chosen]
        gains = [(best_gain_at(x, y[rows], cut), -cut) for cut in np.unique(x)[:-1]]
        cut = -max(gains)[1]
        nodes += [rows[x <= cut], rows[x > cut]]
        used = used if chosen in used else [*used, chosen]
        n_splits += 1
    return savings, used


def best_gain_at(x, y, cut):
    left = x <= cut
    after = left.sum() * bits(y[left]) + (~left).sum() * bits(y[~left])
    return round(bits(y) - after / len(y), 10)


@pytest.mark.filterwarnings("ignore:No feature gains")
@pytest.mark.parametrize("kind", ["full", "index", "none"])
def test_naive_twin(seed, kind):
    X, y = make_friedman_classes(80, random_state=seed)
    X = X[:, :6].round(1)
    savings, used = naive_savings(X, y, kind)
    second = TreeCandidateSelector(feature_cost=kind, fallback="none").fit(X, y)
    assert_allclose(second.scores_, savings, atol=1e-8)
    assert_array_equal(second.support_, savings >= -1e-9)
    first = TreeSplitSelector(feature_cost=kind, fallback="none").fit(X, y)
    assert_array_equal(np.argsort(first.ranking_, kind="stable")[: len(used)], used)
    assert_array_equal(np.flatnonzero(first.support_), np.sort(used))


@pytest.mark.filterwarnings("ignore:No feature gains")
@pytest.mark.parametrize("kind", ["full", "index", "none"])
def test_what_the_tree_uses_it_could_use(seed, kind):
    X, y = make_friedman_classes(200, random_state=seed)
    X[np.random.default_rng(seed).uniform(size=X.shape) < 0.05] = np.nan
    first = TreeSplitSelector(feature_cost=kind).fit(X, y)
    second = TreeCandidateSelector(feature_cost=kind).fit(X, y)
    assert not np.any(first.support_ & ~second.support_)
    assert first.ranking_.max() <= first.support_.sum() + 1


def test_simple_keeps_the_two_that_matter(seed):
    X, y = make_simple(270, random_state=seed)
    assert_array_equal(TreeSplitSelector().fit(X, y).get_support(indices=True), [0, 1])


def test_copies_of_a_feature(seed):
    # DT1 keeps one of two copies, DT2 both.
    X, y = make_simple(200, random_state=seed)
    X = np.c_[X[:, 1], X[:, 1], X[:, 5]]
    assert_array_equal(TreeSplitSelector().fit(X, y).support_[:2], [True, False])
    assert_array_equal(TreeCandidateSelector().fit(X, y).support_[:2], [True, True])


def test_xor_is_not_seen(seed):
    # No first split pays, so nothing is kept; the best is not known to be one.
    X, y = make_xor(200, random_state=seed)
    with pytest.warns(UserWarning, match="No feature"):
        selector = TreeSplitSelector(fallback="none").fit(X, y)
    assert not selector.support_.any()
    with pytest.warns(UserWarning, match="No feature"):
        best = TreeSplitSelector().fit(X, y)
    with pytest.warns(UserWarning, match="No feature"):
        second = TreeCandidateSelector().fit(X, y)
    assert best.support_.sum() == 1
    assert_array_equal(best.support_, second.support_)


@pytest.mark.filterwarnings("ignore:No feature gains")
def test_whole_weights_are_copies_of_rows(seed):
    rng = np.random.default_rng(seed)
    X, y = make_simple(120, random_state=seed)
    times = rng.integers(0, 4, size=120)
    weighted = TreeCandidateSelector(fallback="none").fit(X, y, times)
    repeated = TreeCandidateSelector(fallback="none").fit(
        np.repeat(X, times, axis=0), np.repeat(y, times)
    )
    assert_allclose(weighted.scores_, repeated.scores_, atol=1e-8)
