"""CFS: merit by hand, naive twins of the searches, lazy associations, LUCAS."""

from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn.datasets import load_diabetes, load_iris

from manyminds.datasets.generators.lucas import LUCAS_FEATURES, make_lucas
from manyminds.feature_selection.associations import (
    CodeTable,
    symmetrical_uncertainty,
)
from manyminds.feature_selection.filters import cfs
from manyminds.feature_selection.filters.cfs import CFSSelector


def draw_codes(seed, n_samples=150, n_features=9):
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=n_samples)
    X = rng.integers(3, size=(n_samples, n_features))
    for j in range(n_features - 2):
        source = y if j % 2 else X[:, rng.integers(j + 1)]
        copied = rng.uniform(size=n_samples) < rng.uniform(0.1, 0.7)
        X[copied, j] = source[copied]
    return X, y


def associate_all(X, y):
    """All associations at once: a vector with the class, a matrix among features."""
    levels = X.max(axis=0) + 1
    table = CodeTable(X.T.astype(np.uint8), levels)
    target = symmetrical_uncertainty(table, y, y.max() + 1)
    pairs = [symmetrical_uncertainty(table, x, n) for x, n in zip(table.codes, levels)]
    return target, np.array(pairs)


def find_merit(subset, target, pairs):
    """Hall's formula, with means."""
    k, subset = len(subset), list(subset)
    if k == 0:
        return 0.0
    r_ff = np.mean([pairs[i, j] for i, j in combinations(subset, 2)]) if k > 1 else 0.0
    return k * target[subset].mean() / np.sqrt(k + k * (k - 1) * r_ff)


# Spec 03, item 3, and the merit that the selector reports.
def test_merit_of_one_of_a_copy_and_of_many(seed):
    X, y = draw_codes(seed)
    target, pairs = associate_all(X, y)
    assert_allclose(find_merit([2], target, pairs), target[2])
    doubled = np.column_stack([X[:, 1], X[:, 1]])
    selector = CFSSelector(discretize=None).fit(doubled, y)
    assert_array_equal(selector.support_, [True, False])
    assert_allclose(selector.merit_, target[1])
    selector = CFSSelector(discretize=None).fit(X, y)
    chosen = np.flatnonzero(selector.support_)
    assert_allclose(selector.merit_, find_merit(chosen, target, pairs))
    for subset, merit in zip(selector.path_, selector.path_merits_):
        assert_allclose(merit, find_merit(subset, target, pairs), atol=1e-12)


def test_worked_merit():
    # Two independent bits, the class is their "or": both belong to the subset.
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    y = np.array([0, 1, 1, 1])
    selector = CFSSelector("forward", discretize=None).fit(X, y)
    gain = 1.0 + 0.811278 - 1.5
    score = 2.0 * gain / 1.811278
    assert_allclose(selector.scores_, [score, score], atol=1e-6)
    assert_allclose(selector.merit_, 2.0 * score / np.sqrt(2.0), atol=1e-6)
    assert_array_equal(selector.ranking_, [1, 2])


def go_forward(n, merit):
    subset = ()
    while len(subset) < n:
        rest = [j for j in range(n) if j not in subset]
        best = max(rest, key=lambda j: (round(merit((*subset, j)), 10), -j))
        if merit((*subset, best)) <= merit(subset) + 1e-10:
            break
        subset = (*subset, best)
    return subset


def go_best_first(n, merit, n_stale=5):
    """An open list, sorted; expand its head until five expansions are in vain."""
    best, stale, closed = (), 0, set()
    open_list = [((), 0.0)]
    while open_list and stale < n_stale:
        open_list.sort(key=lambda one: -round(one[1], 10))
        head, _ = open_list.pop(0)
        if frozenset(head) in closed:
            continue
        closed.add(frozenset(head))
        children = [(*head, j) for j in range(n) if j not in head]
        open_list += [(child, merit(child)) for child in children]
        top = max(children, key=lambda c: round(merit(c), 10), default=())
        stale += 1
        if merit(top) > merit(best) + 1e-10:
            best, stale = top, 0
    return best


def float_naively(n, merit, n_stale=5):
    records, current = {0: ()}, ()
    best = ()
    while len(current) < n and len(current) < len(best) + n_stale:
        rest = [j for j in range(n) if j not in current]
        added = max(rest, key=lambda j: (round(merit((*current, j)), 10), -j))
        current = (*current, added)
        while True:
            k = len(current)
            if k not in records or merit(current) > merit(records[k]) + 1e-10:
                records[k] = current
            current = records[k]
            if k == 1:
                break
            less = [tuple(i for i in current if i != j) for j in sorted(current)]
            shorter = max(less, key=lambda one: round(merit(one), 10))
            if merit(shorter) <= merit(records[k - 1]) + 1e-10:
                break
            current = shorter
        best = max(records.values(), key=lambda one: round(merit(one), 10))
    return best


