"""The plan: claims by hand-made records, and its outline."""

import pytest

from manyminds.experiments.record import Record
from manyminds.reproductions.combined_networks.plan import (
    REPRODUCTION,
    judge_cross_sectional,
    judge_longitudinal,
    judge_null,
)
from manyminds.reproductions.combined_networks.protocol import make_methods


def make_records(plan, areas, errors):
    return [
        Record(
            f"{source.name} {method}", source.name, method, 0, 0,
            {
                "auroc": areas[method] + 0.001 * i, "errors": 1.0,
                "errors_at_90": errors[method] + 0.1 * (i % 2),
            },
        )
        for i, source in enumerate(plan.datasets)
        for method in make_methods()
    ]  # fmt: skip


def test_number_of_folds_is_that_of_the_description():
    n = sum(
        len(part.outline().datasets) * len(part.outline().methods)
        for part in REPRODUCTION.parts
    )
    assert n == REPRODUCTION.n_folds


def test_claims_hold_for_records_that_say_so_and_fail_for_others():
    cross, long, null = (part.outline() for part in REPRODUCTION.parts)
    good = dict.fromkeys(make_methods(), 0.86) | {"expert": 0.75, "data-driven": 0.85}
    few = dict.fromkeys(make_methods(), 20.0) | {"expert": 50.0, "data-driven": 30.0}
    claims = judge_longitudinal(long, make_records(long, good, few))
    assert [claim.verdict for claim in claims] == ["holds"] * 6
    many = {name: 60.0 - one for name, one in few.items()}
    bad = {name: 1.6 - one for name, one in good.items()}
    claims = judge_longitudinal(long, make_records(long, bad, many))
    assert [claim.verdict for claim in claims[:5]] == ["does not hold"] * 5
    even = dict.fromkeys(make_methods(), 0.5)
    assert judge_null(null, make_records(null, even, few))[0].verdict == "holds"
    assert judge_null(null, make_records(null, good, few))[0].verdict != "holds"
    equal = judge_cross_sectional(cross, make_records(cross, even, few))
    assert equal[0].verdict == "holds"
    with pytest.raises(KeyError):
        judge_null(null, [Record("a", "null 0", "table", 0, 0, {})])
