"""Counts of causal selections: table, plans, the printed counts of PC and TPDA."""

import pytest

from manyminds.datasets.folder import DataFolder
from manyminds.experiments.measures import Fold
from manyminds.reproductions.hybrid_causal_selection.plan import (
    COUNTS,
    REPRODUCTION,
    _load_lucas,
    make_selectors,
)
from manyminds.reproductions.hybrid_causal_selection.protocol import CountBlanket
from manyminds.reproductions.judging.verdicts import judge
from manyminds.reproductions.protocols.duangsoithong_2011 import ABSENT_SETS


def test_table_is_complete():
    # Six cells of the chapter are "N/A": the tool did not finish.
    assert len(COUNTS.table.cells) == 2 * 8 + 4 * 8 - 6
    assert COUNTS.table.cells["cina", "PC"].mean == 132
    assert set(COUNTS.absent) == set(ABSENT_SETS)
    assert {method for _, method in COUNTS.table.cells} == set(make_selectors())


def test_quick_and_full_outlines():
    for part in REPRODUCTION.parts:
        quick, full = part.outline(quick=True), part.outline()
        assert 0 < len(quick) < len(full)


def test_absent_sets_are_told():
    whys = {cell.dataset: cell.why for cell in judge(COUNTS, []).cells}
    assert "could not be loaded" in whys["sido"]


def test_printed_counts_of_the_challenges_rows(shared_data):
    plan = COUNTS.outline()
    data = _load_lucas(DataFolder(shared_data).load, "lucas")
    split = next(plan.splits.split(data.y, True))
    methods = {method.name: method.estimator for method in plan.methods}
    for name in ("PC", "H-TPDA"):
        found = CountBlanket()(methods[name], Fold(data, split, 0))
        printed = COUNTS.table.cells["lucas", name].mean
        assert found["n_selected"] == pytest.approx(printed)
