"""RpBoost's reproduction: its samples, its coding, its judge and its plans."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from manyminds.analysis import corrected_resampled_ttest
from manyminds.datasets import Dataset
from manyminds.experiments import Record
from manyminds.experiments.plans.random_projections import REPRODUCTION, TABLES
from manyminds.experiments.plans.random_projections_protocol import (
    BASELINES,
    PROJECTED,
    PatternSamples,
    code_categories,
    judge_claims,
    make_methods,
)

PARTS = {part.name.partition(": ")[2]: part for part in REPRODUCTION.parts}


def test_pattern_samples_train_by_class_and_test_on_all():
    y = np.repeat([0, 1], [300, 100])
    splits = list(PatternSamples(40, n_repeats=3).split(y, stratified=True))
    assert [split.repeat for split in splits] == [0, 1, 2]
    for split in splits:
        assert len(np.unique(split.train)) == 40 and y[split.train].sum() == 10
        assert_array_equal(split.test, np.arange(400))
    assert set(splits[0].train) != set(splits[1].train)


def test_categories_become_numbers_and_gaps_go():
    X = pd.DataFrame(
        {"hue": pd.Categorical(["x", "b", "o", "x"]), "size": [1.0, 2.0, 3.0, np.nan]}
    )
    coded = code_categories(Dataset("toy", X, np.array([0, 1, 0, 1]), "classification"))
    assert_array_equal(coded.X["hue"], [2.0, 0.0, 1.0])
    assert_array_equal(coded.y, [0, 1, 0])


def test_there_are_eleven_methods():
    methods = make_methods(penalty=5)
    assert set(methods) == {*BASELINES, *PROJECTED} and len(methods) == 11
    model = methods["RpBoost.super P"]
    assert (model.projection, model.n_components) == ("uniform", "super")
    assert (model.l2_regularization, model.learning_rate) == (5.0, 1.0)
    assert methods["LsBoost"].projection is None


def records_of(plan, values):
    """Give each place of a plan of two times ten folds what ``values`` says."""
    rng = np.random.default_rng(0)
    return [
        Record(f"{source.name}{method.name}{r}{f}", source.name, method.name, r, f, v)
        for source in plan.datasets
        for method in plan.methods
        for r in range(2)
        for f in range(10)
        if (v := {"accuracy": values[method.name] + 0.01 * rng.normal()})
    ]


@pytest.mark.parametrize(
    ("mine", "verdict"), [(0.9, "agrees"), (0.5, "differs"), (0.701, "undecided")]
)
def test_claims_are_held_against_the_best_of_the_others(mine, verdict):
    part = PARTS["penalty 1000, claims"]
    plan = part.outline()
    values = {method.name: mine for method in plan.methods}
    values |= {"AdaBoost": 0.6, "LsBoost": 0.7}
    claims = {source.name: (("RpBoost.sub N",), BASELINES) for source in plan.datasets}
    compare = partial(corrected_resampled_ttest, test_share=0.1)
    found = judge_claims(claims, compare, part, plan, records_of(plan, values), {})
    for cell in found.cells:
        assert cell.verdict == verdict and "against LsBoost" in cell.why
        assert cell.reference == pytest.approx(70.0, abs=1.0)
        assert cell.difference == pytest.approx(100 * mine - 70.0, abs=1.5)


def test_claims_without_records_are_not_run():
    part = PARTS["patterns, claims"]
    found = part.judge(part, part.outline(), [], {})
    assert {cell.verdict for cell in found.cells} == {"not run"}


def test_every_printed_number_is_held_against_something():
    tried = {
        (source.name, method.name)
        for part in REPRODUCTION.parts
        if part.table is TABLES
        for source in part.outline().datasets
        for method in part.outline().methods
    }
    assert set(TABLES.cells) <= tried


@pytest.mark.parametrize("quick", [False, True])
@pytest.mark.parametrize("part", REPRODUCTION.parts, ids=lambda part: part.name)
def test_plans_have_data_sets_and_methods(part, quick):
    plan = part.outline(quick)
    assert len(plan) > 0
    assert plan.name == part.name + (" (quick)" if quick else "")


def test_patterns_need_no_data_folder():
    plan = PARTS["patterns"].outline(quick=True)
    data = plan.datasets[0].load()
    assert data.n_samples == 6561 and data.n_features == 2
    combinations = PARTS["Monks, all combinations once"].outline().datasets[0].load()
    assert combinations.n_samples == 432 and combinations.categorical == []


def test_tables_of_the_folder_are_found(shared_data):
    from manyminds.datasets import DataFolder

    folder = DataFolder(shared_data)
    plan = PARTS["penalty 1000"].make_plan(folder.load, False)
    shapes = {source.name: source.load().X.shape for source in plan.datasets}
    assert shapes["monks-1"] == (556, 6) and shapes["sonar"] == (208, 60)
    breast = PARTS["penalty 10000"].make_plan(folder.load, False).datasets[0].load()
    assert breast.n_samples == 683
