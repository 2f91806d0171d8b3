"""Our forests against scikit-learn's: the same folds, the same preparation."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import sklearn.ensemble as theirs
from scipy.stats import wilcoxon

from manyminds import ensemble as ours
from manyminds.datasets import Dataset
from manyminds.experiments.plan import Plan
from manyminds.experiments.preparation import prepared
from manyminds.experiments.record import Record
from manyminds.experiments.splits import CrossValidation
from manyminds.reproductions import published
from manyminds.reproductions.forests_against_scikit_learn import DESCRIPTION
from manyminds.reproductions.judging.cells import (
    STANDARD_ERRORS,
    Cell,
    estimate_margin,
    judge_difference,
)
from manyminds.reproductions.judging.claims import Claim, judge_claim
from manyminds.reproductions.judging.verdicts import (
    Measured,
    Verdicts,
    compare,
    list_differences,
    make_empty_cell,
    measure_cells,
    summarize_cells,
)

NAME = DESCRIPTION.name
MAX_ROWS = 8000  # of larger sets, this many rows are drawn
FORESTS = ("RandomForest", "ExtraTrees")
PEER = "scikit-learn"
KINDS = {"classification": "Classifier", "regression": "Regressor"}
METRICS = {"classification": "accuracy", "regression": "rmse"}
WORDS = {"classification": "accuracy", "regression": "RMSE"}
SCALES = {"classification": 100.0, "regression": 1.0}
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


def _load(find: published.Find, name: str) -> Dataset:
    data = find(name)
    if data.n_samples <= MAX_ROWS:
        return data
    draw = np.random.default_rng(0).permutation(data.n_samples)[:MAX_ROWS]
    return data.take(np.sort(draw))


def _make_plan(
    task: str, raw: bool, name: str, find: published.Find, quick: bool
) -> Plan:
    models: dict[str, Any] = {}
    for forest in FORESTS:
        mine, peer = (getattr(room, forest + KINDS[task]) for room in (ours, theirs))
        label = f"{forest}, raw" if raw else forest
        models[label] = mine() if raw else prepared(mine())
        models[f"{PEER} {forest}"] = prepared(peer())
    sets = (RAW_SETS if raw else SETS)[task]
    chosen = [one for one in sets if not quick or one in QUICK]
    return Plan(
        published.name_plan(name, quick),
        published.list_sources(chosen, _load, find),
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
        name: "the two see different tables: splits on sets of categories, and missing "
        "values that take a side, are not splits on single columns of 0 and 1"
        for name in RAW_SETS[task]
    }


def _describe_rule(task: str) -> str:
    goal = GOALS[task]
    shuffled = (
        "The null control shuffles scikit-learn's means among the data sets."
        if task == "classification"
        else "The null control shuffles scikit-learn's errors among the data sets, "
        "whose targets have units of their own: it is easily passed."
    )
    return (
        f"A data set *agrees* if ours is within {goal} of scikit-learn's on the same "
        "folds. It is *within random variation* if it is further away, but at most "
        f"{goal.name(goal.cap)} and at most {STANDARD_ERRORS:g} standard errors of the "
        "mean of the paired differences of the five repetitions; it *differs*, and we "
        "have failed there, beyond those standard errors, and is *undecided* if they "
        f"exceed {goal.name(goal.cap)}. {shuffled} That both are equally accurate is "
        f"judged by the claims: the mean difference over the data sets, with its 95 % "
        f"interval, must lie within {goal}; the claim fails if the interval lies "
        "outside."
    )


def _make_part(task: str, raw: bool) -> published.Part:
    name = f"{NAME}: {task}" + (" on raw tables" if raw else "")
    title = (
        "Our forests on tables with categories and missing values as they are, against "
        "scikit-learn's on the prepared tables"
        if raw
        else "The same prepared tables for both: the median for missing numbers, a "
        "column of 0 and 1 for each category"
    )
    title = f"{task.capitalize()}, {WORDS[task]}. {title}"
    return published.Part(
        name,
        title,
        partial(_make_plan, task, raw, name),
        GOALS[task],
        judge=partial(judge_against_peer, task),
        notes=_note_raw_tables(task) if raw else _note_bins(task),
        reference=PEER,
        rule=_describe_rule(task),
        claims=partial(claim_equality, task),
        control=shuffle_peers if task == "regression" else None,
    )


REPRODUCTION = published.Reproduction.of(
    DESCRIPTION, tuple(_make_part(task, raw) for raw in (False, True) for task in SETS)
)
