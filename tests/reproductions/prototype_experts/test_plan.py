"""The plan on prototype-based experts: outline, table, claims."""

import pytest

from manyminds.experiments.record import Record
from manyminds.reproductions.judging.verdicts import judge
from manyminds.reproductions.prototype_experts.plan import PART, REPRODUCTION, SETS
from manyminds.reproductions.prototype_experts.protocol import (
    CONTROL,
    DISJOINT,
    FASTER,
    HME,
    OVERLAPPING,
)


def test_table_and_outline():
    assert {dataset for dataset, _ in PART.table.cells} == set(SETS)
    assert len(PART.table.cells) == 24
    assert len(PART.outline()) == REPRODUCTION.n_folds == 8 * 5 * 10
    # The paper's order on all eight sets.
    for name in SETS:
        means = [PART.table.cells[name, m].mean for m in (HME, DISJOINT, OVERLAPPING)]
        assert means == sorted(means)


@pytest.mark.parametrize(("gain", "verdict"), [(0.03, "holds"), (0.0, "does not hold")])
def test_claims(gain, verdict):
    records = [
        Record(
            f"{name} {method} {k}",
            name,
            method,
            0,
            k,
            {
                "accuracy": 0.8
                + (gain if method == OVERLAPPING else 0.0)
                + 0.001 * (-1) ** (k + i),
                "seconds": 2.0 if method == HME else 1.0,
                "seconds_per_pass": 1.0,
                "passes": 2.0,
            },
        )
        for i, name in enumerate(SETS)
        for method in (HME, DISJOINT, OVERLAPPING, CONTROL, FASTER)
        for k in range(10)
    ]
    claims = {claim.text: claim for claim in judge(PART, records).claims}
    assert len(claims) == 7
    found = claims["HMRPE overlapping has a higher accuracy than HME"]
    assert found.verdict == verdict
    times = claims["Training of HMRPE takes less time than that of HME"]
    assert times.verdict == "holds" and times.effect == pytest.approx(50.0)
    assert "iris 0.50 (paper 0.68)" in times.remark
    per_pass = claims["A pass of HMRPE takes less time than one of HME"]
    assert per_pass.verdict == "does not hold"
