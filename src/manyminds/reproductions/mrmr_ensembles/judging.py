"""Counts of passes, and how stable ensembles are."""

from collections.abc import Mapping
from dataclasses import replace

from manyminds.analysis import paired_ttest
from manyminds.experiments.plan import Plan
from manyminds.experiments.record import Record
from manyminds.reproductions.judging.cells import DIFFERS, Cell, judge_difference
from manyminds.reproductions.judging.claims import Claim
from manyminds.reproductions.judging.effects import Folds, gather_folds
from manyminds.reproductions.judging.observations import OBSERVATION, observe
from manyminds.reproductions.judging.verdicts import (
    Verdicts,
    find_reason,
    judge_cells,
    judge_pairs,
    make_empty_cell,
    summarize_cells,
)
from manyminds.reproductions.mrmr_ensembles.protocol import name_size
from manyminds.reproductions.published import Part, Place, PublishedValue, RecordedPart

NAMES = {"Plain": "single searches", "Bagged": "bagging"}
MARGIN = 0.02  # smallest difference of Jaccard indices that matters


def judge_exactly(recorded: RecordedPart) -> Verdicts:
    """Judge counts that are not random: beyond the tolerance they differ."""
    cells = [
        cell if cell.difference is None else _judge_exactly(recorded.part, cell)
        for cell in judge_cells(recorded)
    ]
    return summarize_cells(recorded, cells)


def _judge_exactly(part: Part, cell: Cell) -> Cell:
    verdict = judge_difference(cell.difference or 0.0, part.tolerance, 0.0)
    place = cell.dataset, cell.method
    why = find_reason(part, place) if verdict == DIFFERS else ""
    return replace(cell, verdict=verdict, why=why, margin=0.0)


def judge_stability(
    claims: Mapping[str, tuple[str, str, int]], plan: Plan, records: list[Record]
) -> list[Claim]:
    """Judge over data sets whether one way to select is more stable than another.

    Parameters
    ----------
    claims : mapping of str to (first, second, size)
        Methods and a number of features, by what the tables call the claim.
    plan : Plan
    records : list of Record

    Returns
    -------
    judged : list of Claim
    """
    judged = []
    for first, second, size in claims.values():
        text = f"{first} ensembles are more stable than {NAMES[second]}, k={size}"
        pairs = {text: (first, second)}
        metric = name_size(size)
        for claim in judge_pairs(
            plan, records, metric, pairs, unit="of Jaccard", margin=MARGIN
        ):
            better = sum(effect > 0.0 for effect in claim.effects)
            remark = f"positive on {better} of {claim.n} data sets"
            judged.append(replace(claim, remark=remark))
    return judged


def show_stability(
    claims: Mapping[str, tuple[str, str, int]],
    printed: Mapping[Place, PublishedValue],
    recorded: RecordedPart,
) -> Verdicts:
    """Show two ways to select on each data set; nothing is counted.

    Parameters
    ----------
    claims : mapping of str to (first, second, size)
        See `judge_stability`.
    printed : mapping of (dataset, claim) to PublishedValue
        P-values of a test that the paper does not name.
    recorded : RecordedPart

    Returns
    -------
    verdicts : Verdicts
    """
    cells = []
    for name, (first, second, size) in claims.items():
        folds = gather_folds(recorded.plan, recorded.records, name_size(size))
        for source in recorded.plan.datasets:
            place = source.name, name
            pair = (source.name, first), (source.name, second)
            known = printed.get(place)
            if any(one not in folds for one in pair):
                cell = make_empty_cell(recorded, place)
                cells.append(replace(cell, apart=OBSERVATION))
            else:
                cells.append(_show_pair(place, folds, pair, known))
    return summarize_cells(recorded, cells)


def _show_pair(
    place: Place,
    folds: Folds,
    pair: tuple[Place, Place],
    printed: PublishedValue | None,
) -> Cell:
    mine, other = (folds[one] for one in pair)
    why = ""
    if len(mine) > 1:
        why = f"paired t-test over runs p = {paired_ttest(mine, other).p_value:.2g}"
    if printed is not None:
        why += f"; printed p = {printed.mean:.2g}"
    return observe(place, mine, other, why)
