"""The grammar of pipelines."""

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import Pipeline
from sklearn.tree import DecisionTreeClassifier

from manyminds.ensemble import CVCommittee
from manyminds.search import (
    Learner,
    Number,
    PriorCorrectedClassifier,
    Problem,
    default_space,
)
from manyminds.search.study.proposals import (
    CHALLENGE,
    SELECTING,
    list_initial_pipelines,
)

PLAIN = Problem("classification", 200, 30, 2, 100, n_encoded=30)


def make_stump(problem, depth):
    return DecisionTreeClassifier(max_depth=depth, random_state=0)


STUMP = Learner("stump", make_stump, {"depth": Number(1, 3, 2, whole=True)})


class Dice:
    """Suggests at random, as a trial of Optuna would."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def suggest_categorical(self, name, values):
        return values[self.rng.integers(len(values))]

    def suggest_float(self, name, low, high, log=False):
        return float(self.rng.uniform(low, high))

    def suggest_int(self, name, low, high, log=False):
        return int(self.rng.integers(low, high + 1))


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_random_pipelines_can_be_built_and_told(task, seed):
    n_classes = 2 if task == "classification" else 0
    problem = Problem(task, 200, 30, n_classes, 100, n_encoded=30)
    space = default_space(task).suiting(problem)
    dice = Dice(seed)
    for _ in range(50):
        pipeline = space.suggest(dice, problem)
        assert space.complete(pipeline, problem) == pipeline
        assert isinstance(space.build(pipeline, problem), Pipeline | CVCommittee)
        assert pipeline["learner"] in space.describe(pipeline, problem)


def test_changes_give_whole_pipelines_that_differ(seed):
    space = default_space("classification").suiting(PLAIN)
    rng = np.random.default_rng(seed)
    pipeline = space.complete({"learner": "gaussian_svm"}, PLAIN)
    for _ in range(50):
        changed = space.change(pipeline, PLAIN, rng)
        assert space.complete(changed, PLAIN) == changed
        assert changed != pipeline
        pipeline = changed


def test_options_of_ones_own_come_first_in_a_search():
    space = default_space("classification").adding("learner", STUMP).suiting(PLAIN)
    pipelines = list_initial_pipelines(space, PLAIN)
    assert pipelines[0]["learner"] == "stump"
    model = space.build({**pipelines[0], "stump.depth": 3}, PLAIN)
    assert model[-1].max_depth == 3


def test_pipelines_to_try_first_are_completed():
    from dataclasses import replace

    wish = {"learner": "rf", "rf.min_samples_leaf": 7}
    space = replace(default_space("classification"), first=(wish,)).suiting(PLAIN)
    pipeline = list_initial_pipelines(space, PLAIN)[0]
    assert pipeline["rf.min_samples_leaf"] == 7
    assert "rf.max_features" in pipeline


def test_every_known_setting_names_what_there_is():
    space = default_space("classification")
    known = set()
    for stage in ("encode", "scale", "reduce", "select", "learner"):
        known |= {stage, *(one.name for one in getattr(space, stage))}
        for option in getattr(space, stage):
            known |= set(option.defaults())
    for pipeline in (*CHALLENGE, *SELECTING):
        for key, value in pipeline.items():
            assert key in known
            if "." not in key:
                assert value in known


def test_rare_classes_are_made_up_for_where_they_count():
    rare = Problem("classification", 200, 5, 2, 10, n_encoded=5)
    space = default_space("classification")
    plain = space.build(space.complete({"learner": "logistic"}, rare), rare)
    assert not isinstance(plain[-1], PriorCorrectedClassifier)
    even = Problem("classification", 200, 5, 2, 10, n_encoded=5, metric="f1_macro")
    pipeline = space.complete({"learner": "logistic"}, even)
    assert isinstance(space.build(pipeline, even)[-1], PriorCorrectedClassifier)
    weighed = space.build({**pipeline, "balance": "weights"}, even)[-1]
    assert weighed.class_weight == "balanced"


def test_learners_that_read_tables_get_them_raw():
    X = pd.DataFrame({"hue": pd.Categorical(["red", "blue"] * 20), "size": range(40)})
    problem = Problem.of(X, np.array([0, 1] * 20), "classification")
    space = default_space("classification").suiting(problem)
    pipeline = space.complete({"learner": "rf", "encode": "one_hot"}, problem)
    assert "encode" not in pipeline
    assert len(space.build(pipeline, problem)) == 1


def test_a_space_that_suits_nothing_says_so():
    sparse = Problem("classification", 200, 30, 2, 100, sparse=True)
    space = default_space("classification").only("learner", "rf")
    with pytest.raises(ValueError, match="stage 'learner' that suits"):
        space.suiting(sparse)


def test_unknown_names_are_told():
    space = default_space("classification")
    with pytest.raises(ValueError, match="learner has no option 'oak'"):
        space.only("learner", "oak")
    with pytest.raises(ValueError, match="stage must be one of"):
        space.adding("roots", STUMP)
    with pytest.raises(ValueError, match="task must be one of"):
        default_space("poetry")


def test_class_weights_do_not_reach_the_probabilities_of_svm():
    rare = Problem("classification", 100, 5, 2, 10, n_encoded=5, metric="recall_macro")
    space = default_space("classification").suiting(rare)
    learners = {}
    for name in ("linear_svm", "logistic", "nrbf"):
        wish = {"learner": name, "balance": "weights"}
        pipeline = space.build(space.complete(wish, rare), rare)
        learners[name] = pipeline.steps[-1][1]
    assert isinstance(learners["linear_svm"], PriorCorrectedClassifier)
    assert learners["linear_svm"].estimator.class_weight == "balanced"
    assert isinstance(learners["nrbf"], PriorCorrectedClassifier)
    assert learners["logistic"].class_weight == "balanced"


def test_learners_without_weights_are_left_out():
    space = default_space("classification").only("learner", "knn_cv", "nb", "rf", "lda")
    kept = [one.name for one in space.taking_weights(PLAIN).learner]
    assert sorted(kept) == ["nb", "rf"]
    with pytest.raises(ValueError, match="a learner that takes sample_weight; got lda"):
        space.only("learner", "lda").taking_weights(PLAIN)


def test_members_of_a_committee_generate_no_columns():
    problem = Problem("classification", 100, 8, 2, 50, n_encoded=8, n_numbers=8)
    space = default_space("classification").suiting(problem)
    wish = {"learner": "logistic", "committee": "committee"}
    assert space.complete(wish, problem)["committee"] == "committee"
    wish["generate"] = "arithmetic"
    pipeline = space.complete(wish, problem)
    assert pipeline["generate"] == "arithmetic" and "committee" not in pipeline
