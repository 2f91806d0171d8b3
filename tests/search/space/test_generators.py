"""The grammar generates columns where it can, and nothing else changes."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import Pipeline

from manyminds.preprocessing import ArithmeticFeatures, CrossedCategories, TargetMeans
from manyminds.search import Problem, default_space
from manyminds.search.space.generators import GENERATORS

NUMBERS = Problem("classification", 200, 5, 2, 100, n_encoded=5, n_numbers=5)
LEVELS = replace(NUMBERS, n_categorical=2, levels=(3, 3))


def names_for(problem):
    return [option.name for option in GENERATORS if option.suits(problem)]


@pytest.mark.parametrize(
    ("problem", "expected"),
    [
        (NUMBERS, ["ungenerated", "arithmetic"]),
        (LEVELS, ["ungenerated", "arithmetic", "crosses", "level_means"]),
        (replace(LEVELS, n_numbers=1), ["ungenerated", "crosses", "level_means"]),
        (
            replace(NUMBERS, n_categorical=1, n_numbers=0),
            ["ungenerated", "level_means"],
        ),
        (replace(NUMBERS, sparse=True), ["ungenerated"]),
        (replace(NUMBERS, n_samples=50), ["ungenerated"]),
        (replace(NUMBERS, n_features=5_000), ["ungenerated"]),
        (replace(NUMBERS, task="multilabel"), ["ungenerated"]),
    ],
)
def test_options_suit_the_columns_of_the_table(problem, expected):
    assert names_for(problem) == expected


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("arithmetic", ArithmeticFeatures),
        ("crosses", CrossedCategories),
        ("level_means", TargetMeans),
    ],
)
@pytest.mark.parametrize("learner", ["rf", "logistic"])
def test_generators_come_first_whatever_follows(name, kind, learner, seed):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.uniform(size=(150, 3)), columns=["a", "b", "c"])
    for hue in ("d", "e"):
        frame[hue] = pd.Categorical(rng.choice(["x", "y"], 150))
    y = ((frame["a"] > frame["b"]) ^ (frame["d"] == frame["e"])).to_numpy().astype(int)
    problem = Problem.of(frame, y, "classification")
    space = default_space("classification").suiting(problem)
    pipeline = space.complete({"learner": learner, "generate": name}, problem)
    model = space.build(pipeline, problem)
    assert isinstance(model, Pipeline) and isinstance(model.steps[0][1], kind)
    assert np.isfinite(model.fit(frame, y).predict_proba(frame)).all()
    assert space.describe(pipeline, problem).startswith(name)


def test_without_a_generator_pipelines_are_as_before():
    space = default_space("classification").suiting(NUMBERS)
    pipeline = space.complete({"learner": "logistic"}, NUMBERS)
    assert pipeline["generate"] == "ungenerated"
    del pipeline["generate"]  # as in studies of earlier versions
    steps = [name for name, _ in space.build(pipeline, NUMBERS).steps]
    assert "generate" not in steps
    alone = space.only("generate", "ungenerated")
    assert "generate" not in alone.complete({"learner": "logistic"}, NUMBERS)
