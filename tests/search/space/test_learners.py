"""A method has one name in the search and in ``manyminds compare``."""

import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import TransformedTargetRegressor

from manyminds.experiments.catalog import ALIASES
from manyminds.search import Problem
from manyminds.search.space.learners import CLASSIFIERS, REGRESSORS, limit_epochs

# Settings of a method that is known by another name in a comparison.
VARIANTS = {"quick_rf": "rf", "linear_svm": None, "gaussian_svm": None}
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


def test_a_net_has_fewer_epochs_for_many_cells():
    # Eight columns: a row costs 1 + 8 / 128 of the hidden layers' share.
    few = Problem("regression", 1_000, 8, n_encoded=8)
    assert limit_epochs(64, few) == 64
    many = Problem("regression", 100_000, 8, n_encoded=8)
    assert limit_epochs(64, many) == int(4_000_000 / (100_000 * 1.0625))
    assert limit_epochs(64, Problem("regression", 10**7, 8, n_encoded=8)) == 8
    assert limit_epochs(5, many) == 5
