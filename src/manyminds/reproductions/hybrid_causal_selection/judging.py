"""Which counts are evidence; blankets; hybrids compared with the pure algorithms."""

import numpy as np

from manyminds.experiments.plan import Plan
from manyminds.experiments.record import Record
from manyminds.reproductions.judging.cells import Cell
from manyminds.reproductions.judging.claims import Claim, judge_claim
from manyminds.reproductions.judging.effects import gather_folds, pair_up
from manyminds.reproductions.judging.observations import observe, observe_nothing
from manyminds.reproductions.judging.verdicts import Verdicts, summarize_cells
from manyminds.reproductions.published import RecordedPart

ALL = "all features"
PURE = {"H-PC": "PC", "H-TPDA": "TPDA", "H-GS": "GS", "H-IAMB": "IAMB"}
MARGIN = 0.5  # points of error that matter
MAX_MISSES = 1.0
BLANKETS = ("GS", "IAMB", "inter-IAMB", "MMMB", "HITON-MB")


def find_other_reading(cell: Cell) -> str:
    """Return why rows that our generator drew are not counted."""
    if cell.dataset == "lucas-drawn":
        return "another reading of a printed number that is counted"
    return ""


def show_misses(recorded: RecordedPart) -> Verdicts:
    """Show right and false members of blankets; nothing is counted.

    Parameters
    ----------
    recorded : RecordedPart

    Returns
    -------
    verdicts : Verdicts
    """
    right = gather_folds(recorded.plan, recorded.records, "n_right")
    false = gather_folds(recorded.plan, recorded.records, "n_false")
    cells = []
    for source in recorded.plan.datasets:
        for method in recorded.plan.methods:
            place = source.name, method.name
            if place not in right:
                cells.append(observe_nothing(recorded, place))
                continue
            share = np.mean((right[place] >= 4) & (false[place] == 0))
            why = (
                f"{right[place].mean():.2f} of 5 members right and "
                f"{false[place].mean():.2f} false on average; four or five right and "
                f"none false in {100 * share:.0f} % of the draws"
            )
            cells.append(observe(place, right[place], right[place] * 0 + 5.0, why))
    return summarize_cells(recorded, cells)


def judge_blankets(plan: Plan, records: list[Record]) -> list[Claim]:
    """Judge whether methods miss at most one feature of the blanket on average.

    Parameters
    ----------
    plan : Plan
    records : list of Record

    Returns
    -------
    claims : list of Claim
    """
    folds = gather_folds(plan, records, "misses")
    return [
        judge_claim(
            f"{method} is wrong about at most one feature of the blanket, on average",
            MAX_MISSES - folds["lucas-drawn", method],
            unit="features",
            margin=0.0,
            remark="missing and false members; effects of independent draws",
        )
        for method in BLANKETS
        if ("lucas-drawn", method) in folds
    ]


def show_errors(recorded: RecordedPart) -> Verdicts:
    """Show errors with selected and with all features; nothing is counted.

    Parameters
    ----------
    recorded : RecordedPart

    Returns
    -------
    verdicts : Verdicts
    """
    folds = gather_folds(recorded.plan, recorded.records, "error", 100.0)
    kept = gather_folds(recorded.plan, recorded.records, "n_selected")
    cells = []
    for source in recorded.plan.datasets:
        for method in recorded.plan.methods:
            place, every = (source.name, method.name), (source.name, ALL)
            if method.name == ALL:
                continue
            if place not in folds or every not in folds:
                cells.append(observe_nothing(recorded, place))
                continue
            why = f"{kept[place].mean():.1f} features kept"
            cells.append(observe(place, folds[place], folds[every], why))
    return summarize_cells(recorded, cells)


def judge_hybrids(plan: Plan, records: list[Record]) -> list[Claim]:
    """Judge what the chapter says of accuracy, over data sets.

    Parameters
    ----------
    plan : Plan
    records : list of Record

    Returns
    -------
    claims : list of Claim
    """
    folds = gather_folds(plan, records, "error", 100.0)
    claims = []
    pairs = [(hybrid, pure) for hybrid, pure in PURE.items()]
    pairs += [("FCBF", hybrid) for hybrid in PURE]
    for better, worse in pairs:
        effects = [
            float(np.mean(other - mine))
            for mine, other in pair_up(folds, better, worse).values()
        ]
        if effects:
            claims.append(
                judge_claim(
                    f"{better} has a lower error than {worse}",
                    effects,
                    unit="points of error",
                    margin=MARGIN,
                    remark="bagged trees; figure 2 averages over four learners",
                )
            )
    return claims
