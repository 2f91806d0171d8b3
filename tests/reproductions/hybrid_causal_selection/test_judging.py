"""Hybrids compared with pure algorithms, and blankets, judged from records."""

import pytest

from manyminds.experiments.record import Record
from manyminds.reproductions.hybrid_causal_selection.judging import (
    ALL,
    find_other_reading,
)
from manyminds.reproductions.hybrid_causal_selection.plan import BLANKETS, ERRORS
from manyminds.reproductions.judging.cells import AGREES, Cell
from manyminds.reproductions.judging.verdicts import judge


def record(dataset, method, i, values):
    return Record(f"{dataset} {method} {i}", dataset, method, 0, i, values)


@pytest.mark.parametrize(
    ("gain", "verdict"), [(0.05, "holds"), (-0.05, "does not hold")]
)
def test_hybrids_are_judged_over_data_sets(gain, verdict):
    records = []
    for k, source in enumerate(ERRORS.outline().datasets):
        for method in ERRORS.outline().methods:
            error = 0.3 + 0.001 * k - (gain if method.name.startswith("H-") else 0.0)
            records += [
                record(source.name, method.name, i, {"error": error, "n_selected": 3.0})
                for i in range(10)
            ]
    verdicts = judge(ERRORS, records)
    claims = {claim.text: claim.verdict for claim in verdicts.claims}
    assert claims["H-PC has a lower error than PC"] == verdict
    other = "does not hold" if verdict == "holds" else "holds"
    assert claims["FCBF has a lower error than H-PC"] == other
    assert all(cell.apart for cell in verdicts.cells)
    assert ALL not in {cell.method for cell in verdicts.cells}


@pytest.mark.parametrize(
    ("misses", "verdict"), [(0.0, "holds"), (3.0, "does not hold")]
)
def test_blankets_are_judged_over_draws(misses, verdict):
    values = {"n_right": 5.0, "n_false": misses, "misses": misses, "n_selected": 5.0}
    records = [
        Record(f"{m.name} {i}", "lucas-drawn", m.name, i, 0,
               {**values, "misses": misses + 0.01 * (i % 2)})
        for m in BLANKETS.outline().methods
        for i in range(40)
    ]  # fmt: skip
    verdicts = judge(BLANKETS, records)
    assert {claim.verdict for claim in verdicts.claims} == {verdict}
    assert "of 5 members right" in verdicts.cells[0].why


def test_drawn_rows_are_apart():
    assert find_other_reading(Cell("lucas-drawn", "PC", AGREES))
    assert not find_other_reading(Cell("lucas", "PC", AGREES))
    assert {cell.verdict for cell in judge(ERRORS, []).cells} == {"not run"}
    assert {cell.verdict for cell in judge(BLANKETS, []).cells} == {"not run"}
