"""Mixtures of random prototype-based experts, compared with trained gates."""

from typing import Any

import numpy as np

from manyminds.experiments.plan import Plan
from manyminds.experiments.record import Record
from manyminds.experiments.splits import CrossValidation
from manyminds.reproductions import published
from manyminds.reproductions.judging.claims import Claim, judge_claim
from manyminds.reproductions.judging.effects import gather_folds, judge_methods
from manyminds.reproductions.prototype_experts import DESCRIPTION
from manyminds.reproductions.prototype_experts.protocol import (
    CONTROL,
    DISJOINT,
    FASTER,
    HME,
    OVERLAPPING,
    ExpertMeasures,
    load,
    make_models,
)

NAME = DESCRIPTION.name
SETS = (
    "iris", "satimage", "pendigits", "letter", "vowel", "segment", "glass", "yeast",
)  # fmt: skip
QUICK = ("iris", "glass")
MAX_ITER = 100
MARGIN = 0.5  # smallest difference in points of accuracy that matters
CLAIMS = {  # what the paper says about its table, and the control
    f"{one} has a higher accuracy than {other}": (one, other)
    for one, other in (
        (DISJOINT, HME),
        (OVERLAPPING, HME),
        (OVERLAPPING, DISJOINT),
        (OVERLAPPING, FASTER),
        (DISJOINT, CONTROL),
    )
}
OTHER_NETS = (
    "the paper does not print the numbers of experts, hidden units and passes, and its "
    "levels are low; compare differences between methods"
)
NOTES: dict[Any, str] = dict.fromkeys(SETS, OTHER_NETS)
PAPER_RATIOS = {  # of training times, table 3, in the order of table 2
    "iris": 0.68, "satimage": 0.61, "pendigits": 0.69, "letter": 0.75, "vowel": 0.64,
    "segment": 0.75, "glass": 0.68, "yeast": 0.63,
}  # fmt: skip


def _make_plan(find: published.Find, quick: bool) -> Plan:
    return Plan(
        published.name_plan(NAME, quick),
        published.list_sources(QUICK if quick else SETS, load, find),
        make_models(20 if quick else MAX_ITER),
        splits=CrossValidation(5 if quick else 10),
        measure=ExpertMeasures(),
    )


def judge_experts(plan: Plan, records: list[Record]) -> list[Claim]:
    """Judge the claims about accuracy and about training times.

    Parameters
    ----------
    plan : Plan
    records : list of Record

    Returns
    -------
    claims : list of Claim
    """
    claims = judge_methods(
        plan,
        records,
        "accuracy",
        CLAIMS,
        unit="points of accuracy",
        margin=MARGIN,
        test_share=0.1,
        scale=100.0,
    )
    for metric, words in (
        ("seconds", "Training of HMRPE takes less time than that of HME"),
        ("seconds_per_pass", "A pass of HMRPE takes less time than one of HME"),
    ):
        claims.append(_judge_times(plan, records, metric, words))
    return claims


def _judge_times(plan: Plan, records: list[Record], metric: str, text: str) -> Claim:
    folds = gather_folds(plan, records, metric)
    ratios = {
        name: float(np.median(folds[name, OVERLAPPING]) / np.median(folds[name, HME]))
        for name in SETS
        if (name, HME) in folds and (name, OVERLAPPING) in folds
    }
    listed = ", ".join(
        f"{name} {ratio:.2f} (paper {PAPER_RATIOS[name]:.2f})"
        for name, ratio in ratios.items()
    )
    return judge_claim(
        text,
        [100.0 * (1.0 - ratio) for ratio in ratios.values()],
        unit="percent less time",
        margin=5.0,
        remark=f"ratios of processor time: {listed}",
    )


PART = published.Part(
    NAME,
    "Accuracy in percent, ten folds; 2 modules of 3 experts with 10 hidden units, at "
    f"most {MAX_ITER} passes with early stopping",
    _make_plan,
    published.Tolerance(3.0, OTHER_NETS, "points of accuracy"),
    published.PublishedTable(
        "Accuracy in percent, ten folds",
        DESCRIPTION.source,
        "accuracy",
        published.read_published_cells(__package__, "armano_accuracy"),
        scale=100.0,
    ),
    NOTES,
    claims=judge_experts,
)
REPRODUCTION = published.Reproduction.of(DESCRIPTION, (PART,))
