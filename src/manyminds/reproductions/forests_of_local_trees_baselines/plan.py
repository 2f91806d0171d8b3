"""The competitors of Forests of Local Trees: forests of ten trees on 36 data sets."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline

from manyminds.datasets import Dataset
from manyminds.ensemble import RandomForestClassifier
from manyminds.experiments.plan import DataSource, Plan
from manyminds.experiments.record import Record
from manyminds.experiments.splits import CrossValidation, Splits
from manyminds.reproductions.forests_of_local_trees_baselines.protocol import (
    FoldsOf2014,
    HardVote,
    add_identifier,
    encode,
    fill_by_class,
)
from manyminds.reproductions.judging.claims import Claim, judge_claim
from manyminds.reproductions.judging.effects import Folds, gather_folds, pair_up
from manyminds.reproductions.judging.verdicts import Measured, measure_cells
from manyminds.reproductions.published import (
    Find,
    Part,
    PublishedTable,
    Reproduction,
    Tolerance,
    read_published_cells,
)

NAME = "forests-of-local-trees-baselines"
SOURCE = (
    "E. Tamponi, Dataset Analysis for Classifier Ensemble Enhancement, doctoral "
    "thesis, University of Cagliari, 2015, table 4.5"
)
TABLE = PublishedTable(
    "Accuracy in percent, ten times ten-fold cross-validation, ten trees",
    SOURCE,
    "accuracy",
    read_published_cells("flt_4_5"),
    scale=100.0,
)
TOLERANCE = Tolerance(1.0, "ten trees leave a scatter of about a point")
MARGIN, TEST_SHARE = 0.5, 0.1  # points of accuracy that matter; one of ten folds

ALL_SETS = tuple(dict.fromkeys(dataset for dataset, _ in TABLE.cells))
IDENTIFIERS = {"splice": "instance_name", "zoo": "animal"}  # columns with row names
WITH_MISSING_NUMBERS = (
    *("autos", "breast-w", "colic", "colic-orig", "credit-a", "heart-c", "heart-h"),
    *("hepatitis", "hypothyroid", "labor", "sick"),
)
WITH_RARE_CLASSES = (  # of fewer rows than there are folds
    *("anneal-orig", "anneal", "audiology", "autos", "glass", "hypothyroid", "lymph"),
    *("primary-tumor", "soybean", "zoo"),
)
QUICK = ("balance-scale", "hepatitis", "iris", "labor", "vowel", "zoo")

# Columns after the encoding: the thesis's files, and the files that we have.
ENCODED_COLUMNS = {
    "anneal": (93, 63),
    "anneal-orig": (70, 53),
    "breast-cancer": (49, 39),
    "credit-a": (44, 43),
    "credit-g": (61, 59),
    "kr-vs-kp": (40, 38),
    "soybean": (99, 98),
    "splice": (3465, 3477),
    "zoo": (116, 117),
}


def _load_as_in_thesis(find: Find, name: str) -> Dataset:
    data = find(name)
    encoded = fill_by_class(encode(data))
    has_all = name not in IDENTIFIERS or _drop_identifier(data) is not data
    return encoded if has_all else add_identifier(encoded)


def _load_without_identifier(find: Find, name: str) -> Dataset:
    return encode(_drop_identifier(find(name)))


def _load_with_gaps(find: Find, name: str) -> Dataset:
    return encode(find(name))


def _drop_identifier(data: Dataset) -> Dataset:
    """Leave out the names of rows; if there are none, give the very same data set."""
    named = [c for c in data.X if str(c).lower() == IDENTIFIERS[data.name]]
    return replace(data, X=data.X.drop(columns=named)) if named else data


def _make_plan(
    name: str,
    datasets: tuple[str, ...],
    load: Callable[[Find, str], Dataset],
    find: Find,
    quick: bool,
    *,
    old_folds: bool = False,
) -> Plan:
    """Make the plan of a part; gaps are filled with the mean of the training rows."""
    # As many bins as there are values: the trees of the thesis had no bins.
    forests = {
        "AdaBoost": RandomForestClassifier(1, max_features=None, max_bins=65535),
        "Bagging": RandomForestClassifier(10, max_features=None, max_bins=65535),
        "Random Forest": RandomForestClassifier(10, max_bins=65535),
    }
    models: dict[str, Any] = {one: HardVote(forests[one]) for one in forests}
    if load is _load_with_gaps:
        fill = SimpleImputer(keep_empty_features=True)
        models = {one: make_pipeline(fill, models[one]) for one in models}
    n_repeats = 1 if quick else 10
    splits: Splits = CrossValidation(10, n_repeats, seed=0, permute_rows=True)
    chosen = [one for one in datasets if not quick or one in QUICK]
    return Plan(
        f"{name} (quick)" if quick else name,
        [DataSource(one, partial(load, find, one)) for one in chosen],
        models,
        splits=FoldsOf2014(10, n_repeats) if old_folds else splits,
    )


def _note_columns(datasets: tuple[str, ...]) -> dict[Any, str]:
    """Describe where our files give the forests other columns than the thesis's files."""
    return {
        (
            name,
            "Random Forest",
        ): f"our file gives {ours} columns, the thesis's "
        f"{theirs}: values that are declared but never occur are columns of zeros "
        "there, and a random forest spends candidates on them"
        for name, (theirs, ours) in ENCODED_COLUMNS.items()
        if ours < theirs and name in datasets
    }


