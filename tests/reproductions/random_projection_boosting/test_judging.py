"""RpBoost's winners: the weakest against the best of the others."""

import numpy as np
import pytest

from manyminds.experiments import Record
from manyminds.reproductions.judging.verdicts import judge
from manyminds.reproductions.random_projection_boosting.judging import (
    judge_winners,
)
from manyminds.reproductions.random_projection_boosting.plan import (
    REPRODUCTION,
)
from manyminds.reproductions.random_projection_boosting.protocol import (
    BASELINES,
)

PARTS = {part.name.partition(": ")[2]: part for part in REPRODUCTION.parts}


def records_of(plan, values):
    """Return each place of a plan of two times ten folds what ``values`` says."""
    rng = np.random.default_rng(0)
    return [
        Record(f"{source.name}{method.name}{r}{f}", source.name, method.name, r, f, v)
        for source in plan.datasets
        for method in plan.methods
        for r in range(2)
        for f in range(10)
        if (v := {"accuracy": values[method.name] + 0.01 * rng.normal()})
    ]


@pytest.mark.parametrize(
    ("mine", "verdict"),
    [(0.9, "holds"), (0.5, "does not hold"), (0.701, "cannot be told")],
)
def test_weakest_winner_is_held_against_the_best_of_the_others(mine, verdict):
    plan = PARTS["penalty 1000, claims"].outline()
    values = {method.name: 0.95 for method in plan.methods}
    values |= {"AdaBoost": 0.6, "LsBoost": 0.7, "RpBoost.sub N": mine}
    winners = (("RpBoost.sub N", "RpBoost.same N"), BASELINES)
    claims = {source.name: winners for source in plan.datasets}
    *of_sets, overall = judge_winners(
        claims, "over all", 0.1, plan, records_of(plan, values)
    )
    assert len(of_sets) == len(plan.datasets)
    for claim in of_sets:
        assert claim.verdict == verdict
        assert claim.effect == pytest.approx(100 * mine - 70.0, abs=1.5)
        assert "RpBoost.sub N, the weakest, less LsBoost" in claim.remark
    assert overall.n == len(plan.datasets)


def test_claims_are_not_cells():
    part = PARTS["penalty 1000, claims"]
    plan = part.outline()
    records = records_of(plan, {method.name: 0.8 for method in plan.methods})
    found = judge(part, records)
    assert all(cell.apart for cell in found.cells) and len(found.claims) == 6
    assert all(claim.verdict != "holds" for claim in found.claims)


def test_claims_without_records_are_not_run():
    found = judge(PARTS["patterns, claims"], [])
    assert {cell.verdict for cell in found.cells} == {"not run"}
    assert found.claims == ()
