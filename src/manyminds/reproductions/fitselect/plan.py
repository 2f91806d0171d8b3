"""Fitselect: fewer trees of a random forest, accurate and diverse ones."""

from functools import partial
from typing import Any

import numpy as np

from manyminds.datasets import Dataset
from manyminds.ensemble import (
    EnsembleSelectionClassifier,
    FitselectClassifier,
    RandomForestClassifier,
)
from manyminds.experiments.plan import Plan
from manyminds.experiments.record import Record
from manyminds.reproductions import published
from manyminds.reproductions.fitselect import DESCRIPTION
from manyminds.reproductions.fitselect.protocol import (
    POSITIVE,
    Halves,
    PruningMeasures,
    VotingForest,
)
from manyminds.reproductions.judging.claims import Claim, judge_claim
from manyminds.reproductions.judging.effects import gather_folds, judge_methods

NAME = DESCRIPTION.name
SETS = tuple(POSITIVE)
QUICK = ("haberman", "wdbc")
N_SPLITS, N_TREES = 20, 500
TEST_SHARE = 0.5
MAX_KEPT = 0.2  # share of the trees of all folds
MARGIN = 0.005  # smallest difference of accuracy that matters
FOREST, CONTROL = "RF", "All trees of the folds"
ABSENT_NOTE = (
    "Engytime and Transfusion, the paper's other two public sets, are not among ours"
)
CLAIMS = {  # what the paper says about its table, and the control
    f"{one} has a higher {{}} than {other}": (one, other)
    for one, other in (
        ("Fitselect", FOREST),
        ("Fitselect", "Forward"),
        (FOREST, "Forward"),
        ("Fitselect", CONTROL),
    )
}
ONE_SPLIT = (
    "the paper has a single split, whose standard error is about 0.03 on a few hundred "
    "rows"
)
OTHER_FOREST = (
    "more than the luck of one split explains; the paper does not state how many "
    "features a node of its forests considers"
)
NOTES: dict[Any, str] = {
    **dict.fromkeys(SETS, ONE_SPLIT),
    **dict.fromkeys(("musk1", "madelon", "spambase"), OTHER_FOREST),
    **{
        (name, "Forward"): "the paper does not say how it selected forward"
        for name in SETS
    },
}


def _make_models(n_trees: int) -> dict[str, Any]:
    return {
        FOREST: VotingForest(n_trees),
        "Forward": EnsembleSelectionClassifier(
            RandomForestClassifier(n_trees), n_iterations=200, n_initial=0, n_bags=1
        ),
        "Fitselect": FitselectClassifier(n_estimators=n_trees, step=10),
        CONTROL: FitselectClassifier(
            n_estimators=n_trees, alphas=[1.0], min_size=n_trees, max_size=n_trees
        ),
    }


def _load(find: published.Find, name: str) -> Dataset:
    return find(name)


def _make_plan(name: str, find: published.Find, quick: bool) -> Plan:
    return Plan(
        published.name_plan(name, quick),
        published.list_sources(QUICK if quick else SETS, _load, find),
        _make_models(100 if quick else N_TREES),
        splits=Halves(4 if quick else N_SPLITS),
        measure=PruningMeasures(),
    )


def _judge(metric: str, word: str, plan: Plan, records: list[Record]) -> list[Claim]:
    """Judge the claims about scores, and that about the number of trees."""
    claims = judge_methods(
        plan,
        records,
        metric,
        {text.format(word): pair for text, pair in CLAIMS.items()},
        unit=f"of {word}",
        margin=MARGIN,
        test_share=TEST_SHARE,
    )
    if metric != "accuracy":
        return claims
    kept = gather_folds(plan, records, "n_trees")
    fewer = [
        100.0 * (MAX_KEPT - float(np.median(kept[name, "Fitselect"])) / kept[place][0])
        for name in SETS
        if (place := (name, CONTROL)) in kept and (name, "Fitselect") in kept
    ]
    text = "Fitselect keeps less than a fifth of the trees, in the median of splits"
    return [*claims, judge_claim(text, fewer, unit="points of share", margin=1.0)]


def _make_part(name: str, title: str, metric: str, word: str) -> published.Part:
    table = published.PublishedTable(
        f"{title}, one random half of the rows",
        DESCRIPTION.source,
        metric,
        published.read_published_cells(__package__, f"elghazel_{metric}"),
    )
    return published.Part(
        name,
        f"{title}, mean of 20 random halves; {ABSENT_NOTE}",
        partial(_make_plan, name),
        published.Tolerance(0.03, ONE_SPLIT, f"of {word}"),
        table,
        NOTES,
        claims=partial(_judge, metric, word),
    )


ACCURACY = _make_part(
    NAME, "Accuracy of forests of up to 500 trees", "accuracy", "accuracy"
)
AUC = _make_part(f"{NAME}: area", "Area under the ROC curve of the same", "auc", "area")
REPRODUCTION = published.Reproduction.of(DESCRIPTION, (ACCURACY, AUC))
