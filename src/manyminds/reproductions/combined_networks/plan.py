"""Expert and data-driven Bayesian networks, combined, on made-up studies."""

from collections.abc import Callable
from functools import partial

import numpy as np

from manyminds.experiments.plan import DataSource, Plan
from manyminds.experiments.record import Record
from manyminds.experiments.splits import WholeData
from manyminds.reproductions import published
from manyminds.reproductions.combined_networks import DESCRIPTION
from manyminds.reproductions.combined_networks.protocol import (
    COMBINED,
    COUNTS,
    DATA,
    EXPERT,
    StudyScores,
    load_study,
    make_methods,
)
from manyminds.reproductions.judging.claims import Claim, judge_claim
from manyminds.reproductions.judging.effects import Folds, gather_folds
from manyminds.reproductions.judging.observations import (
    OBSERVATION,
    observe,
    observe_nothing,
)
from manyminds.reproductions.judging.verdicts import Verdicts, summarize_cells

NAME = DESCRIPTION.name
TABLE, VOTE, MEAN = COMBINED["table"], COMBINED["vote"], COMBINED["mean"]
N_STUDIES = 6
N_QUICK = 1
CLOSE = published.Tolerance(0.01, "a hundredth of the area under the ROC curve")
AREA_MARGIN, ERROR_MARGIN = 0.01, 0.5  # smallest relevant effects
RULE = (
    "All numbers are ours, on studies that are made up; no cell is counted. Each study "
    "is an independent draw, and the claims are judged on the mean over the studies."
)


def _make_plan(name: str, kind: str, find: published.Find, quick: bool) -> Plan:
    numbers = range(N_QUICK if quick else N_STUDIES)
    return Plan(
        published.name_plan(name, quick),
        [DataSource(f"{kind} {i}", partial(load_study, kind, i)) for i in numbers],
        make_methods(),
        splits=WholeData(),
        measure=StudyScores(),
    )


def _subtract(folds: Folds, plan: Plan, method: str, other: str) -> list[float]:
    """Return the differences of two methods, one for each study."""
    return [
        float(folds[source.name, method].mean() - folds[source.name, other].mean())
        for source in plan.datasets
        if (source.name, method) in folds and (source.name, other) in folds
    ]


def _subtract_best(folds: Folds, plan: Plan, method: str) -> list[float]:
    """Return by how much a method exceeds the better single network of each study."""
    pairs = zip(
        _subtract(folds, plan, method, DATA), _subtract(folds, plan, method, EXPERT)
    )
    return [min(pair) for pair in pairs]


def judge_cross_sectional(plan: Plan, records: list[Record]) -> list[Claim]:
    """Judge what the paper says about its first study, an easy one."""
    area = gather_folds(plan, records, "auroc")
    return [
        judge_claim(
            "On the cross-sectional study the expert network is as good as the "
            "data-driven one",
            _subtract(area, plan, DATA, EXPERT),
            unit="AUROC", margin=0.03, equal=True,
        )
    ]  # fmt: skip


def judge_longitudinal(plan: Plan, records: list[Record]) -> list[Claim]:
    """Judge what the paper says about its second study, with visits of subjects."""
    area = gather_folds(plan, records, "auroc")
    specific = gather_folds(plan, records, "errors_at_90", -1.0)
    claims = [
        judge_claim(
            "On the longitudinal study the data-driven network is better than the "
            "expert one",
            _subtract(area, plan, DATA, EXPERT),
            unit="AUROC", margin=AREA_MARGIN,
        )
    ]  # fmt: skip
    for method in (TABLE, COUNTS):
        claims += [
            judge_claim(
                f"{method}: its AUROC is within 0.01 of the better single network, or "
                "above",
                [one + AREA_MARGIN for one in _subtract_best(area, plan, method)],
                unit="AUROC, plus 0.01", margin=AREA_MARGIN,
            ),
            judge_claim(
                f"{method}: fewer errors at 90 % specificity than the better single "
                "network",
                _subtract_best(specific, plan, method),
                unit="errors per 100 rows", margin=ERROR_MARGIN,
            ),
        ]  # fmt: skip
    between = [
        -max(0.0, mean - max(table, vote), min(table, vote) - mean)
        for table, vote, mean in zip(
            *(_subtract(specific, plan, method, DATA) for method in (TABLE, VOTE, MEAN))
        )
    ]
    claims.append(
        judge_claim(
            "The mean of table and vote has as many errors at 90 % specificity as "
            "something between the two, which the printed 118 (of 186 and 252) has not",
            between,
            unit="errors per 100 rows outside", margin=1.0, equal=True,
        )
    )  # fmt: skip
    return claims


def judge_null(plan: Plan, records: list[Record]) -> list[Claim]:
    """Judge that nothing is found where there is nothing."""
    area = gather_folds(plan, records, "auroc")
    return [
        judge_claim(
            f"{method}: with shuffled subjects its AUROC is 0.5",
            [
                float(area[source.name, method].mean()) - 0.5
                for source in plan.datasets
                if (source.name, method) in area
            ],
            unit="AUROC", margin=0.1, equal=True,
        )
        for method in (DATA, TABLE, COUNTS)
    ]  # fmt: skip


def _show(recorded: published.RecordedPart) -> Verdicts:
    """Show the AUROC of each method beside that of the data-driven network."""
    folds = gather_folds(recorded.plan, recorded.records, "auroc")
    cells = []
    for source in recorded.plan.datasets:
        for method in recorded.plan.methods:
            place = source.name, method.name
            if place in folds and (source.name, DATA) in folds:
                theirs = np.asarray(folds[source.name, DATA])
                cells.append(observe(place, folds[place], theirs))
            else:
                cells.append(observe_nothing(recorded, place))
    return summarize_cells(recorded, cells)


def _make_part(
    kind: str, title: str, claims: Callable[..., list[Claim]]
) -> published.Part:
    name = f"{NAME}: {kind.replace('_', '-')}"
    return published.Part(
        name,
        title,
        partial(_make_plan, name, kind),
        CLOSE,
        judge=_show,
        reference=DATA,
        rule=RULE,
        apart=OBSERVATION,
        claims=claims,
    )


REPRODUCTION = published.Reproduction.of(
    DESCRIPTION,
    (
        _make_part(
            "cross_sectional",
            "102 controls and 78 patients, three folds; AUROC",
            judge_cross_sectional,
        ),
        _make_part(
            "longitudinal",
            "62 subjects with 629 visits, six subject-wise folds, arcs of the first "
            "study; AUROC",
            judge_longitudinal,
        ),
        _make_part(
            "null",
            "Null control: the labels of the subjects shuffled; AUROC",
            judge_null,
        ),
    ),
)
