"""Losses by FCBF and CFS: judged over data sets, other readings apart."""

import pytest

from manyminds.experiments.record import Record
from manyminds.reproductions.entropy_filters.judging import (
    ALL,
    find_other_reading,
)
from manyminds.reproductions.entropy_filters.plan import (
    LUCAS,
    REPRODUCTION,
)
from manyminds.reproductions.judging.cells import AGREES, Cell
from manyminds.reproductions.judging.verdicts import judge
from manyminds.reproductions.protocols.duangsoithong_2011 import ABSENT_SETS


def record(dataset, method, repeat, fold, error):
    values = {"n_selected": 4.0, "naive_bayes": error, "tree": 0.1, "bagging": 0.1}
    return Record(f"{dataset} {method} {fold}", dataset, method, repeat, fold, values)


@pytest.mark.parametrize(
    ("loss", "verdict"),
    [(0.1, "does not hold"), (0.02, "cannot be told"), (0.005, "holds")],
)
def test_losses_are_judged_over_data_sets(loss, verdict):
    # FCBF loses so much, give or take a point; CFS gains one everywhere.
    part, records = REPRODUCTION.parts[2], []
    for k, source in enumerate(part.outline().datasets):
        more = {ALL: 0.0, "FCBF": loss + 0.01 * (-1) ** k, "CFS": -0.01}
        records += [
            record(source.name, method, i // 10, i % 10, 0.3 + add + 0.001 * i)
            for method, add in more.items()
            for i in range(30)
        ]
    verdicts = judge(part, records)
    fcbf, cfs = verdicts.claims
    assert fcbf.verdict == verdict and fcbf.n == 12
    assert fcbf.effect == pytest.approx(2.0 - 100 * loss)
    assert cfs.verdict == "holds" and "mean loss -1.00 points" in cfs.remark
    # Ours beside ours: shown, not counted.
    assert all(cell.apart for cell in verdicts.cells)
    cell = verdicts.cells[0]
    assert "4.0 features kept" in cell.why and part.reference == ALL


def test_other_readings_of_a_printed_count_are_not_counted():
    counted = {
        (cell.dataset, cell.method)
        for cell in judge(LUCAS, []).cells
        if not cell.apart and cell.dataset not in ABSENT_SETS
    }
    assert counted == {("lucas", "FCBF"), ("lucas", "CFS")}


@pytest.mark.parametrize(
    ("place", "counted"),
    [
        (("lucas", "FCBF"), True),
        (("lucas-drawn", "FCBF"), False),
        (("lucas", "CFS"), True),
        (("lucas", "CFS, correlations"), False),
    ],
)
def test_one_reading_of_a_number_is_counted(place, counted):
    assert (find_other_reading(Cell(*place, AGREES)) == "") == counted


def test_filters_without_all_features_are_not_judged():
    part = REPRODUCTION.parts[2]
    records = [
        record("sonar", "FCBF", i // 10, i % 10, 0.3 + 0.001 * i) for i in range(30)
    ]
    found = judge(part, records)
    assert found.claims == ()
    assert {cell.verdict for cell in found.cells} == {"not run"}
    assert all(cell.apart for cell in found.cells)
