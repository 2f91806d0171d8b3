"""What filters lose, and which cells count."""

import numpy as np

from manyminds.analysis import corrected_resampled_ttest
from manyminds.experiments.plan import Plan
from manyminds.experiments.record import Record
from manyminds.reproductions.judging.cells import Cell
from manyminds.reproductions.judging.claims import Claim
from manyminds.reproductions.judging.effects import (
    Folds,
    gather_folds,
    judge_losses,
    pair_up,
)
from manyminds.reproductions.judging.observations import observe, observe_nothing
from manyminds.reproductions.judging.verdicts import (
    Verdicts,
    summarize_cells,
)
from manyminds.reproductions.published import RecordedPart

ALL = "all features"
TEST_SHARE = 0.1
MAX_LOSS = 2.0  # points of error that a filter may cost
LEARNERS = {"naive_bayes": "Naive Bayes", "tree": "A tree", "bagging": "Bagging"}


def find_other_reading(cell: Cell) -> str:
    """Return why drawn samples, and correlations, are not counted."""
    is_other = cell.dataset == "lucas-drawn" or cell.method == "CFS, correlations"
    return "another reading of a printed number that is counted" if is_other else ""


def judge_loss(metric: str, plan: Plan, records: list[Record]) -> list[Claim]:
    """Judge whether filters cost little: their error less that of all features.

    Parameters
    ----------
    metric : str
        Name of the learner.
    plan : Plan
    records : list of Record

    Returns
    -------
    claims : list of Claim
        The effect is what is left of the largest loss that is allowed.
    """
    folds = gather_folds(plan, records, metric, 100.0)
    claims = []
    for method in _list_filters(plan):
        losses = {
            name: float(np.mean(mine - every))
            for name, (mine, every) in pair_up(folds, method, ALL).items()
        }
        if losses:
            text = (
                f"{LEARNERS[metric]} with {method} loses at most {MAX_LOSS:g} points "
                "of error"
            )
            claims.append(judge_losses(text, losses, MAX_LOSS))
    return claims


def show_loss(
    metric: str,
    recorded: RecordedPart,
) -> Verdicts:
    """Show the errors with a filter and with all features; nothing is counted.

    Parameters
    ----------
    metric : str
        Name of the learner.
    recorded : RecordedPart

    Returns
    -------
    verdicts : Verdicts
    """
    folds = gather_folds(recorded.plan, recorded.records, metric, 100.0)
    kept = gather_folds(recorded.plan, recorded.records, "n_selected")
    cells = [
        _show_filter(recorded, (source.name, method), folds, kept)
        for source in recorded.plan.datasets
        for method in _list_filters(recorded.plan)
    ]
    return summarize_cells(recorded, cells)


def _list_filters(plan: Plan) -> list[str]:
    return [method.name for method in plan.methods if method.name != ALL]


def _show_filter(
    recorded: RecordedPart,
    place: tuple[str, str],
    folds: Folds,
    kept: Folds,
) -> Cell:
    """Return the error with and without a filter, with features kept and a test."""
    every = (place[0], ALL)
    if place not in folds or every not in folds:
        return observe_nothing(recorded, place)
    mine, other = folds[place], folds[every]
    test = corrected_resampled_ttest(mine, other, test_share=TEST_SHARE)
    said = f"{kept[place].mean():.1f} features kept; corrected t-test p = "
    why = f"{said}{test.p_value:.3f}"
    if mine.mean() - other.mean() > MAX_LOSS and place[0] in recorded.part.notes:
        why += f"; {recorded.part.notes[place[0]]}"
    return observe(place, mine, other, why)
