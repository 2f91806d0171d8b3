"""The plan on random cluster ensembles: outlines, tables, claims."""

import pytest

from manyminds.experiments.record import Record
from manyminds.reproductions.judging.verdicts import judge
from manyminds.reproductions.random_cluster_ensembles.plan import (
    CONTROL,
    COUNT,
    LEUKEMIA,
    RAND,
    SETS,
    _make_selectors,
)


def test_tables_and_outlines():
    for part in (RAND, COUNT):
        assert {dataset for dataset, _ in part.table.cells} == set(SETS)
        assert len(part.table.cells) == 24
        assert len(part.outline()) == 4 * 7 * 5
    assert len(LEUKEMIA.table.cells) == 4
    assert len(LEUKEMIA.outline()) == 4 * 10


@pytest.mark.parametrize(("gain", "verdict"), [(0.05, "holds"), (0.0, "does not hold")])
def test_claims(gain, verdict):
    rand = {"RCE": 0.8 + gain}
    records = [
        Record(
            f"{name} {method} {k}",
            name,
            method,
            k,
            0,
            {
                metric: rand.get(method, 0.8) + 0.002 * (-1) ** (k + i)
                for metric in ("rand", "adjusted_rand", "n_features")
            },
        )
        for i, name in enumerate(SETS)
        for method in _make_selectors(1, 1)
        for k in range(5)
    ]
    claims = {claim.text: claim for claim in judge(RAND, records).claims}
    assert len(claims) == 6
    assert CONTROL in _make_selectors(1, 1)
    control = "on as many drawn at random"
    found = next(claim for text, claim in claims.items() if text.endswith(control))
    assert found.verdict == verdict
