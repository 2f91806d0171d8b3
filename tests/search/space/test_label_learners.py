"""Every learner of many labels takes the tables that it says it takes."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix

from manyminds.search.space import Problem, default_space
from manyminds.search.space.label_learners import LABEL_LEARNERS

NAMES = [one.name for one in LABEL_LEARNERS]


def make_table(seed):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(60, 4)), columns=list("abcd"))
    Y = (X.to_numpy()[:, :3] + rng.normal(size=(60, 3)) > 0.5).astype(int)
    X["hue"] = pd.Categorical(rng.choice(["red", "blue"], 60))
    X.iloc[:3, 1] = np.nan
    return X, Y


@pytest.mark.parametrize("name", NAMES)
def test_a_pipeline_takes_missing_values_and_categories(seed, name):
    X, Y = make_table(seed)
    problem = Problem.of(X, Y, "multilabel", "micro_f1")
    space = default_space("multilabel").suiting(problem)
    pipeline = space.complete({"learner": name}, problem)
    scores = space.build(pipeline, problem).fit(X, Y).predict_proba(X)
    assert scores.shape == Y.shape
    assert ((scores >= 0.0) & (scores <= 1.0)).all()


def test_sparse_tables_have_a_learner(seed):
    X, Y = make_table(seed)
    X = csr_matrix(np.abs(X[list("cd")].to_numpy()))
    problem = Problem.of(X, Y, "multilabel")
    space = default_space("multilabel").suiting(problem)
    assert [one.name for one in space.learner] == ["mlforest"]
    pipeline = space.complete({"learner": "mlforest"}, problem)
    assert space.build(pipeline, problem).fit(X, Y).predict(X).shape == Y.shape


def test_no_option_needs_a_single_target():
    space = default_space("multilabel")
    assert [one.name for one in space.select] == ["unselected"]
    assert "target_means" not in [one.name for one in space.encode]
    assert not space.committees
