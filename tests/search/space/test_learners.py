"""Learners: named as in ``manyminds compare``; bounded by the size of the table."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import TransformedTargetRegressor

from manyminds.experiments.catalog import ALIASES
from manyminds.search import Problem, default_space
from manyminds.search.space.learners import (
    CLASSIFIERS,
    MAX_FOREST_VALUES,
    MIN_TREES,
    REGRESSORS,
    bound_forest,
    bound_rounds,
    limit_epochs,
    make_gb,
    make_quick_gb,
    make_quick_rf,
)

# Settings of a method that is known by another name in a comparison.
VARIANTS = {
    "quick_rf": "rf",
    "quick_gb": "gb",
    "extra_gb": "gb",
    "linear_svm": None,
    "gaussian_svm": None,
}
VARIANTS |= {"exponential_svm": None}
LEARNERS = {"classification": CLASSIFIERS, "regression": REGRESSORS}


@pytest.mark.parametrize(
    ("task", "learner"),
    [(task, one) for task, learners in LEARNERS.items() for one in learners],
    ids=lambda one: one if isinstance(one, str) else one.name,
)
def test_names_are_those_of_compare(task, learner):
    n_classes = 2 if task == "classification" else 0
    problem = Problem(task, 100, 5, n_classes, 50, n_encoded=5)
    values = {name: one.default for name, one in learner.parameters.items()}
    model = learner.make(problem, **values)
    if isinstance(model, CalibratedClassifierCV):
        model = model.estimator
    if isinstance(model, TransformedTargetRegressor):
        model = model.regressor
    known = VARIANTS.get(learner.name, learner.name)
    if known is not None:
        assert type(model).__name__ == ALIASES[known][0 if n_classes else 1]


# ------------------------------------------------------------------ size of the table

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


def test_rounds_are_bounded_by_rate_and_classes():
    assert bound_rounds(PLAIN, 0.5) == 120
    assert bound_rounds(PLAIN, 0.01) == 2000
    assert bound_rounds(replace(PLAIN, n_classes=1000), 0.05) == 20
    assert make_quick_gb(PLAIN).max_iter == 30
    assert make_quick_gb(replace(PLAIN, n_classes=1000)).max_iter == 3
    assert make_quick_gb(replace(PLAIN, n_samples=2_000_000)).subsample == 0.1


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


@pytest.mark.slow
def test_quick_trees_learn_a_thousand_classes():
    # Two rows of each class to learn from. An answer at random is right in 0.1%.
    y = np.repeat(np.arange(1000), 3)
    X = (
        np.column_stack([y % 10, y // 10 % 10, y // 100])
        + 0.01 * (np.arange(3000) % 3)[:, np.newaxis]
    )
    problem = Problem.of(X, y, "classification")
    for make in (make_quick_rf, make_quick_gb):
        model = make(problem).fit(
            X[np.arange(3000) % 3 > 0], y[np.arange(3000) % 3 > 0]
        )
        assert model.score(X[::3], y[::3]) > 0.1


@pytest.mark.slow
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_learners_take_a_category_of_a_thousand_levels(task):
    rng = np.random.default_rng(0)
    level = np.concatenate([np.arange(1000), rng.integers(20, size=1500)])
    X = pd.DataFrame({"number": rng.normal(size=2500), "level": level})
    X["level"] = pd.Categorical([f"level {one}" for one in level])
    y = np.where(level % 2 == 1, X["number"], -X["number"])
    y = (y > 0).astype(int) if task == "classification" else y
    problem = Problem.of(X, y, task)
    space = default_space(task).suiting(problem)
    assert max(X["level"].value_counts()) < 150
    for name in ("rf", "et", "gb", "quick_rf", "quick_gb"):
        model = space.build(space.complete({"learner": name}, problem), problem)
        score = model.fit(X[500:], y[500:]).score(X[:500], y[:500])
        assert np.isfinite(score)
        assert model.score(X[-1000:], y[-1000:]) > (0.7 if name != "quick_gb" else 0.4)


def test_nets_are_fewer_and_have_fewer_epochs_for_many_cells():
    # Eight columns: a row costs 1 + 8 / 128 of the hidden layers' share. Nets of
    # 100,000 rows may see them 112 times, those of 300,000 rows 37 times.
    def limit(nets, epochs, n_rows):
        problem = Problem("regression", n_rows, 8, n_encoded=8)
        return limit_epochs(nets, epochs, problem)

    assert limit(3, 64, 1_000) == (3, 64)
    assert limit(3, 64, 100_000) == (3, 112 // 3)
    assert limit(8, 64, 100_000) == (112 // 24, 112 // 4)
    assert limit(3, 64, 300_000) == (1, 37)
    assert limit(3, 5, 300_000) == (3, 5)
    assert limit(3, 64, 10**7) == (1, 8)
