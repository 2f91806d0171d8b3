"""What the paper says about its tables, judged on our draws."""

from collections.abc import Mapping

import numpy as np

from manyminds.experiments.plan import Plan
from manyminds.experiments.record import Record
from manyminds.reproductions.ensemble_markov_blankets.protocol import MAX_SIZE
from manyminds.reproductions.judging.cells import Cell
from manyminds.reproductions.judging.claims import Claim, judge_claim
from manyminds.reproductions.judging.effects import Folds, gather_folds
from manyminds.reproductions.judging.observations import observe
from manyminds.reproductions.judging.verdicts import (
    Verdicts,
    make_empty_cell,
    summarize_cells,
)
from manyminds.reproductions.published import RecordedPart

ACES = "ACE", "ACE, prediction"  # by the t-test of the paper, and by ours
MARGIN = 0.05  # smallest difference of d that matters
EMPTY = 0.9  # share of draws of an irrelevant target that is to select nothing
REMARK = "effects of targets and draws, each on rows of its own"


def judge_continuous(plan: Plan, records: list[Record]) -> list[Claim]:
    """Judge which selector is closer to the blanket, and what products do to all."""
    folds = gather_folds(plan, records, "d")
    names = [source.name for source in plan.datasets]
    roots = f"relations of {names[0].partition(',')[0]} roots"
    claims = []
    for relation in ("linear", "product"):
        some = [name for name in names if f", {relation}, " in name]
        for ace in ACES:
            for other in ("CFSBestFirst", "CFSGene", "MMPC"):
                text = (
                    f"{ace} is closer to the blanket than {other}, {relation} {roots}"
                )
                claims += _compare(text, folds, some, ace, other)
        if relation == "linear" and names[0].startswith("non"):
            text = f"CFSBestFirst is closer to the blanket than MMPC, linear {roots}"
            claims += _compare(text, folds, some, "CFSBestFirst", "MMPC")
    for method in plan.methods:
        effects = [
            folds[name, method.name] - folds[linear, method.name]
            for name in names
            for linear in [name.replace("product", "linear")]
            if name != linear
            and (name, method.name) in folds
            and (linear, method.name) in folds
        ]
        text = f"Products are harder than sums for {method.name}, {roots}"
        claims += _judge(text, effects)
    return claims


def judge_printer(plan: Plan, records: list[Record]) -> list[Claim]:
    """Judge which selector is closer to the blanket on the printer network."""
    folds = gather_folds(plan, records, "d")
    names = [source.name for source in plan.datasets]
    claims = []
    text = "CFSBestFirst is closer to the blanket than MMPC, printer network"
    claims += _compare(text, folds, names, "CFSBestFirst", "MMPC")
    for ace in ACES:
        for other in ("CFSBestFirst", "CFSGene", "FCBF", "MMPC"):
            text = f"{ace} is closer to the blanket than {other}, printer network"
            claims += _compare(text, folds, names, ace, other)
        text = (
            f"SVM-RFE that is told the size of the blanket is closer to it than {ace}"
        )
        claims += _compare(text, folds, names, "SVM(MB)", ace)
        text = f"{ace} is closer to the blanket than SVM-RFE that is told its size"
        claims += _judge(text, _compare_by_size(records, ace))
    return claims


def judge_null(plan: Plan, records: list[Record]) -> list[Claim]:
    """Judge whether nothing is selected where nothing is relevant."""
    claims = []
    for (name, method), sizes in gather_folds(plan, records, "n_selected").items():
        n_empty = int(np.sum(sizes == 0))
        claims.append(
            judge_claim(
                f"{method} selects nothing of irrelevant columns in more than "
                f"{EMPTY:.0%} of draws, target of {name}",
                (sizes == 0) - EMPTY,
                unit="of the share of draws",
                margin=MARGIN,
                remark=f"nothing in {n_empty} of {len(sizes)} draws, "
                f"{sizes.mean():.2f} features on average",
            )
        )
    return claims


def show_null(recorded: RecordedPart) -> Verdicts:
    """Show how many of 20 irrelevant columns are selected; nothing is counted."""
    folds = gather_folds(recorded.plan, recorded.records, "n_selected")
    cells: list[Cell] = []
    for source in recorded.plan.datasets:
        for method in recorded.plan.methods:
            place = source.name, method.name
            if place in folds:
                sizes = folds[place]
                why = f"nothing in {np.sum(sizes == 0)} of {len(sizes)} draws"
                cells.append(observe(place, sizes, np.zeros(len(sizes)), why))
            else:
                cells.append(make_empty_cell(recorded, place))
    return summarize_cells(recorded, cells)


def _compare(
    text: str, folds: Folds, names: list[str], first: str, second: str
) -> list[Claim]:
    """Judge whether the first method has the lower d."""
    effects = [
        folds[name, second] - folds[name, first]
        for name in names
        if (name, first) in folds and (name, second) in folds
    ]
    return _judge(text, effects)


def _compare_by_size(records: list[Record], ace: str) -> list[np.ndarray]:
    """Return d of as many features of SVM-RFE as ACE selects, less that of ACE."""
    ranked = _take(records, "SVM(MB)")
    effects = []
    for place, values in _take(records, ace).items():
        size = min(int(values["n_selected"]), MAX_SIZE)
        if place in ranked:
            effects.append(np.array([ranked[place][f"d of {size}"] - values["d"]]))
    return effects


def _take(records: list[Record], method: str) -> dict[tuple[str, int], Mapping]:
    """Return the values of a method by data set and draw."""
    return {
        (record.dataset, record.repeat): record.values
        for record in records
        if record.method == method and not record.failed
    }


def _judge(text: str, effects: list[np.ndarray]) -> list[Claim]:
    if not effects:
        return []
    every = np.concatenate(effects)
    return [judge_claim(text, every, unit="of d", margin=MARGIN, remark=REMARK)]
