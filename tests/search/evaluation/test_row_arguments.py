"""Weights and groups reach the steps that take them."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from manyminds.ensemble import GradientBoostingClassifier
from manyminds.learners import KNeighborsClassifierCV, RealMLPClassifier
from manyminds.preprocessing import TargetMeans, TextScores
from manyminds.search import PriorCorrectedClassifier
from manyminds.search.evaluation.row_arguments import pass_groups, pass_rows

GROUPS, WEIGHTS = np.array([0, 0, 1]), np.ones(3)


@pytest.mark.parametrize(
    "step",
    [
        TargetMeans(),
        TextScores(),
        RealMLPClassifier(),
        KNeighborsClassifierCV(),
        PriorCorrectedClassifier(RealMLPClassifier()),
    ],
)
def test_groups_reach_what_takes_them(step):
    assert pass_groups(step, GROUPS) == {"groups": GROUPS}
    assert pass_groups(step, None) == {}


@pytest.mark.parametrize(
    "step",
    [
        StandardScaler(),
        GaussianNB(),
        PriorCorrectedClassifier(GaussianNB()),
        GradientBoostingClassifier(),
    ],
)
def test_groups_do_not_reach_others(step):
    assert pass_groups(step, GROUPS) == {}


def test_steps_of_a_pipeline_get_theirs():
    steps = [("texts", TextScores()), ("scale", StandardScaler())]
    model = Pipeline([*steps, ("learner", RealMLPClassifier())])
    found = pass_rows(model, WEIGHTS, GROUPS)
    assert found == {
        "texts__groups": GROUPS,
        "learner__groups": GROUPS,
        "learner__sample_weight": WEIGHTS,
    }
    assert pass_rows(model, None, None) == {}
    assert pass_rows(GaussianNB(), WEIGHTS, GROUPS) == {"sample_weight": WEIGHTS}
