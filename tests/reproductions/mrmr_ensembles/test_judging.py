"""Counts of passes without random variation, and stability over data sets."""

import pytest

from manyminds.experiments.record import Record
from manyminds.reproductions.judging.controls import control
from manyminds.reproductions.judging.verdicts import judge
from manyminds.reproductions.mrmr_ensembles.plan import (
    CLAIMS,
    REPRODUCTION,
)

FORMULAS, ESTIMATE, COUNTS, PLAIN, STABILITY, INNER = REPRODUCTION.parts


def record(dataset, method, repeat, value):
    key = f"{dataset} {method} {repeat}"
    return Record(key, dataset, method, repeat, 0, {"k=10": value, "k=20": value})


@pytest.mark.parametrize(("gain", "verdict"), [(0.2, "holds"), (0.0, "does not hold")])
def test_stability_is_judged_over_data_sets(gain, verdict):
    records = []
    for k, source in enumerate(STABILITY.outline().datasets):
        for repeat in range(10):
            plain = 0.3 + 0.01 * k + 0.001 * repeat
            found = {"Plain": 0.0, "Fast": gain + 0.001 * (-1) ** k, "Bagged": 0.5}
            records += [
                record(source.name, method, repeat, plain + more)
                for method, more in found.items()
            ]
    verdicts = judge(STABILITY, records)
    claims = {claim.text: claim for claim in verdicts.claims}
    claim = claims["Fast ensembles are more stable than single searches, k=10"]
    assert claim.verdict == verdict and claim.n == 9
    claim = claims["Fast ensembles are more stable than bagging, k=20"]
    assert claim.verdict == "does not hold"
    assert len(claims) == len(CLAIMS)
    # P-values are no cells; what is shown are the stabilities.
    assert all(cell.apart for cell in verdicts.cells)
    cells = {(c.dataset, c.method): c for c in verdicts.cells}
    cell = cells["lung-d", "Fast against Plain, k=10"]
    assert cell.difference == pytest.approx(gain, abs=0.002)
    assert "printed p = 4.1e-07" in cell.why


def test_a_count_that_is_off_by_one_differs():
    # Nothing is random here: one run is enough to tell.
    records = [
        Record(
            f"{place}", *place, 0, 0, {"passes": value.mean + (place[0] == "colon-d")}
        )
        for place, value in COUNTS.table.cells.items()
    ]
    found = judge(COUNTS, records)
    verdicts = {(cell.dataset, cell.verdict) for cell in found.cells}
    assert ("colon-d", "differs") in verdicts and ("lung-d", "agrees") in verdicts
    assert not any(verdict == "undecided" for _, verdict in verdicts)
    null = control([(COUNTS, found.cells)])
    assert null.share > 70.0 and null.null_share < 40.0


def test_a_method_without_runs_is_shown_as_not_run():
    records = [record("lung-d", "Fast", repeat, 0.5) for repeat in range(10)]
    verdicts = judge(STABILITY, records)
    assert verdicts.claims == ()
    assert {cell.verdict for cell in verdicts.cells} == {"not run"}
    assert all(cell.apart for cell in verdicts.cells)