@pytest.mark.parametrize(
    "search, naive",
    [
        ("forward", go_forward),
        ("best_first", go_best_first),
        ("floating", float_naively),
    ],
)
def test_searches_agree_with_naive_twins(seed, search, naive):
    for i in range(4):
        X, y = draw_codes(seed + i)
        target, pairs = associate_all(X, y)
        selector = CFSSelector(search, discretize=None).fit(X, y)
        merit = partial(find_merit, target=target, pairs=pairs)
        found = naive(X.shape[1], merit)
        assert_allclose(selector.merit_, find_merit(found, target, pairs), atol=1e-9)
        assert set(found) == set(np.flatnonzero(selector.support_))


def test_more_searching_is_not_worse(seed):
    X, y = draw_codes(seed, n_features=12)
    forward, best_first = (
        CFSSelector(search, discretize=None).fit(X, y).merit_
        for search in ("forward", "best_first")
    )
    assert best_first >= forward - 1e-12


def test_every_association_is_computed_at_most_once(seed, monkeypatch):
    X, y = draw_codes(seed, n_features=15)
    asked = []

    def count(table, options, feature, others):
        asked.append(int(feature))
        return share(table, options, feature, others)

    share = cfs._share
    monkeypatch.setattr(cfs, "_share", count)
    for search in ("best_first", "floating"):
        asked.clear()
        selector = CFSSelector(search, discretize=None).fit(X, y)
        assert len(asked) == len(set(asked)) == selector.n_compared_


def test_correlations_with_numbers():
    X, y = load_diabetes(return_X_y=True)
    selector = CFSSelector(task="regression").fit(X, y)
    correlation = np.abs(np.corrcoef(X.T, y))
    assert_allclose(selector.scores_, correlation[-1, :-1])
    chosen = np.flatnonzero(selector.support_)
    expected = find_merit(chosen, correlation[-1, :-1], correlation[:-1, :-1])
    assert_allclose(selector.merit_, expected)
    sparse = CFSSelector(task="regression").fit(csr_array(X), y)
    assert_array_equal(sparse.support_, selector.support_)


def test_correlations_with_classes():
    # Three classes: the mean of the correlations with their indicators, by share.
    X, y = load_iris(return_X_y=True)
    X, y = X[:120], y[:120]  # shares of 5/12, 5/12 and 2/12
    scores = CFSSelector(association="pearson").fit(X, y).scores_
    expected = sum(
        np.mean(y == c) * abs(np.corrcoef(X[:, 0], y == c)[0, 1]) for c in range(3)
    )
    assert_allclose(scores[0], expected)


def test_columns_that_have_no_correlation_are_named():
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": pd.Categorical(["x", "y", "x"])})
    with pytest.raises(ValueError, match=r"columns \[1\] are categorical"):
        CFSSelector(association="pearson").fit(frame, [0.1, 0.2, 0.3])
    assert CFSSelector().fit(frame, [0.1, 0.2, 0.3]).n_features_in_ == 2
    with pytest.raises(ValueError, match="NaN"):
        CFSSelector(association="pearson").fit([[1.0], [np.nan]], [0.1, 0.2])


def test_nothing_relevant_nothing_selected():
    X, y = np.tile([0, 1], 10)[:, None], np.repeat([0, 1], 10)
    for search in ("best_first", "floating", "forward"):
        selector = CFSSelector(search, discretize=None).fit(X, y)
        assert not selector.support_.any() and selector.merit_ == 0.0
        assert selector.path_ == [()]


def test_threads_and_weights(seed):
    X, y = draw_codes(seed)
    one, two = (CFSSelector(discretize=None, n_jobs=n).fit(X, y) for n in (1, 2))
    assert_array_equal(one.ranking_, two.ranking_)
    weight = np.random.default_rng(seed).integers(3, size=len(y))
    rows = np.repeat(np.arange(len(y)), weight)
    weighted = CFSSelector(discretize=None).fit(X, y, sample_weight=weight)
    repeated = CFSSelector(discretize=None).fit(X[rows], y[rows])
    assert_allclose(weighted.scores_, repeated.scores_, atol=1e-12)
    assert_array_equal(weighted.support_, repeated.support_)


def test_lucas_keeps_the_two_strongest(seed):
    # Measured over 400 draws: both in every one of them.
    X, y = make_lucas(random_state=seed)
    support = CFSSelector("floating", discretize=None).fit(X, y).support_
    assert support[LUCAS_FEATURES.index("Coughing")]
    assert support[LUCAS_FEATURES.index("Smoking")]
