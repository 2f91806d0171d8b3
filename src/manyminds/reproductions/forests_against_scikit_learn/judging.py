"""How our forests compare with their peers: verdicts, claims, control."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from scipy.stats import wilcoxon

from manyminds.experiments.plan import Plan
from manyminds.experiments.record import Record
from manyminds.reproductions import published
from manyminds.reproductions.judging.cells import (
    Cell,
    estimate_margin,
    judge_difference,
)
from manyminds.reproductions.judging.claims import Claim, judge_claim
from manyminds.reproductions.judging.measurements import (
    Measured,
    list_differences,
    measure_cells,
)
from manyminds.reproductions.judging.verdicts import (
    Verdicts,
    compare,
    make_empty_cell,
    summarize_cells,
)

PEER = "scikit-learn"
METRICS = {"classification": "accuracy", "regression": "rmse"}
WORDS = {"classification": "accuracy", "regression": "RMSE"}
SCALES = {"classification": 100.0, "regression": 1.0}
GOALS = {
    "classification": published.Tolerance(
        0.3, "our goal for the mean over the data sets, in points of accuracy"
    ),
    "regression": published.Tolerance(
        1.0, "our goal for the mean over the data sets, in percent of the RMSE", "%"
    ),
}


def judge_against_peer(task: str, recorded: published.RecordedPart) -> Verdicts:
    """Compare our forests with their peers on the same folds, data set by data set.

    Parameters
    ----------
    task : {"classification", "regression"}
        Decides whether a difference is one of points or of percent.
    recorded : RecordedPart

    Returns
    -------
    verdicts : Verdicts
    """
    found = measure_cells(recorded.plan, recorded.records, METRICS[task], SCALES[task])
    cells = [
        _judge_pair(task, recorded, (dataset, method), found)
        for dataset, method in found
        if not method.startswith(PEER)
    ]
    methods = list(dict.fromkeys(cell.method for cell in cells))
    remarks = {method: _test_column(method, cells) for method in methods}
    return summarize_cells(recorded, cells, remarks)


def claim_equality(task: str, plan: Plan, records: Iterable[Record]) -> list[Claim]:
    """Judge our claim that our forests are as accurate as scikit-learn's.

    Parameters
    ----------
    task : {"classification", "regression"}
    plan : Plan
        Full or quick.
    records : iterable of Record

    Returns
    -------
    claims : list of Claim
        One for each of our forests that was run; its effects are those of the data
        sets, positive where ours has the higher accuracy or the higher RMSE.
    """
    found, goal = measure_cells(plan, records, METRICS[task], SCALES[task]), GOALS[task]
    claims = []
    for method in [one.name for one in plan.methods if not one.name.startswith(PEER)]:
        effects = list_differences(
            plan, found, method, name_peer(method), partial(_difference, task)
        )
        if effects:
            text = (
                f"{method.replace(', raw', ' on raw tables')} has the same "
                f"{WORDS[task]} as scikit-learn's"
            )
            claims.append(
                judge_claim(
                    text,
                    effects.values(),
                    unit=goal.unit,
                    margin=goal.points,
                    equal=True,
                )
            )
    return claims


def shuffle_peers(
    part: published.Part, cells: Sequence[Cell], rng: np.random.Generator
) -> list[str]:
    """Return the verdicts with the RMSE of a peer that of another data set."""
    peers = {
        method: np.array([c.reference for c in cells if c.method == method], float)
        for method in {cell.method for cell in cells}
    }
    drawn = {method: list(rng.permutation(peers[method])) for method in sorted(peers)}
    return [
        judge_difference(
            _difference("regression", cell.mean, drawn[cell.method].pop()),
            part.tolerance,
            cell.margin,
        )
        for cell in cells
    ]


def name_peer(method: str) -> str:
    """Return the name of scikit-learn's forest of the same kind."""
    return f"{PEER} {method.split(',')[0]}"


def _judge_pair(
    task: str,
    recorded: published.RecordedPart,
    place: published.Place,
    found: Mapping[published.Place, Measured | str],
) -> Cell:
    dataset, method = place
    mine, peer = found[place], found[dataset, name_peer(method)]
    if isinstance(mine, str):
        return make_empty_cell(recorded, place, mine)
    if isinstance(peer, str):
        return make_empty_cell(recorded, place, peer)
    difference = _difference(task, mine.mean, peer.mean)
    margin = estimate_margin(_difference(task, mine.repeats, peer.repeats), 1)
    return compare(recorded.part, place, peer, mine, difference, margin)


def _difference(task: str, mine: Any, peer: Any) -> Any:
    """Points of accuracy above the peer's, or percent above its RMSE."""
    return mine - peer if task == "classification" else 100.0 * (mine / peer - 1.0)


def _test_column(method: str, cells: list[Cell]) -> str:
    mine = [cell.difference for cell in cells if cell.method == method]
    differences = np.array([one for one in mine if one is not None])
    if np.count_nonzero(differences) < 2:
        return "too few differences for a test"
    return f"Wilcoxon's signed-rank p = {wilcoxon(differences).pvalue:.3f}"
