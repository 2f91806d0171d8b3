"""Forests are bounded by the size of the table."""

from dataclasses import replace

from manyminds.search import Problem
from manyminds.search.space.tree_learners import (
    MAX_FOREST_VALUES,
    MIN_TREES,
    bound_forest,
    choose_number_share,
)

PLAIN = Problem("classification", 1_000, 10, 2, 500, n_encoded=10)


def test_forests_of_many_classes_hold_a_bounded_number_of_shares():
    assert bound_forest(PLAIN, 200, 1_000) == {"n_estimators": 200}
    assert bound_forest(replace(PLAIN, n_classes=0), 200, 10**9) == {
        "n_estimators": 200
    }
    for n_classes in (20, 100, 1000, 5000):
        problem = replace(PLAIN, n_classes=n_classes, n_samples=100_000)
        bound = bound_forest(problem, 200, 100_000)
        n_leaves = bound["n_estimators"] * bound["max_leaf_nodes"]
        assert MIN_TREES <= bound["n_estimators"] <= 200
        assert 0.9 * MAX_FOREST_VALUES <= n_leaves * n_classes <= MAX_FOREST_VALUES


def test_forests_of_numbers_consider_most_columns_of_a_narrow_table():
    def share(n_features):
        problem = replace(PLAIN, n_classes=0, n_features=n_features)
        return choose_number_share(problem), choose_number_share(problem, 1.0)

    assert share(10) == (0.6, 1.0)
    assert share(200) == (0.5, 0.5)
    assert share(10_000) == (0.3, 0.3)
