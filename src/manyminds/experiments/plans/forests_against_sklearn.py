"""Our forests against scikit-learn's: the same folds, the same preparation."""

import math
from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import sklearn.ensemble as theirs
from scipy.stats import wilcoxon

from manyminds import ensemble as ours
from manyminds.datasets import Dataset
from manyminds.experiments.judging import (
    STANDARD_ERRORS,
    Cell,
    Measured,
    Verdicts,
    find_reason,
    measure_cells,
    say_verdict,
    sum_up,
    tell_not_run,
)
from manyminds.experiments.plan import DataSource, Plan
from manyminds.experiments.preparation import prepared
from manyminds.experiments.published import Find, Part, Place, Reproduction, Tolerance
from manyminds.experiments.record import Record
from manyminds.experiments.splits import CrossValidation

NAME = "forests-against-scikit-learn"
MOST_ROWS = 8000  # of larger sets, this many rows are drawn
FORESTS = ("RandomForest", "ExtraTrees")
PEER = "scikit-learn"
KINDS = {"classification": "Classifier", "regression": "Regressor"}
METRICS = {"classification": "accuracy", "regression": "rmse"}
SETS = {
    "classification": (
        *("iris", "wine", "hepatitis", "sonar", "glass", "ionosphere", "soybean"),
        *("credit-a", "diabetes", "vehicle", "vowel", "credit-g", "segment"),
        *("spambase", "waveform", "satimage", "letter"),
    ),
    "regression": (
        *("auto-mpg", "pbc", "housing", "winequality-red", "abalone", "bank8FM"),
        *("cpu-act", "kin8nm", "puma8NH", "elevators"),
    ),
}
# Sets with categories or gaps, which our forests also take as they are.
RAW_SETS = {
    "classification": ("hepatitis", "soybean", "credit-a", "vowel", "credit-g"),
    "regression": ("auto-mpg", "pbc", "housing", "abalone"),
}
QUICK = ("iris", "wine", "hepatitis", "glass", "auto-mpg", "housing")
GOALS = {
    "classification": Tolerance(
        0.3, "our goal for the mean over the data sets, in points of accuracy"
    ),
    "regression": Tolerance(
        1.0, "our goal for the mean over the data sets, in per cent of the RMSE", "%"
    ),
}


def judge_against_peer(
    task: str, part: Part, plan: Plan, records: list[Record], missing: Mapping[str, str]
) -> Verdicts:
    """Compare our forests with their peers on the same folds.

    The goal is for the mean over the data sets. A single set *agrees* if it meets the
    goal by itself; it *agrees within chance* if the mean difference of the repetitions
    is within three of its standard errors; otherwise it *differs*.

    Parameters
    ----------
    task : {"classification", "regression"}
        Decides whether a difference is one of points or of per cent.
    part : Part
    plan : Plan
        Full or quick.
    records : list of Record
    missing : mapping of str to str
        Data sets that could not be had, and why.

    Returns
    -------
    verdicts : Verdicts
    """
    scale = 100.0 if task == "classification" else 1.0
    found = measure_cells(plan, records, METRICS[task], scale)
    cells = [
        _judge_pair(task, part, (dataset, method), found, missing)
        for dataset, method in found
        if not method.startswith(PEER)
    ]
    methods = list(dict.fromkeys(cell.method for cell in cells))
    remarks = {method: _test_column(part, plan, method, cells) for method in methods}
    return sum_up(part, plan, cells, remarks)


def _judge_pair(
    task: str,
    part: Part,
    place: Place,
    found: Mapping[Place, Measured | str],
    missing: Mapping[str, str],
) -> Cell:
    dataset, method = place
    mine, peer = found[place], found[dataset, f"{PEER} {method.split(',')[0]}"]
    if isinstance(mine, str):
        return tell_not_run(part, place, mine, missing)
    if isinstance(peer, str):
        return tell_not_run(part, place, peer, missing)
    difference = _difference(task, mine.mean, peer.mean)
    error = _three_errors(_difference(task, mine.repeats, peer.repeats))
    verdict, asks = say_verdict(difference, part.tolerance, error)
    return Cell(
        *place,
        verdict,
        find_reason(part, place) if asks else "",
        peer.mean,
        peer.sd,
        mine.mean,
        mine.sd,
        mine.n,
        difference,
    )


