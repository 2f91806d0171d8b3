"""Pipelines are compared on the folds that both have."""

import numpy as np
import pytest

from manyminds.search.evaluation.fold_scores import is_ahead, should_prune


@pytest.mark.parametrize(
    ("scores", "incumbent", "expected"),
    [
        ([0.5], [], True),
        ([0.5, 0.4], [0.6, 0.2, 0.9], True),
        ([0.5], [0.5], False),
        ([np.nan, 0.1], [0.9, 0.2], False),
    ],
)
def test_pipelines_are_compared_on_the_folds_of_both(scores, incumbent, expected):
    assert is_ahead(scores, incumbent) is expected


def test_an_equal_pipeline_is_seldom_pruned():
    rng = np.random.default_rng(0)
    pruned = 0
    for _ in range(400):
        both = rng.normal(0.9, 0.02, 10) + rng.normal(0, 0.01, (2, 10))
        pruned += any(should_prune(both[0, :n], both[1]) for n in range(2, 10))
    assert pruned / 400 < 0.15


def test_a_worse_pipeline_is_nearly_always_pruned():
    rng = np.random.default_rng(0)
    pruned = 0
    for _ in range(200):
        both = rng.normal(0.9, 0.02, 10) + rng.normal(0, 0.01, (2, 10))
        both[0] -= 0.05
        pruned += any(should_prune(both[0, :n], both[1]) for n in range(2, 10))
    assert pruned / 200 > 0.95


@pytest.mark.parametrize("incumbent", [[], [0.9]])
def test_less_than_two_folds_prune_nothing(incumbent):
    assert not should_prune([0.1, 0.1], incumbent)
