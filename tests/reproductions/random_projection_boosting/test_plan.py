"""RpBoost's reproduction: its samples, its coding, its judge and its plans."""

import numpy as np
import pytest

from manyminds.experiments import Record
from manyminds.reproductions.judging.verdicts import judge
from manyminds.reproductions.random_projection_boosting.judging import (
    judge_winners,
)
from manyminds.reproductions.random_projection_boosting.plan import (
    REPRODUCTION,
    TABLES,
)
from manyminds.reproductions.random_projection_boosting.protocol import (
    BASELINES,
)

PARTS = {part.name.partition(": ")[2]: part for part in REPRODUCTION.parts}


def records_of(plan, values):
    """Return each place of a plan of two times ten folds what ``values`` says."""
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
    ("mine", "verdict"),
    [(0.9, "holds"), (0.5, "does not hold"), (0.701, "cannot be told")],
)
def test_weakest_winner_is_held_against_the_best_of_the_others(mine, verdict):
    plan = PARTS["penalty 1000, claims"].outline()
    values = {method.name: 0.95 for method in plan.methods}
    values |= {"AdaBoost": 0.6, "LsBoost": 0.7, "RpBoost.sub N": mine}
    winners = (("RpBoost.sub N", "RpBoost.same N"), BASELINES)
    claims = {source.name: winners for source in plan.datasets}
    *of_sets, overall = judge_winners(
        claims, "over all", 0.1, plan, records_of(plan, values)
    )
    assert len(of_sets) == len(plan.datasets)
    for claim in of_sets:
        assert claim.verdict == verdict
        assert claim.effect == pytest.approx(100 * mine - 70.0, abs=1.5)
        assert "RpBoost.sub N, the weakest, less LsBoost" in claim.remark
    assert overall.n == len(plan.datasets)


def test_claims_are_not_cells():
    part = PARTS["penalty 1000, claims"]
    plan = part.outline()
    records = records_of(plan, {method.name: 0.8 for method in plan.methods})
    found = judge(part, records)
    assert all(cell.apart for cell in found.cells) and len(found.claims) == 6
    assert all(claim.verdict != "holds" for claim in found.claims)


def test_claims_without_records_are_not_run():
    found = judge(PARTS["patterns, claims"], [])
    assert {cell.verdict for cell in found.cells} == {"not run"}
    assert found.claims == ()


def test_a_printed_number_is_counted_once():
    tables = [part for part in REPRODUCTION.parts if part.table is TABLES]
    counted = [
        (cell.dataset, cell.method)
        for part in tables
        for cell in judge(part, []).cells
        if not cell.apart
    ]
    assert sorted(counted) == sorted(TABLES.cells)
    patterns = judge(PARTS["patterns"], []).cells
    printed = {(cell.reference, cell.method) for cell in patterns}
    assert len([cell for cell in patterns if not cell.apart]) == len(printed) == 8


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