def _difference(task: str, mine: Any, peer: Any) -> Any:
    """Points of accuracy above the peer's, or per cent above its RMSE."""
    return mine - peer if task == "classification" else 100.0 * (mine / peer - 1.0)


def _three_errors(differences: np.ndarray) -> float | None:
    if len(differences) < 2:
        return None
    return (
        STANDARD_ERRORS * float(differences.std(ddof=1)) / math.sqrt(len(differences))
    )


def _test_column(part: Part, plan: Plan, method: str, cells: list[Cell]) -> str:
    """Hold the mean over the data sets to the goal, and test it against chance."""
    mine = [cell.difference for cell in cells if cell.method == method]
    differences = np.array([one for one in mine if one is not None])
    if np.count_nonzero(differences) < 2:
        return "too few differences for a test"
    test = f"Wilcoxon's signed-rank p = {wilcoxon(differences).pvalue:.3f}"
    goal, same_table = part.tolerance, method in FORESTS
    if plan.name != part.name or not same_table:
        return test
    met = "met" if abs(differences.mean()) <= goal.points else "NOT met"
    return f"goal of {goal} in the mean {met}; {test}"


def _load(find: Find, name: str) -> Dataset:
    data = find(name)
    if data.n_samples <= MOST_ROWS:
        return data
    draw = np.random.default_rng(0).permutation(data.n_samples)[:MOST_ROWS]
    return data.take(np.sort(draw))


def _make_plan(task: str, raw: bool, name: str, find: Find, quick: bool) -> Plan:
    models: dict[str, Any] = {}
    for forest in FORESTS:
        mine, peer = (getattr(room, forest + KINDS[task]) for room in (ours, theirs))
        label = f"{forest}, raw" if raw else forest
        models[label] = mine() if raw else prepared(mine())
        models[f"{PEER} {forest}"] = prepared(peer())
    sets = (RAW_SETS if raw else SETS)[task]
    chosen = [one for one in sets if not quick or one in QUICK]
    return Plan(
        f"{name} (quick)" if quick else name,
        [DataSource(one, partial(_load, find, one)) for one in chosen],
        models,
        METRICS[task],
        CrossValidation(2, 1 if quick else 5),
    )


def _note_bins(task: str) -> dict[str, str]:
    many = ("bank8FM", "cpu-act") if task == "regression" else ()
    return {
        name: "columns have thousands of values, which our trees put into 255 bins"
        for name in many
    }


def _note_raw_tables(task: str) -> dict[str, str]:
    return {
        name: "the two see different tables: splits on sets of categories, and gaps "
        "that take a side, are not splits on single columns of 0 and 1"
        for name in RAW_SETS[task]
    }


def _make_part(task: str, raw: bool) -> Part:
    name = f"{NAME}: {task}" + (" on raw tables" if raw else "")
    title = (
        "Our forests on tables with categories and gaps as they are, against "
        "scikit-learn's on the prepared tables"
        if raw
        else "The same prepared tables for both: the median for missing numbers, a "
        "column of 0 and 1 for each category"
    )
    title = f"{task.capitalize()}, {METRICS[task]}. {title}"
    return Part(
        name,
        title,
        partial(_make_plan, task, raw, name),
        GOALS[task],
        judge=partial(judge_against_peer, task),
        notes=_note_raw_tables(task) if raw else _note_bins(task),
        reference=PEER,
    )


REPRODUCTION = Reproduction(
    NAME,
    "Our random forests and extra-trees are as accurate as scikit-learn's",
    "scikit-learn's forests with the same parameters, as a peer",
    "Forests of 100 trees with default parameters, five times two-fold "
    "cross-validation, the same folds for both sides. The verdict is on the mean "
    "difference over the data sets. Of sets with more than "
    f"{MOST_ROWS:,} rows, so many were drawn.",
    tuple(_make_part(task, raw) for raw in (False, True) for task in SETS),
    minutes=8.0,
    quick_minutes=1.0,
)
