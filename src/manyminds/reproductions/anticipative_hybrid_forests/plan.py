"""Anticipative hybrid extreme rotation forests: the table of the slides, and peers."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from manyminds.experiments.plan import Plan
from manyminds.experiments.splits import CrossValidation
from manyminds.reproductions import published
from manyminds.reproductions.anticipative_hybrid_forests import DESCRIPTION
from manyminds.reproductions.anticipative_hybrid_forests.judging import (
    MARGIN,
    claim_lead,
    observe_peers,
)
from manyminds.reproductions.anticipative_hybrid_forests.protocol import (
    load_complete,
    make_families,
    make_forests,
    make_peers,
)
from manyminds.reproductions.judging.cells import MIN_REPEATS, describe_rule

NAME = DESCRIPTION.name
SOURCE = DESCRIPTION.source
TABLE = published.PublishedTable(
    "Accuracy in percent, fifty times ten-fold cross-validation, 35 members",
    SOURCE,
    "accuracy",
    published.read_published_cells(__package__, "aherf"),
    scale=100.0,
)
TOLERANCE = published.Tolerance(
    2.5, "the slides leave open how columns, rotations, ties and rows were chosen"
)
OBSERVED = published.Tolerance(MARGIN, "no cell of this part is counted")

LARGE = ("spambase", "waveform-21")
SMALL = tuple(
    name
    for name in dict.fromkeys(dataset for dataset, _ in TABLE.cells)
    if name not in LARGE
)
QUICK = ("iris", "wine")


def _make_plan(
    name: str,
    models: Mapping[str, Any],
    sets: tuple[str, ...],
    find: published.Find,
    quick: bool,
) -> Plan:
    chosen: tuple[str, ...]
    if sets == LARGE:
        splits = CrossValidation(2, 1) if quick else CrossValidation(5, 2)
        chosen = sets[1:] if quick else sets
    else:
        splits = CrossValidation(10, 1 if quick else 2)
        chosen = tuple(one for one in sets if not quick or one in QUICK)
    return Plan(
        published.name_plan(name, quick),
        published.list_sources(chosen, load_complete, find),
        models,
        splits=splits,
    )


FIXED_SPLIT = (
    "printed with a standard deviation of 0.01 or less, so from one fixed split into "
    "training and test samples, not from cross-validation"
)
UNTOLD = (
    "the slides tell neither scaling nor activation of this network, and some of their "
    "columns look like copies of earlier tables"
)
NOTES: dict[Any, str] = {
    ("monks-2", "AHERF"): "not explained: the authors' program differs from the slides "
    "in its rotations, which overlap, its linear kernel and its single pilot split",
    **{
        (name, method): FIXED_SPLIT
        for name in ("hayes-roth", "monks-1", "monks-2", "monks-3")
        for method in ("SVM", "k-NN")
    },
    **{(name, "ELM"): UNTOLD for name in (*SMALL, *LARGE)},
}
TWO_REPEATS = (
    f"There are two repetitions, fewer than {MIN_REPEATS}: whatever is further away "
    "than the tolerance is undecided, and no cell can differ."
)
ABSENT = {"soybean-small": "the set of 47 rows is not among the reproduction data"}


CLAIM_RULE = (
    f"The claims are on the mean difference of accuracies over the data sets: a claim "
    f"fails if its 95 % interval lies below {MARGIN:g} points."
)
TOO_FEW = "Two data sets are too few for a claim."


def _make_part(kind: str, sets: tuple[str, ...]) -> published.Part:
    """Return a part: printed columns or peers, small sets or large ones."""
    large = sets == LARGE
    ends = {"table": "", "peers": ": peers"}
    name = NAME + ends[kind] + (": large sets" if large else "")
    rows = (
        "two sets of about 5,000 samples" if large else "the sets of up to 768 samples"
    )
    protocol = "twice five-fold" if large else "twice ten-fold"
    make_plan = partial(_make_plan, name)
    absent = {} if large else ABSENT
    said = TOO_FEW if large else CLAIM_RULE
    if kind == "table":
        others = (*make_families(), "HERF")
        return published.Part(
            name,
            f"The columns of the slides but for BP on {rows}, {protocol} "
            "cross-validation; categories as numbers, samples with missing values left "
            "out",
            partial(make_plan, {**make_families(), **make_forests()}, sets),
            TOLERANCE,
            TABLE,
            {place: why for place, why in NOTES.items() if place[0] in sets},
            absent,
            rule=f"{describe_rule(TOLERANCE)} {TWO_REPEATS} {said}",
            claims=None if large else partial(claim_lead, others),
        )
    # Folds that the first kind of part has run are read from the store.
    models = {**make_forests(), **make_peers()}
    return published.Part(
        name,
        f"AHERF and methods that are not in the slides on {rows}, {protocol} "
        "cross-validation",
        partial(make_plan, models, sets),
        OBSERVED,
        judge=observe_peers,
        absent=absent,
        reference="peer",
        rule=f"No number of this part was printed, so that no cell is counted. {said}",
        claims=None if large else partial(claim_lead, tuple(make_peers())),
    )


REPRODUCTION = published.Reproduction.of(
    DESCRIPTION,
    tuple(
        _make_part(kind, sets) for kind in ("table", "peers") for sets in (SMALL, LARGE)
    ),
)
