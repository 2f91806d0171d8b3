"""Leads of the challenge's selections: claims over folds."""

import pytest

from manyminds.experiments.record import Record
from manyminds.reproductions.challenge_selections.judging import (
    LEADS,
    judge_leads,
)
from manyminds.reproductions.challenge_selections.plan import (
    REPRODUCTION,
)
from manyminds.reproductions.judging.cells import NOT_RUN
from manyminds.reproductions.judging.verdicts import judge
from manyminds.reproductions.protocols.challenge_2003 import (
    UNION,
)

PARTS = {part.name.split(": ")[1]: part for part in REPRODUCTION.parts}


def make_record(part, method, value, repeat, fold):
    dataset, _ = next(iter(part.table.cells))
    key = f"{method} {repeat} {fold}"
    return Record(key, dataset, method, repeat, fold, {"error": value})


@pytest.mark.parametrize(("lead", "verdict"), [(0.04, "holds"), (0, "does not hold")])
def test_leads_are_claims_over_folds(lead, verdict):
    part = PARTS["madelon against a check"]
    leader, others = LEADS["madelon"]
    records = [
        make_record(part, method, error + 0.001 * fold, repeat, fold)
        for method, error in {leader: 0.10, **dict.fromkeys(others, 0.1 + lead)}.items()
        for repeat in range(3)
        for fold in range(9)
    ]
    verdicts = judge(part, records)
    assert [claim.verdict for claim in verdicts.claims] == [verdict] * 3
    assert all(claim.n == 27 and claim.test_share == 1 / 9 for claim in verdicts.claims)
    cells = {cell.method: cell for cell in verdicts.cells}
    assert cells[UNION].difference == pytest.approx(0.1)
    assert cells["two of three top fifteens, 5-NN"].verdict == NOT_RUN


def test_a_lead_is_the_error_of_the_other_less_that_of_the_leader():
    # Only one of the three others was run, and errs by 3 points more.
    part = PARTS["madelon against a check"]
    leader, (other, *_) = LEADS["madelon"]
    records = [
        make_record(part, method, error, repeat, fold)
        for method, error in ((leader, 0.10), (other, 0.13))
        for repeat in range(3)
        for fold in range(9)
    ]
    (claim,) = judge_leads(part.outline(), records)
    assert claim.text == f"madelon: {leader} has a lower error than {other}"
    assert claim.effect == pytest.approx(3.0) and claim.unit == "points"


def test_no_lead_is_claimed_without_the_leader():
    part = PARTS["madelon against a check"]
    records = [
        make_record(part, other, 0.1, repeat, fold)
        for other in LEADS["madelon"][1]
        for repeat in range(3)
        for fold in range(9)
    ]
    assert judge_leads(part.outline(), records) == []
