"""Counts and errors of FCBF and CFS: protocol, tables, judging."""

import pytest

from manyminds.datasets.folder import DataFolder
from manyminds.experiments.measures import Fold
from manyminds.experiments.record import Record
from manyminds.reproductions.entropy_filters.judging import (
    ALL,
)
from manyminds.reproductions.entropy_filters.plan import (
    ABSENT_SETS,
    COUNTS,
    LUCAS,
    REPRODUCTION,
    THESIS_SETS,
    _load_lucas,
    _load_thesis,
)
from manyminds.reproductions.entropy_filters.protocol import (
    CountSelected,
)
from manyminds.reproductions.judging.verdicts import judge


def test_tables_are_complete():
    assert len(LUCAS.table.cells) == 14 and len(COUNTS.table.cells) == 7
    assert LUCAS.table.cells["sido", "FCBF"].mean == 23
    assert COUNTS.table.cells["sonar", "CFS"].mean == 14.61
    assert set(LUCAS.absent) == set(ABSENT_SETS)
    assert {dataset for dataset, _ in COUNTS.table.cells} == set(THESIS_SETS)


def test_quick_and_full_outlines():
    for part in REPRODUCTION.parts:
        quick, full = part.outline(quick=True), part.outline()
        assert 0 < len(quick) < len(full)
        assert full.name == part.name


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


def test_absent_sets_are_told():
    verdicts = judge(LUCAS, [])
    whys = {cell.dataset: cell.why for cell in verdicts.cells}
    assert "could not be loaded" in whys["reged"]


def test_sets_have_the_published_shapes(shared_data):
    find = DataFolder(shared_data).load
    assert _load_lucas(find, "lucas").X.shape == (2000, 11)
    shapes = {name: _load_thesis(find, name).X.shape[1] for name in THESIS_SETS}
    assert list(shapes.values()) == [9, 8, 60, 34, 16, 10, 9]


def test_printed_count_of_lucas_is_found(shared_data):
    plan = LUCAS.outline()
    data = _load_lucas(DataFolder(shared_data).load, "lucas")
    split = next(plan.splits.split(data.y, True))
    methods = {method.name: method.estimator for method in plan.methods}
    found = CountSelected()(methods["FCBF"], Fold(data, split, 0))
    assert found["n_selected"] == pytest.approx(LUCAS.table.cells["lucas", "FCBF"].mean)
