"""Two stages: gains in a first forest decide how features are drawn."""

import pytest
from numpy.testing import assert_allclose

from manyminds.datasets.generators import make_simple
from manyminds.ensemble import RandomForestClassifier
from manyminds.ensemble.forests.weighted_draws.two_stage_ws import (
    TwoStageWSForestClassifier,
)
from manyminds.trees.nodes.gain_statistics import (
    collect_gains,
)


def plain_forest(n_trees, seed):
    return RandomForestClassifier(
        n_trees, criterion="entropy", max_features=1, random_state=seed
    )


def test_weights_of_two_stages_are_mean_gains(seed):
    X, y = make_simple(120, random_state=seed)
    model = TwoStageWSForestClassifier(10, n_scouts=20, random_state=4).fit(X, y)
    scouts = plain_forest(20, 4).fit(X, y)
    mean = collect_gains(scouts.trees_).mean
    assert_allclose(model.feature_weights_, mean / mean.sum())


def test_nodes_count_equally_or_by_their_complexity():
    X, y = make_simple(40, n_irrelevant=1, random_state=0)
    for weighting in ("complexity", "uniform"):
        model = TwoStageWSForestClassifier(5, weighting=weighting, random_state=4)
        scouts = plain_forest(5, 4).fit(X, y).trees_
        expected = collect_gains(scouts, weighting=weighting).mean
        weights = model.fit(X, y).feature_weights_
        assert_allclose(weights, expected / expected.sum())


def test_number_of_scouts_does_not_change_the_number_of_trees():
    X, y = make_simple(40, n_irrelevant=1, random_state=0)
    model = TwoStageWSForestClassifier(3, n_scouts=7, random_state=0).fit(X, y)
    assert model.trees_.n_trees == 3
    with pytest.raises(ValueError, match="The 'n_scouts' parameter"):
        model.set_params(n_scouts=0).fit(X, y)
