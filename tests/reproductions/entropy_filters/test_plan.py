"""Counts and errors of FCBF and CFS: tables, plans, loading."""

import pytest

from manyminds.datasets.folder import DataFolder
from manyminds.experiments.measures import Fold
from manyminds.reproductions.entropy_filters.plan import (
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
from manyminds.reproductions.protocols.duangsoithong_2011 import ABSENT_SETS


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
