"""Our forests against scikit-learn's: the same folds, the same preparation."""

from functools import partial
from typing import Any

import numpy as np
import sklearn.ensemble as theirs

from manyminds import ensemble as ours
from manyminds.datasets import Dataset
from manyminds.experiments.plan import Plan
from manyminds.experiments.preparation import prepared
from manyminds.experiments.splits import CrossValidation
from manyminds.reproductions import published
from manyminds.reproductions.forests_against_scikit_learn import DESCRIPTION
from manyminds.reproductions.forests_against_scikit_learn.judging import (
    GOALS,
    METRICS,
    PEER,
    WORDS,
    claim_equality,
    judge_against_peer,
    shuffle_peers,
)
from manyminds.reproductions.judging.cells import (
    STANDARD_ERRORS,
)

NAME = DESCRIPTION.name
MAX_ROWS = 8000  # of larger sets, this many rows are drawn
FORESTS = ("RandomForest", "ExtraTrees")
KINDS = {"classification": "Classifier", "regression": "Regressor"}
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
# Sets with categories or missing values, which our forests also take as they are.
RAW_SETS = {
    "classification": ("hepatitis", "soybean", "credit-a", "vowel", "credit-g"),
    "regression": ("auto-mpg", "pbc", "housing", "abalone"),
}
QUICK = ("iris", "wine", "hepatitis", "glass", "auto-mpg", "housing")


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
