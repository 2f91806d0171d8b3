"""Which method wins, data set by data set."""

from collections.abc import Mapping

from manyminds.experiments.plan import Plan
from manyminds.experiments.record import Record
from manyminds.reproductions.judging.cells import Cell
from manyminds.reproductions.judging.claims import Claim, judge_claim
from manyminds.reproductions.judging.effects import Folds, gather_folds
from manyminds.reproductions.judging.observations import (
    observe,
    observe_nothing,
)
from manyminds.reproductions.judging.verdicts import (
    Verdicts,
    summarize_cells,
)
from manyminds.reproductions.published import RecordedPart
from manyminds.reproductions.random_projection_boosting.protocol import (
    OTHER_READINGS,
    PROJECTED,
)

UNIT, MARGIN = "points", 0.5  # of accuracy
Claims = Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]


def judge_winners(
    claims: Claims, overall: str, test_share: float, plan: Plan, records: list[Record]
) -> list[Claim]:
    """Judge whether the methods that the paper calls better are better.

    On a data set, the winner with the lowest mean is compared with the best of the
    others, which is the hardest pair for the claim.

    Parameters
    ----------
    claims : mapping of str to (winners, others)
        For each data set, methods each of which is said to beat all of the others.
    overall : str
        The claim over all data sets.
    test_share : float
        Share of the samples that a fold tests on; 0 if samples are independent.
    plan : Plan
    records : list of Record

    Returns
    -------
    judged : list of Claim
        Those of single data sets, then the one over all of them.
    """
    folds = gather_folds(plan, records, "accuracy", 100.0)
    judged, means = [], []
    chosen = [one for one in plan.datasets if one.name not in OTHER_READINGS]
    for source in chosen:
        winners, others = claims[source.name]
        pair = _find_hardest_pair(folds, source.name, winners, others)
        if pair is None:
            continue
        differences = folds[source.name, pair[0]] - folds[source.name, pair[1]]
        means.append(float(differences.mean()))
        judged.append(
            judge_claim(
                f"On {source.name} {_name_methods(winners, 'each of')} beats "
                f"{_name_methods(others, 'both')}",
                differences,
                unit=UNIT,
                margin=MARGIN,
                remark=f"{pair[0]}, the weakest, less {pair[1]}, the best of the "
                "others",
                test_share=test_share,
            )
        )
    if means:
        judged.append(judge_claim(overall, means, unit=UNIT, margin=MARGIN))
    return judged


def show_winners(
    claims: Claims,
    recorded: RecordedPart,
) -> Verdicts:
    """Show each winner and the best of the others; nothing is counted.

    Parameters
    ----------
    claims : mapping of str to (winners, others)
        See `judge_winners`.
    recorded : RecordedPart

    Returns
    -------
    verdicts : Verdicts
    """
    folds = gather_folds(recorded.plan, recorded.records, "accuracy", 100.0)
    cells = [
        _show_winner(recorded, (source.name, winner), claims, folds)
        for source in recorded.plan.datasets
        for winner in claims[source.name][0]
    ]
    return summarize_cells(recorded, cells)


def _name_methods(methods: tuple[str, ...], word: str) -> str:
    """Return a few methods by name, many by what they have in common."""
    if methods == PROJECTED:
        return "each of the nine projections"
    if len(methods) > 2:
        return "every other method"
    return methods[0] if len(methods) == 1 else f"{word} {' and '.join(methods)}"


def _find_hardest_pair(
    folds: Folds, dataset: str, winners: tuple[str, ...], others: tuple[str, ...]
) -> tuple[str, str] | None:
    """Return the weakest winner and the best of the others; None if one lacks."""
    if any((dataset, method) not in folds for method in (*winners, *others)):
        return None
    means = {one: float(folds[dataset, one].mean()) for one in (*winners, *others)}
    return min(winners, key=means.__getitem__), max(others, key=means.__getitem__)


def _show_winner(
    recorded: RecordedPart,
    place: tuple[str, str],
    claims: Claims,
    folds: Folds,
) -> Cell:
    dataset, winner = place
    pair = _find_hardest_pair(folds, dataset, (winner,), claims[dataset][1])
    if pair is None:
        return observe_nothing(recorded, place)
    best = pair[1]
    return observe(place, folds[place], folds[dataset, best], f"best: {best}")