def _note_boosting(datasets: tuple[str, ...]) -> dict[Any, str]:
    """Describe where a tree makes training errors, so that boosting goes on."""
    return {
        (name, "AdaBoost"): "rows that are alike but of different classes leave a tree "
        "with training errors, and boosting goes on; ours is a single tree"
        for name in ("breast-cancer", "primary-tumor")
        if name in datasets
    }


def _make_part(
    name: str,
    title: str,
    datasets: tuple[str, ...],
    load: Callable[[Find, str], Dataset],
    notes: dict[Any, str],
    old_folds: bool = False,
    apart: str = "",
) -> Part:
    make_plan = partial(_make_plan, name, datasets, load, old_folds=old_folds)
    absent = {one: why for one, why in NOT_AT_HAND.items() if one in datasets}
    rule = f"Nothing is counted here: {apart}." if apart else ""
    return Part(
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
    part: Part, records: Mapping[str, list[Record]]
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


NOT_AT_HAND = {
    "colic-orig": "the data set is not among the reproduction data",
    "rootstock": "the data set is in a textbook, not among the reproduction data",
}
AS_IN_THESIS = _make_part(
    NAME,
    "As in the thesis: missing values filled with the mean of the class over all rows, "
    "a label leak; names of rows kept as features",
    ALL_SETS,
    _load_as_in_thesis,
    {
        **_note_columns(ALL_SETS),
        **_note_boosting(ALL_SETS),
        "audiology": "19 of 24 classes have fewer rows than there are folds, and "
        "scikit-learn made other folds of them in 2014: see the part on these folds",
    },
)
FOLDS_OF_2014 = _make_part(
    f"{NAME}: folds of 2014",
    "As in the thesis, with the folds that scikit-learn made in 2014; only the sets "
    "with a class of fewer than ten rows, for with the others hardly anything changes",
    WITH_RARE_CLASSES,
    _load_as_in_thesis,
    {**_note_columns(WITH_RARE_CLASSES), **_note_boosting(WITH_RARE_CLASSES)},
    old_folds=True,
    apart="the printed numbers are counted in the first part, whose folds are today's",
)
HONEST_IMPUTATION = _make_part(
    f"{NAME}: honest imputation",
    "Missing values filled with the mean of the training rows; only the sets with "
    "missing numbers, for with the others nothing would change",
    WITH_MISSING_NUMBERS,
    _load_with_gaps,
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
REPRODUCTION = Reproduction(
    NAME,
    "Competitors of Forests of Local Trees: Random Forest, Bagging and a single tree",
    SOURCE,
    "Forests of ten trees on 36 data sets, compared with the accuracies that another "
    "implementation printed. The column called AdaBoost is a single tree on a "
    "bootstrap sample: boosting stops after a tree without training errors. The first "
    "part repeats the printed experiment. Three more parts change one thing each, the "
    "folds, the imputation, the names of rows; their cells are shown, not counted, and "
    "what the change does is judged as a claim.",
    (AS_IN_THESIS, FOLDS_OF_2014, HONEST_IMPUTATION, WITHOUT_IDENTIFIERS),
    minutes=15.0,
    quick_minutes=1.0,
    claims=_judge_preparations,
)
