"""Orderings of features and of variants of a code, over draws of made-up faces."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from manyminds.experiments.plan import Plan
from manyminds.experiments.record import Record
from manyminds.reproductions.judging.cells import UNDECIDED, Cell
from manyminds.reproductions.judging.claims import (
    CANNOT_TELL,
    HOLDS,
    Claim,
    judge_claim,
)
from manyminds.reproductions.judging.effects import gather_folds
from manyminds.reproductions.judging.verdicts import (
    Verdicts,
    make_empty_cell,
    summarize_cells,
)
from manyminds.reproductions.published import (
    Place,
    PublishedValue,
    RecordedPart,
    read_published_cells,
)
from manyminds.reproductions.weighted_output_codes.protocol import NO_SIGNAL

MARGIN = 0.5  # points of error, or of the area
SHARE = 40.0  # percent of the error that sigmoids remove; printed 45 and 49
MADE_UP = "the faces are made up: how hard the labels are is ours, not the paper's"
Value = tuple[str, str]  # features, name of a measured value
# What should be larger, what should be smaller.
ORDERINGS: dict[str, tuple[Value, Value]] = {
    "Filtered patterns have a lower error than principal components": (
        ("PCA", "error both"),
        ("LBP", "error both"),
    ),
    "Filtered patterns have a larger area under the curve than principal components": (
        ("LBP", "AUC both"),
        ("PCA", "AUC both"),
    ),
    "Bootstrap and weights lower the error, filtered patterns": (
        ("LBP", "error neither"),
        ("LBP", "error both"),
    ),
    "Bootstrap and weights raise the area, filtered patterns": (
        ("LBP", "AUC both"),
        ("LBP", "AUC neither"),
    ),
    "Bootstrap alone lowers the error, filtered patterns": (
        ("LBP", "error neither"),
        ("LBP", "error bootstrap"),
    ),
    "Weights alone raise the area, filtered patterns": (
        ("LBP", "AUC CSEP"),
        ("LBP", "AUC neither"),
    ),
    "Sigmoids lower the error, filtered patterns": (
        ("LBP", "error without sigmoids both"),
        ("LBP", "error both"),
    ),
    "Sigmoids lower the error, principal components": (
        ("PCA", "error without sigmoids both"),
        ("PCA", "error both"),
    ),
}
EQUALITIES: dict[str, tuple[Value, Value]] = {
    "Bootstrap and weights leave the error as it is, principal components": (
        ("PCA", "error neither"),
        ("PCA", "error both"),
    ),
}


def claim_orderings(plan: Plan, records: Iterable[Record]) -> list[Claim]:
    """Judge what the paper says of its tables; each draw of faces is a unit.

    Parameters
    ----------
    plan : Plan
    records : iterable of Record

    Returns
    -------
    claims : list of Claim
        Their remarks have the null control, the mean effect on faces without signal.
    """
    records, claims = list(records), []
    for pairs, equal in ((ORDERINGS, False), (EQUALITIES, True)):
        for text, (larger, smaller) in pairs.items():
            effects = {
                name: high - low
                for name, (high, low) in _pair_up(
                    plan, records, larger, smaller
                ).items()
            }
            claims += _judge(text, effects, "points", MARGIN, equal)
    for kind in ("LBP", "PCA"):
        pair = (kind, "error without sigmoids both"), (kind, "error both")
        effects = {
            name: 100.0 * (1.0 - after / before) - SHARE
            for name, (before, after) in _pair_up(plan, records, *pair).items()
        }
        text = f"Sigmoids remove more than {SHARE:g} % of the error, {_name(kind)}"
        claims += _judge(text, effects, f"% above {SHARE:g} %", 0.0, False)
    return claims


def _name(kind: str) -> str:
    return "filtered patterns" if kind == "LBP" else "principal components"


def _judge(
    text: str, effects: Mapping[str, float], unit: str, margin: float, equal: bool
) -> list[Claim]:
    """Judge one claim on faces with signal; those without are its null control."""
    real = [e for name, e in effects.items() if not name.startswith(NO_SIGNAL)]
    null = [e for name, e in effects.items() if name.startswith(NO_SIGNAL)]
    if not real:
        return []
    claim = judge_claim(text, real, unit=unit, margin=margin, equal=equal)
    remark = f"positive in {sum(e > 0.0 for e in real)} of {len(real)} draws"
    if null:
        remark += f"; without signal {np.mean(null):+.2f}"
    verdict, effect = claim.verdict, float(np.mean(real))
    if null and not equal and verdict == HOLDS and np.mean(null) >= effect:
        verdict, remark = CANNOT_TELL, f"{remark}, which is not less"
    return [replace(claim, verdict=verdict, remark=remark)]


def _pair_up(
    plan: Plan, records: list[Record], first: Value, second: Value
) -> dict[str, tuple[float, float]]:
    """Return two measured values of each draw that has both."""
    a, b = (gather_folds(plan, records, metric) for _, metric in (first, second))
    return {
        source.name: (
            float(a[source.name, first[0]].mean()),
            float(b[source.name, second[0]].mean()),
        )
        for source in plan.datasets
        if (source.name, first[0]) in a and (source.name, second[0]) in b
    }


def show_tables(recorded: RecordedPart) -> Verdicts:
    """Show the printed values beside means over draws; nothing is counted."""
    printed = read_published_cells(__package__, "action_units")
    cells = [_show(recorded, place, value) for place, value in printed.items()]
    return summarize_cells(recorded, cells)


def _show(recorded: RecordedPart, place: Place, printed: PublishedValue) -> Cell:
    variant, column = place
    what, kind = column.rsplit(" ", 1)
    folds = gather_folds(recorded.plan, recorded.records, f"{what} {variant}")
    found = [
        float(values.mean())
        for (name, method), values in folds.items()
        if method == kind and not name.startswith(NO_SIGNAL)
    ]
    if not found:
        return replace(make_empty_cell(recorded, place, "", printed), apart=MADE_UP)
    std = float(np.std(found, ddof=1)) if len(found) > 1 else None
    mean = float(np.mean(found))
    return Cell(
        *place,
        UNDECIDED,
        "",
        printed.mean,
        None,
        mean,
        std,
        len(found),
        mean - printed.mean,
        apart=MADE_UP,
    )
