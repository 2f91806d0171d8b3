"""RpBoost's reproduction: tables, parts and plans."""

import pytest

from manyminds.reproductions.judging.verdicts import judge
from manyminds.reproductions.random_projection_boosting.plan import (
    REPRODUCTION,
    TABLES,
)

PARTS = {part.name.partition(": ")[2]: part for part in REPRODUCTION.parts}


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
