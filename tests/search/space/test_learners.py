"""Learners: named as in ``manyminds compare``; they take many classes and levels."""

import numpy as np
import pandas as pd
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import TransformedTargetRegressor

from manyminds.experiments.catalog import ALIASES
from manyminds.search import Problem, default_space
from manyminds.search.space.boosting_learners import make_quick_gb
from manyminds.search.space.learners import CLASSIFIERS, REGRESSORS
from manyminds.search.space.tree_learners import make_quick_rf

# Settings of a method that is known by another name in a comparison.
VARIANTS = {
    "quick_rf": "rf",
    "quick_gb": "gb",
    "extra_gb": "gb",
    "symmetric_gb": "gb",
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
