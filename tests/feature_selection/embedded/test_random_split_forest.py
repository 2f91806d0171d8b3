"""Forests of random splits: samples of their trees, blocks, threads."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.datasets.generators import make_simple
from manyminds.feature_selection.embedded.forest_gain_threshold import (
    ForestGainThresholdSelector,
)
from manyminds.feature_selection.embedded.random_split_forest import draw_bags
from manyminds.trees.growing import draw_seeds


def test_threads_change_nothing(seed):
    X, y = make_simple(150, random_state=seed)
    one = ForestGainThresholdSelector(20, random_state=0).fit(X, y)
    two = ForestGainThresholdSelector(20, random_state=0, n_jobs=2).fit(X, y)
    assert_array_equal(one.scores_, two.scores_)


def test_blocks_of_trees_change_nothing(seed, monkeypatch):
    X, y = make_simple(100, random_state=seed)
    whole = ForestGainThresholdSelector(10, random_state=0).fit(X, y).scores_
    monkeypatch.setattr(
        "manyminds.feature_selection.embedded.random_split_forest._BLOCK_WEIGHTS", 300
    )
    assert_allclose(
        ForestGainThresholdSelector(10, random_state=0).fit(X, y).scores_, whole
    )


def test_bags_are_bootstrap_samples_whose_repetitions_count_once(seed):
    seeds = draw_seeds(np.random.RandomState(seed), 30)
    counts = draw_bags(seeds, 20, unique=False)
    assert_array_equal(counts.sum(axis=1), np.full(30, 20.0))
    assert counts.max() > 1.0
    assert_array_equal(draw_bags(seeds, 20), np.minimum(counts, 1.0))
    assert len(np.unique(counts, axis=0)) == 30  # each tree has its own


def test_odds_are_relative_probabilities(seed):
    # The first two samples are never drawn, the last as often as the others together:
    # of 5,000 draws 2,500, give or take 35; 250 are seven standard deviations.
    seeds = draw_seeds(np.random.RandomState(seed), 1000)
    odds = np.array([0.0, 0.0, 3.0, 3.0, 6.0])
    drawn = draw_bags(seeds, 5, odds, unique=False).sum(axis=0)
    assert_array_equal(drawn[:2], 0.0)
    assert abs(drawn[4] - 2500) < 250
    assert_array_equal(draw_bags(seeds, 5, 2.0 * odds), draw_bags(seeds, 5, odds))


@pytest.mark.parametrize("expected_gain", ["exact", "midpoint"])
def test_formulas_are_those_of_two_classes(expected_gain):
    X = np.arange(12.0)[:, None]
    selector = ForestGainThresholdSelector(expected_gain=expected_gain)
    says = f"expected_gain='{expected_gain}' takes two classes; y has"
    with pytest.raises(ValueError, match=f"{says} 3 classes"):
        selector.fit(X, np.arange(12) % 3)
    with pytest.raises(ValueError, match=f"{says} numbers"):
        selector.fit(X, np.linspace(0.0, 1.0, 12))


def test_one_class_is_refused_by_the_selector_that_got_it():
    says = "ForestGainThresholdSelector needs two classes or more; y has only one class"
    with pytest.raises(ValueError, match=says):
        ForestGainThresholdSelector().fit(np.eye(3), ["a", "a", "a"])
