"""The anticipative forest compared with its peers, worked by hand."""

from dataclasses import replace

import pytest

from manyminds.experiments import Record
from manyminds.reproductions.anticipative_hybrid_forests.plan import (
    REPRODUCTION,
)
from manyminds.reproductions.anticipative_hybrid_forests.protocol import (
    HYBRID,
)
from manyminds.reproductions.judging.claims import CANNOT_TELL, FAILS, HOLDS
from manyminds.reproductions.judging.verdicts import judge

SMALL_TABLE, LARGE_TABLE, SMALL_PEERS, LARGE_PEERS = REPRODUCTION.parts


def records_of(part, values):
    """Return each data set and method its folds; ``values(method, fold)`` or None."""
    plan = part.outline()
    places = [
        (r, f)
        for r in range(plan.splits.n_repeats)
        for f in range(plan.splits.n_splits)
    ]
    return [
        Record(
            f"{source.name}{method.name}{i}",
            source.name,
            method.name,
            *place,
            {"accuracy": values(method.name, i)},
        )
        for source in plan.datasets
        for method in plan.methods
        for i, place in enumerate(places)
        if values(method.name, i) is not None
    ]


def test_claims_on_peers_worked_by_hand():
    # Ahead by ten points, level, and behind; the one with 70 % of the rows did not run.
    level = {
        HYBRID: 0.80,
        "ELM, one output per class": 0.70,
        "Random Forest": 0.799,
        "Rotation Forest": 0.801,
        "HistGradientBoosting": 0.90,
    }
    records = records_of(SMALL_PEERS, lambda method, i: level.get(method))
    found = judge(SMALL_PEERS, records)
    claims = {claim.text.rpartition("than ")[2]: claim for claim in found.claims}
    assert set(claims) == set(level) - {HYBRID}
    ahead = claims["ELM, one output per class"]
    assert (ahead.verdict, ahead.effect) == (HOLDS, pytest.approx(10.0))
    assert claims["Random Forest"].verdict == HOLDS  # small, but not random
    assert claims["Rotation Forest"].verdict == FAILS
    assert claims["HistGradientBoosting"].verdict == FAILS
    assert all(cell.apart for cell in found.cells)
    first = {cell.method: cell for cell in found.cells if cell.dataset == "iris"}
    assert first["HistGradientBoosting"].difference == pytest.approx(-10.0)
    assert first["AHERF, 70 % of rows"].verdict == "not run"


def test_scatter_over_data_sets_leaves_a_claim_open():
    records = [
        replace(one, values={"accuracy": 0.8 + 0.1 * (-1) ** (len(one.dataset) % 2)})
        if one.method == HYBRID
        else one
        for one in records_of(SMALL_PEERS, lambda method, i: 0.8)
    ]
    verdicts = {claim.verdict for claim in judge(SMALL_PEERS, records).claims}
    assert verdicts == {CANNOT_TELL}


def test_two_large_sets_make_no_claim():
    for part in (LARGE_TABLE, LARGE_PEERS):
        assert not judge(part, records_of(part, lambda method, i: 0.9)).claims
        assert "too few for a claim" in part.rule
