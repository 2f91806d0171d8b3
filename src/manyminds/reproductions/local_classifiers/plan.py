"""Three data-partitioning strategies for local classifiers, and their blend."""

from functools import partial
from typing import Any

from manyminds.experiments.plan import Plan
from manyminds.experiments.record import Record
from manyminds.experiments.splits import RandomSplits, Splits
from manyminds.reproductions import published
from manyminds.reproductions.judging.claims import Claim
from manyminds.reproductions.judging.effects import judge_methods
from manyminds.reproductions.local_classifiers import DESCRIPTION
from manyminds.reproductions.local_classifiers.protocol import (
    TOYS,
    BothReadings,
    FirstHalf,
    load,
    make_methods,
)

NAME = DESCRIPTION.name
REAL = ("credit-g", "shuttle", "esl-marketing", "spambase", "electricity")
SETS = (*TOYS, *REAL)
QUICK = ("toy k=4", "credit-g")
N_SPLITS = 5
TEST_SHARE = 0.5
MARGIN = 0.5  # points
ABSENT_NOTE = "chess, the author's own collection of games, is not public"
ONE_SPLIT = "the paper has one random half, and does not print all settings"
CODING = (
    "how the paper coded the categories is not known: it counts 23 columns of German "
    "credit and 48 of marketing"
)
NOTES: dict[Any, str] = {
    **dict.fromkeys(SETS, ONE_SPLIT),
    **dict.fromkeys(("credit-g", "esl-marketing"), CODING),
    **{
        (name, "FEA"): "the first column with four values depends on their order"
        for name in REAL
    },
}
PRINTED_CLAIMS = {
    f"on real data, the average has a lower error as printed than {other}": (
        "MMM",
        other,
    )
    for other in ("CLU", "CL2", "FEA", "ALL")
}
ONE_SCALE_CLAIMS = {
    f"on real data, {words} has a lower {{}} than {other}": pair
    for words, other, pair in (
        ("the average", "one classifier of all rows", ("MMM", "ALL")),
        ("the average", "clusters", ("MMM", "CLU")),
        ("the average", "clusters within classes", ("MMM", "CL2")),
        ("the average", "slices", ("MMM", "FEA")),
        ("a classifier for each cluster", "one of all rows", ("CLU", "ALL")),
        ("a classifier for each cluster", "one for each random subset", ("CLU", "RSS")),
        ("one classifier of all rows", "one for each random subset", ("ALL", "RSS")),
    )
}


def _make_plan(
    name: str,
    sets: tuple[str, ...],
    correction: str,
    splits: Splits | None,
    find: published.Find,
    quick: bool,
) -> Plan:
    chosen = tuple(one for one in sets if one in QUICK) if quick else sets
    chosen = chosen or sets
    return Plan(
        published.name_plan(name, quick),
        published.list_sources(chosen, load, find),
        make_methods(correction),
        splits=splits or RandomSplits(3 if quick else N_SPLITS, TEST_SHARE),
        measure=BothReadings(),
    )


def _keep_real(records: list[Record]) -> list[Record]:
    """Leave out toys, on which one classifier fails by tens of points."""
    return [record for record in records if record.dataset in REAL]


def _judge_printed(plan: Plan, records: list[Record]) -> list[Claim]:
    return judge_methods(
        plan,
        _keep_real(records),
        "printed",
        PRINTED_CLAIMS,
        unit="points",
        margin=MARGIN,
        test_share=TEST_SHARE,
        scale=100.0,
        lower_is_better=True,
    )


def _judge_one_scale(plan: Plan, records: list[Record]) -> list[Claim]:
    claims = []
    for metric, word in (("zero_one", "0/1 error"), ("brier", "Brier score")):
        claims += judge_methods(
            plan,
            _keep_real(records),
            metric,
            {text.format(word): pair for text, pair in ONE_SCALE_CLAIMS.items()},
            unit="points",
            margin=MARGIN,
            test_share=TEST_SHARE,
            scale=100.0,
            lower_is_better=True,
        )
    return claims


def _make_table(title: str, metric: str, sets: tuple[str, ...]) -> Any:
    cells = published.read_published_cells(__package__, "zliobaite_errors")
    return published.PublishedTable(
        title,
        DESCRIPTION.source,
        metric,
        {place: value for place, value in cells.items() if place[0] in sets},
        scale=100.0,
    )


TOLERANCE = published.Tolerance(2.0, ONE_SPLIT, "points")
PRINTED = published.Part(
    NAME,
    "Errors as the paper most likely measured them, in percent: soft errors of single "
    "methods, the mean of three 0/1 errors for the average; the correction with its "
    "sign turned; mean of 5 random halves; " + ABSENT_NOTE,
    partial(_make_plan, NAME, SETS, "paper-run", None),
    TOLERANCE,
    _make_table("Testing error in percent, one random half", "printed", SETS),
    NOTES,
    claims=_judge_printed,
)
ONE_SCALE = published.Part(
    f"{NAME}: one scale",
    "0/1 errors of all methods in percent, without a correction; mean of 5 random "
    "halves",
    partial(_make_plan, f"{NAME}: one scale", SETS, "none", None),
    TOLERANCE,
    _make_table(
        "Testing error in percent, two measures in one table", "zero_one", SETS
    ),
    NOTES,
    apart="the paper printed another measure",
    claims=_judge_one_scale,
)
IN_TIME = published.Part(
    f"{NAME}: in time",
    "0/1 errors on the second half of the electricity data, trained on the first; the "
    "paper's random halves let classifiers see the hours around a test row",
    partial(_make_plan, f"{NAME}: in time", ("electricity",), "none", FirstHalf()),
    TOLERANCE,
    _make_table("Testing error in percent", "zero_one", ("electricity",)),
    apart="the paper printed another measure of a random half",
)
REPRODUCTION = published.Reproduction.of(DESCRIPTION, (PRINTED, ONE_SCALE, IN_TIME))
