"""What ensembles of mRMR cost, and that they are more stable than one search."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import ttest_rel

from manyminds.feature_selection.base import assign_folds
from manyminds.feature_selection.filters.mrmr import MRMRSelector
from manyminds.feature_selection.filters.mrmr_cost import (
    count_passes,
    estimate_passes,
)


def recursion(p, k, e, jaccard):
    """Equation 8 before it is solved: what each part has to add."""
    c, needed = 2.0 * jaccard / (jaccard + 1.0), []
    for _ in range(e):
        needed.append(1.0 - c * sum(needed))
    return p + (k - 1) * (p - (k - 1) / 2) * sum(needed)


def test_item_5_example():
    assert count_passes(5, 3, n_swept=5) == 15
    assert count_passes(5, 3, n_members=3) == 36
    X = np.random.default_rng(0).normal(size=(30, 5))
    y = (X[:, 0] > 0).astype(int)
    selector = MRMRSelector(3, ensemble="fast", n_members=3).fit(X, y)
    assert selector.n_passes_ <= 15


@pytest.mark.parametrize("jaccard", [0.01, 0.2, 0.5, 0.9, 1.0])
@pytest.mark.parametrize("e", [1, 2, 20])
def test_item_6_closed_form_is_the_recursion(e, jaccard):
    expected = recursion(100, 7, e, jaccard)
    assert_allclose(estimate_passes(100, 7, e, jaccard), expected)


def test_item_6_limits():
    assert estimate_passes(100, 7, 20, 1.0) == 100 + 6 * 97
    assert estimate_passes(100, 7, 20, 0.0) == 100 + 20 * 6 * 97
    assert_allclose(estimate_passes(100, 7, 20, 1e-9), 100 + 20 * 6 * 97)


def test_identical_parts_cost_one_search():
    assert count_passes(50, 8, n_swept=7) == count_passes(50, 8)
    assert count_passes(50, 8, n_swept=50) == 50 + 50 * 49 // 2


def test_wrong_counts_are_refused():
    with pytest.raises(ValueError, match="n_features must be an integer >= 1; got 0"):
        count_passes(0, 3)
    with pytest.raises(ValueError, match="jaccard must lie between 0 and 1"):
        estimate_passes(10, 3, 2, 1.5)


def test_rows_are_dealt_in_turn():
    fold = assign_folds(103, 10, "round_robin", None, None)
    assert (fold == np.arange(103) % 10).all()
    shuffled = assign_folds(103, 10, "shuffled", None, np.random.RandomState(0))
    assert (np.bincount(fold) == np.bincount(shuffled)).all()


def stability(selector, X, y, rng):
    """Mean Jaccard index of selections on ten subsets, as in 10-fold CV."""
    fold = rng.permutation(np.arange(len(y)) % 10)
    chosen = [selector.fit(X[fold != i], y[fold != i]).support_ for i in range(10)]
    return np.mean(
        [
            (a & b).sum() / (a | b).sum()
            for i, a in enumerate(chosen)
            for b in chosen[:i]
        ]
    )


@pytest.mark.slow
@pytest.mark.parametrize("k", [10, 20])
def test_item_8_fast_is_more_stable_than_plain(seed, k):
    # Wide and short, as genes are.
    rng = np.random.default_rng(seed)
    hidden = rng.normal(size=(50, 10))
    X = hidden @ rng.normal(size=(10, 300)) + 2.0 * rng.normal(size=(50, 300))
    y = (hidden[:, 0] + hidden[:, 1] > 0).astype(int)
    fast, plain, inner = (
        np.array(
            [
                stability(MRMRSelector(k, ensemble=one), X, y, np.random.default_rng(r))
                for r in range(n_runs)
            ]
        )
        for one, n_runs in (("fast", 10), ("none", 10), ("inner", 3))
    )
    assert ttest_rel(fast, plain, alternative="greater").pvalue < 0.05
    assert abs(inner.mean() - plain[:3].mean()) < 0.1
