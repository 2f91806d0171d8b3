"""The plan on local classifiers: outlines, table, claims."""

import pytest

from manyminds.experiments.record import Record
from manyminds.reproductions.judging.verdicts import judge
from manyminds.reproductions.local_classifiers.plan import (
    IN_TIME,
    ONE_SCALE,
    PRINTED,
    REPRODUCTION,
    SETS,
)

METHODS = ("CLU", "CL2", "FEA", "MMM", "RSS", "ALL", "NAY")


def test_tables_and_outlines():
    n_folds = [len(part.outline()) for part in REPRODUCTION.parts]
    assert n_folds == [7 * 7 * 5, 7 * 7 * 5, 7]
    assert sum(n_folds) == REPRODUCTION.n_folds
    assert {name for name, _ in PRINTED.table.cells} == set(SETS)
    assert {name for name, _ in IN_TIME.table.cells} == {"electricity"}
    assert [source.name for source in PRINTED.outline(quick=True).datasets] == [
        "toy k=4",
        "credit-g",
    ]


@pytest.mark.parametrize(("gain", "verdict"), [(0.03, "holds"), (0.0, "does not hold")])
def test_claims_on_one_scale(gain, verdict):
    records = [
        Record(
            f"{name} {method} {k}",
            name,
            method,
            k,
            0,
            dict.fromkeys(
                ("zero_one", "soft", "brier", "log_loss", "printed"),
                0.2
                - (gain if method == "MMM" else 0.0)
                + 0.001 * (-1) ** (k + i + (method == "MMM")),
            ),
        )
        for i, name in enumerate(SETS)
        for method in METHODS
        for k in range(5)
    ]
    claims = {claim.text: claim for claim in judge(ONE_SCALE, records).claims}
    assert len(claims) == 14
    text = "the average has a lower 0/1 error than one classifier of all rows"
    assert claims[f"on real data, {text}"].verdict == verdict
    printed = {claim.text: claim for claim in judge(PRINTED, records).claims}
    assert len(printed) == 4
