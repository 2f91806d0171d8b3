"""The competitors of Forests of Local Trees: forests of ten trees on 36 data sets."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from manyminds.datasets import Dataset
from manyminds.experiments.plan import Plan
from manyminds.experiments.record import Record
from manyminds.experiments.splits import CrossValidation, Splits
from manyminds.reproductions import published
from manyminds.reproductions.forests_of_local_trees_baselines import DESCRIPTION
from manyminds.reproductions.forests_of_local_trees_baselines.protocol import (
    FoldsOf2014,
)
from manyminds.reproductions.judging.claims import Claim, judge_claim
from manyminds.reproductions.judging.effects import Folds, gather_folds, pair_up
from manyminds.reproductions.judging.measurements import (
    Measured,
    measure_cells,
)
from manyminds.reproductions.protocols.tamponi_2015.competitors import (
    ALL_SETS,
    AUDIOLOGY,
    IDENTIFIERS,
    MARGIN,
    NOT_AT_HAND,
    QUICK,
    TABLE,
    TEST_SHARE,
    TOLERANCE,
    WITH_MISSING_NUMBERS,
    drop_identifier,
    load_as_in_thesis,
    make_competitors,
    note_differences,
)
from manyminds.reproductions.protocols.tamponi_2015.preparation import encode

NAME = DESCRIPTION.name

WITH_RARE_CLASSES = (  # of fewer rows than there are folds
    *("anneal-orig", "anneal", "audiology", "autos", "glass", "hypothyroid", "lymph"),
    *("primary-tumor", "soybean", "zoo"),
)


def _load_without_identifier(find: published.Find, name: str) -> Dataset:
    return encode(drop_identifier(find(name)))


def _load_with_missing(find: published.Find, name: str) -> Dataset:
    return encode(find(name))


def _make_plan(
    name: str,
    datasets: tuple[str, ...],
    load: Callable[[published.Find, str], Dataset],
    find: published.Find,
    quick: bool,
    *,
    old_folds: bool = False,
) -> Plan:
    """Return the plan of a part."""
    n_repeats = 1 if quick else 10
    splits: Splits = CrossValidation(10, n_repeats, seed=0, permute_rows=True)
    chosen = [one for one in datasets if not quick or one in QUICK]
    return Plan(
        published.name_plan(name, quick),
        published.list_sources(chosen, load, find),
        make_competitors(fill=load is _load_with_missing),
        splits=FoldsOf2014(10, n_repeats) if old_folds else splits,
    )


def _make_part(
    name: str,
    title: str,
    datasets: tuple[str, ...],
    load: Callable[[published.Find, str], Dataset],
    notes: dict[Any, str],
    old_folds: bool = False,
    apart: str = "",
) -> published.Part:
    make_plan = partial(_make_plan, name, datasets, load, old_folds=old_folds)
    absent = {one: why for one, why in NOT_AT_HAND.items() if one in datasets}
    rule = f"Nothing is counted here: {apart}." if apart else ""
    return published.Part(
        name, title, make_plan, TOLERANCE, TABLE, notes, absent, rule=rule, apart=apart
    )


def _judge_preparations(records: Mapping[str, list[Record]]) -> list[Claim]:
    """Judge what leak, folds and names of rows do, by two parts of our own each."""
    as_in_thesis = _average_accuracies(AS_IN_THESIS, records)
    of_2014 = _average_accuracies(FOLDS_OF_2014, records)
    honest = _average_accuracies(HONEST_IMPUTATION, records)
    of_sets = {
        "Filling missing values with the mean of the class, a label leak, raises the "
        "accuracy": (as_in_thesis, honest),
        "Folds made as in 2014 raise the accuracy on data sets with rare classes": (
            of_2014,
            as_in_thesis,
        ),
    }
    claims = [
        judge_claim(
            text,
            [one[name] - other[name] for name in one if name in other],
            unit="points",
            margin=MARGIN,
            remark="ours with it less ours without it, mean of the three methods",
        )
        for text, (one, other) in of_sets.items()
        if set(one) & set(other)
    ]
    return claims + _judge_names(records)


def _judge_names(records: Mapping[str, list[Record]]) -> list[Claim]:
    """Judge what names of rows do to a random forest, on the same folds."""
    method = "Random Forest"
    both: Folds = {}
    for key, part in {"with": AS_IN_THESIS, "without": WITHOUT_IDENTIFIERS}.items():
        found = gather_folds(part.outline(), records[part.name], "accuracy", 100.0)
        both |= {(name, key): one for (name, m), one in found.items() if m == method}
    return [
        judge_claim(
            f"Names of rows as features make a random forest less accurate on {name}",
            np.asarray(without - named),
            unit="points",
            margin=MARGIN,
            remark="effects of folds, with the interval of the corrected resampled "
            "t-test",
            test_share=TEST_SHARE,
        )
        for name, (without, named) in pair_up(both, "without", "with").items()
    ]


def _average_accuracies(
    part: published.Part, records: Mapping[str, list[Record]]
) -> dict[str, float]:
    """Return the mean accuracy over the methods for each data set that has them all."""
    plan = part.outline()
    found = measure_cells(plan, records[part.name], TABLE.metric, TABLE.scale)
    by_set: dict[str, list[float]] = {}
    for (name, _), measured in found.items():
        if isinstance(measured, Measured):
            by_set.setdefault(name, []).append(measured.mean)
    return {
        name: float(np.mean(means))
        for name, means in by_set.items()
        if len(means) == len(plan.methods)
    }


AS_IN_THESIS = _make_part(
    NAME,
    "As in the thesis: missing values filled with the mean of the class over all rows, "
    "a label leak; names of rows kept as features",
    ALL_SETS,
    load_as_in_thesis,
    {
        **note_differences(ALL_SETS),
        "audiology": AUDIOLOGY,
    },
)
FOLDS_OF_2014 = _make_part(
    f"{NAME}: folds of 2014",
    "As in the thesis, with the folds that scikit-learn made in 2014; only the sets "
    "with a class of fewer than ten rows, for with the others hardly anything changes",
    WITH_RARE_CLASSES,
    load_as_in_thesis,
    note_differences(WITH_RARE_CLASSES),
    old_folds=True,
    apart="the printed numbers are counted in the first part, whose folds are today's",
)
HONEST_IMPUTATION = _make_part(
    f"{NAME}: honest imputation",
    "Missing values filled with the mean of the training rows; only the sets with "
    "missing numbers, for with the others nothing would change",
    WITH_MISSING_NUMBERS,
    _load_with_missing,
    {
        name: "the thesis filled gaps with the mean of the row's own class, test rows "
        "included: here that label leak is closed"
        for name in WITH_MISSING_NUMBERS
    },
    apart="the label leak is closed, so that this is not the printed experiment",
)
WITHOUT_IDENTIFIERS = _make_part(
    f"{NAME}: without identifiers",
    "The two sets of which the thesis kept the names of the rows, without these names",
    tuple(IDENTIFIERS),
    _load_without_identifier,
    {
        name: "the thesis kept the name of each row as a feature, one column per name; "
        "of the candidates that a random forest draws, most were such names"
        for name in IDENTIFIERS
    },
    apart="the names of rows are dropped, so that this is not the printed experiment",
)
REPRODUCTION = published.Reproduction.of(
    DESCRIPTION,
    (AS_IN_THESIS, FOLDS_OF_2014, HONEST_IMPUTATION, WITHOUT_IDENTIFIERS),
    claims=_judge_preparations,
)
