"""Learners of many labels: what ensembles over labels gain, and their peers."""

from functools import partial
from typing import Any

import numpy as np

from manyminds.datasets import Dataset
from manyminds.experiments.plan import Plan
from manyminds.experiments.preparation import prepared
from manyminds.experiments.splits import CrossValidation, Splits
from manyminds.reproductions import published
from manyminds.reproductions.judging.cells import STANDARD_ERRORS
from manyminds.reproductions.judging.observations import OBSERVATION
from manyminds.reproductions.many_labels import DESCRIPTION
from manyminds.reproductions.many_labels.judging import (
    BASE,
    judge_against_peers,
    judge_learners,
    show_learners,
)
from manyminds.reproductions.many_labels.protocol import (
    LabelMeasures,
    MulanSplit,
    make_learners,
    make_pairs,
)

NAME = DESCRIPTION.name
SETS = ("ml-flags", "ml-emotions", "ml-genbase", "ml-scene", "ml-yeast")
QUICK = ("ml-flags",)
PEER_SETS = ("ml-flags", "ml-emotions", "ml-yeast")
MAX_PEER_ROWS = 600  # of yeast, for which the peers take minutes
ON_ENRON = (
    "BR", "CC", "ECC", "RAkEL", "ML-kNN", "BR of forests", "Forest of all labels",
)  # fmt: skip
SHOWN_APART = (
    "All numbers are ours: the subset accuracy of each learner in percent, under "
    "*ours*, beside that of binary relevance; the other measures are in the last "
    "column. Nothing is counted here."
)
OWN_NEIGHBOR = "the peer counts each training row among its own neighbors"
NOTES = {(name, "ML-kNN of scikit-multilearn"): OWN_NEIGHBOR for name in PEER_SETS}
TOLERANCE = published.Tolerance(
    1.0, "trees break ties at random, in ours and in the peers'", "points"
)


def _load(find: published.Find, name: str) -> Dataset:
    return find(name)


def _load_some(find: published.Find, name: str) -> Dataset:
    data = find(name)
    if data.n_samples <= MAX_PEER_ROWS:
        return data
    draw = np.random.default_rng(0).permutation(data.n_samples)[:MAX_PEER_ROWS]
    return data.take(np.sort(draw))


def _make_plan(
    name: str,
    sets: tuple[str, ...],
    methods: tuple[str, ...] | None,
    splits: Splits,
    find: published.Find,
    quick: bool,
) -> Plan:
    learners = make_learners()
    chosen = learners if methods is None else {one: learners[one] for one in methods}
    return Plan(
        published.name_plan(name, quick),
        published.list_sources(_keep(sets, quick), _load, find),
        chosen,
        splits=splits,
        measure=LabelMeasures(),
    )


def _make_peer_plan(name: str, find: published.Find, quick: bool) -> Plan:
    models: dict[str, Any] = {}
    for label, (mine, peer) in make_pairs().items():
        scale = label.startswith("ML-kNN")
        models[label] = prepared(mine, scale)
        models[f"peer of {label}"] = prepared(peer, scale)
    return Plan(
        published.name_plan(name, quick),
        published.list_sources(_keep(PEER_SETS, quick), _load_some, find),
        models,
        splits=CrossValidation(2, 1 if quick else 5),
        measure=LabelMeasures(),
    )


def _keep(sets: tuple[str, ...], quick: bool) -> list[str]:
    return [one for one in sets if not quick or one in QUICK or len(sets) == 1]


def _make_part(
    name: str,
    title: str,
    sets: tuple[str, ...],
    splits: Splits,
    methods: tuple[str, ...] | None = None,
    **options: Any,
) -> published.Part:
    return published.Part(
        name,
        title,
        partial(_make_plan, name, sets, methods, splits),
        published.Tolerance(1.0, "nothing is counted"),
        judge=show_learners,
        reference=BASE,
        rule=SHOWN_APART,
        apart=OBSERVATION,
        **options,
    )


FOLDS = _make_part(
    NAME,
    "Three folds, each with its share of every label",
    SETS,
    CrossValidation(3),
    claims=judge_learners,
)
TEST_SETS = _make_part(
    f"{NAME}: test sets of Mulan",
    "Mulan's training and test sets",
    SETS,
    MulanSplit(),
)
ENRON = _make_part(
    f"{NAME}: enron",
    "Mulan's training and test set of enron, 1,001 words and 53 labels, by seven "
    "learners",
    ("ml-enron",),
    MulanSplit(),
    ON_ENRON,
)
PEERS = published.Part(
    f"{NAME}: peers",
    "Subset accuracy in percent, compared with scikit-learn's MultiOutputClassifier "
    "(BR) and ClassifierChain (CC), and with scikit-multilearn-ng, five times two "
    "folds; of yeast 600 rows, and without scene, genbase and enron, which take the "
    "peers minutes",
    partial(_make_peer_plan, f"{NAME}: peers"),
    TOLERANCE,
    notes=NOTES,
    judge=partial(
        judge_against_peers,
        {label: f"peer of {label}" for label in make_pairs()},
        "subset_accuracy",
    ),
    reference="peer",
    rule=f"A cell *agrees* if ours is within {TOLERANCE} of the peer on the same folds "
    f"({TOLERANCE.why}). It is *within random variation* if it is further away, but at "
    f"most {TOLERANCE.name(TOLERANCE.cap)} and at most {STANDARD_ERRORS:g} standard "
    "errors of the mean of the paired differences of the five repetitions; it "
    "*differs*, and we have failed there, beyond those standard errors, and is "
    f"*undecided* if they exceed {TOLERANCE.name(TOLERANCE.cap)}. The null control "
    "shuffles the peers' means among the data sets.",
)
REPRODUCTION = published.Reproduction.of(DESCRIPTION, (FOLDS, TEST_SETS, ENRON, PEERS))
