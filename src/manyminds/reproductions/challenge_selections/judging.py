"""Whether the paper's choices beat what it compares them with."""

from manyminds.experiments.plan import Plan
from manyminds.experiments.record import Record
from manyminds.reproductions.judging.claims import Claim, judge_claim
from manyminds.reproductions.judging.effects import gather_folds
from manyminds.reproductions.protocols.challenge_2003 import (
    SSV_7000,
    UNION,
)

N_FOLDS, N_REPEATS = 9, 3
MARGIN = 0.5  # points of error
LEADS = {  # what the paper found better, and than what
    "madelon": (UNION, ("CC 15, 5-NN", "SSV 15, 5-NN", "SSV tree 15, 5-NN")),
    "arcene": (SSV_7000, ("SSV 1000, linear SVM", "SSV 7000, RBF SVM")),
}


def judge_leads(plan: Plan, records: list[Record]) -> list[Claim]:
    """Judge that the paper's choice has a lower error than what it compares with.

    Effects are those of folds; intervals are those of the corrected resampled t-test.
    """
    (source,) = plan.datasets
    leader, others = LEADS[source.name]
    folds = gather_folds(plan, records, "error", 100.0)
    return [
        judge_claim(
            f"{source.name}: {leader} has a lower error than {other}",
            folds[source.name, other] - folds[source.name, leader],
            unit="points",
            margin=MARGIN,
            remark="effects of folds, with the interval of the corrected resampled "
            "t-test",
            test_share=1.0 / N_FOLDS,
        )
        for other in others
        if (source.name, leader) in folds and (source.name, other) in folds
    ]
