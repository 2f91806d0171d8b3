"""Boosting is bounded by the size of the table."""

from dataclasses import replace

import numpy as np
from sklearn.datasets import make_friedman1
from sklearn.pipeline import Pipeline

from manyminds.search import Problem, default_space
from manyminds.search.space.boosting_learners import (
    bound_rounds,
    make_gb,
    make_quick_gb,
    make_symmetric_gb,
)

PLAIN = Problem("classification", 1_000, 10, 2, 500, n_encoded=10)


def test_boosting_stops_on_folds_of_small_tables_and_on_rows_of_large_ones():
    values = {name: 1.0 for name in ("max_leaf_nodes", "min_samples_leaf")}
    values |= {"learning_rate": 0.1, "l2": 1.0, "max_features": 0.5}
    found = {}
    for n in (1_000, 2_001, 5_000, 20_001, 50_001, 1_000_000):
        model = make_gb(replace(PLAIN, n_samples=n), **values)
        assert model.early_stopping
        found[n] = (model.cv, model.validation_fraction, model.refit)
    assert found == {
        1_000: (5, 0.15, "replay"),
        2_001: (3, 0.15, "replay"),
        5_000: (5, 0.15, "average"),
        20_001: (3, 0.15, "average"),
        50_001: (None, 0.15, "average"),
        1_000_000: (None, 0.05, "average"),
    }


def test_kinds_of_boosting_differ_by_their_trees():
    space = default_space("classification")
    found = {}
    for name in ("gb", "extra_gb", "symmetric_gb"):
        pipeline = space.complete({"learner": name}, PLAIN)
        model = space.build(pipeline, PLAIN)
        model = model[-1] if isinstance(model, Pipeline) else model
        found[name] = (model.symmetric, model.random_thresholds, model.subsample)
    assert found == {
        "gb": (False, False, 0.8),
        "extra_gb": (False, True, 1.0),
        "symmetric_gb": (True, True, 1.0),
    }


def test_symmetric_trees_have_the_levels_that_are_wanted():
    X, y = make_friedman1(300, random_state=0)
    problem = Problem.of(X, y, "regression")
    values = {"learning_rate": 0.1, "min_samples_leaf": 1, "l2": 5.0}
    model = make_symmetric_gb(
        problem, **values, max_features=1.0, max_depth=3, random_thresholds=True
    )
    model.set_params(max_iter=1, early_stopping=False).fit(X, y)
    assert 4 < len(np.unique(model.predict(X))) <= 2**3


def test_symmetric_trees_of_few_rows_have_few_levels():
    values = {"learning_rate": 0.1, "min_samples_leaf": 1, "l2": 5.0}
    values |= {"max_features": 1.0, "random_thresholds": True}
    found = {
        n: make_symmetric_gb(replace(PLAIN, n_samples=n), max_depth=6, **values)
        for n in (40, 200, 500, 1_000, 2_000)
    }
    assert {n: one.max_depth for n, one in found.items()} == {
        40: 3, 200: 3, 500: 4, 1_000: 5, 2_000: 6,
    }  # fmt: skip


def test_rounds_are_bounded_by_rate_and_classes():
    assert bound_rounds(PLAIN, 0.5) == 200
    assert bound_rounds(PLAIN, 0.01) == 2000
    assert bound_rounds(replace(PLAIN, n_classes=1000), 0.05) == 20
    assert make_quick_gb(PLAIN).max_iter == 30
    assert make_quick_gb(replace(PLAIN, n_classes=1000)).max_iter == 3
    assert make_quick_gb(replace(PLAIN, n_samples=2_000_000)).subsample == 0.1
