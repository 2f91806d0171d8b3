"""Scores of many subsets equal scores from scratch."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.analysis.correlation import (
    AddNoise,
    SubsetScorer,
    correlation_score,
    draw_subsets,
)
from manyminds.analysis.correlation.score import METHODS, PROJECTED


def draw(seed, n_rows=60, n_classes=3):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n_rows) % n_classes)
    X = rng.normal(size=(n_rows, 8)) + 0.5 * y[:, None]
    hue = np.eye(4)[rng.integers(4, size=n_rows)]
    return np.c_[X, hue, X[:, 0], X[:, 1] + 1e-7 * X[:, 2], np.ones(n_rows)], y


# Acceptance 5: sub-matrices of a single table of products, singular ones among them.
@pytest.mark.slow
@pytest.mark.parametrize("method", PROJECTED)
@pytest.mark.parametrize("block", [50, 200_000])
def test_subsets_score_as_from_scratch(method, block, seed, monkeypatch):
    monkeypatch.setattr("manyminds.analysis.correlation.subsets._BLOCK_CELLS", block)
    X, y = draw(seed)
    rng = np.random.default_rng(seed)
    subsets = [
        rng.choice(X.shape[1], size=rng.integers(1, 9), replace=False)
        for _ in range(60)
    ]
    subsets += [[8, 9, 10, 11], [0, 12], [1, 13], [14], list(range(X.shape[1]))]
    found = SubsetScorer(X, y, method).score(subsets)
    expected = [correlation_score(X[:, one], y, method) for one in subsets]
    assert_allclose(found, expected, atol=1e-8)


@pytest.mark.parametrize("method", sorted(set(METHODS) - set(PROJECTED)))
def test_other_coefficients_go_one_by_one(method, seed):
    X, y = draw(seed)
    X = X[:, :8]
    subsets = [[0], [1, 2], [3, 4, 5]]
    found = SubsetScorer(X, y, method, preparers=[]).score(subsets)
    expected = [correlation_score(X[:, s], y, method, preparers=[]) for s in subsets]
    assert_allclose(found, expected)


def test_two_classes_and_wide_tables(seed):
    X, y = draw(seed, n_rows=12, n_classes=2)  # fewer rows than columns
    subsets = draw_subsets(X.shape[1], 4, 20, random_state=seed)
    for method in ("r2", "wilks"):
        found = SubsetScorer(X, y, method).score(subsets)
        expected = [correlation_score(X[:, one], y, method) for one in subsets]
        assert_allclose(found, expected, atol=1e-8)


def test_masks_and_preparers(seed):
    X, y = draw(seed)
    mask = np.zeros(X.shape[1], dtype=bool)
    mask[[1, 4]] = True
    options = {"preparers": [AddNoise(0.1)], "random_state": seed}
    scorer = SubsetScorer(X, y, **options)
    assert_array_equal(scorer.score([mask]), scorer.score([[1, 4]]))
    whole = scorer.score([np.arange(X.shape[1])])[0]
    assert_allclose(whole, correlation_score(X, y, **options), atol=1e-8)
    assert scorer.score([]).shape == (0,)


def test_draws_are_without_replacement(seed):
    subsets = draw_subsets(7, 5, 40, random_state=seed)
    assert subsets.shape == (40, 5)
    assert all(len(set(one)) == 5 for one in subsets.tolist())
    assert_array_equal(np.unique(subsets), np.arange(7))
    with pytest.raises(ValueError, match="size must be from 1 to 7"):
        draw_subsets(7, 8)


@pytest.mark.parametrize("subset", [[], [0, 15], [-1], [0.5], [True, False]])
def test_strange_subsets_are_refused(subset, seed):
    X, y = draw(seed)
    with pytest.raises(ValueError, match="positions from 0 to 14"):
        SubsetScorer(X, y).score([subset])
