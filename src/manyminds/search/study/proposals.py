"""Proposals of pipelines: initial, with selectors, tuned, changed, in committees."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from manyminds.search.space.problem import Problem
from manyminds.search.space.space import PipelineSpec, Space
from manyminds.search.space.suitability import is_large

__all__ = [
    "Finished",
    "Proposal",
    "list_initial_pipelines",
    "list_protected_pipelines",
    "propose",
]

# Learners in their initial order: those that are quick or usually good come first.
ORDER = (
    "quick_rf", "gb", "rf", "logistic", "ridge", "et",
    "gaussian_svm", "lda", "rotation_forest", "linear_svm", "flt",
    "real_mlp", "knn_cv", "nrbf", "gp", "exponential_svm", "elm",
    "aode", "elastic_net", "rpboost", "nb", "tan", "ssv_tree",
)  # fmt: skip
# What gets a score on every table, however long it takes: with defaults on a small one,
# of few trees on a large one.
TREES = ("gb", "rf")
QUICK_TREES = (
    {"learner": "quick_rf"},
    {
        "learner": "gb", "gb.max_iter": 30, "gb.learning_rate": 0.1,
        "gb.max_leaf_nodes": 31, "gb.l2": 1.0,
    },
)  # fmt: skip
# Settings that have done well on many tables.
GOOD = (
    {
        "learner": "gb", "gb.learning_rate": 0.05,
        "gb.max_iter": 250, "gb.max_leaf_nodes": 12,
        "gb.min_samples_leaf": 8, "gb.max_features": 0.4,
    },
    {
        "learner": "gb", "gb.learning_rate": 0.03,
        "gb.max_iter": 200, "gb.max_leaf_nodes": 4,
        "gb.min_samples_leaf": 3, "gb.max_features": 0.5,
    },
    {"learner": "et", "et.max_features": 0.7},
    {"learner": "gaussian_svm", "gaussian_svm.C": 30, "gaussian_svm.width": 4},
)  # fmt: skip
# Pipelines that won places in the challenge of 2003, by the shares of columns there.
CHALLENGE = (
    {"learner": "linear_svm", "scale": "standard", "select": "ssv", "ssv.share": 0.7},
    {
        "learner": "linear_svm", "scale": "unscaled", "select": "correlation",
        "correlation.share": 0.4,
    },
    {
        "learner": "gaussian_svm", "scale": "standard", "select": "correlation",
        "correlation.share": 0.14,
    },
    {
        "learner": "nrbf", "scale": "standard", "select": "selection_committee",
        "selection_committee.count": 10, "selection_committee.threshold": 1,
    },
    {
        "learner": "knn_cv", "scale": "standard", "select": "correlation",
        "correlation.share": 0.04,
    },
)  # fmt: skip
SELECTING = (
    {"select": "correlation", "correlation.share": 0.3},
    {"select": "ssv", "ssv.share": 0.3},
    {"select": "forest_gain", "forest_gain.share": 0.3},
    {"select": "mrmr"},
    {"select": "selection_committee"},
    {"select": "fcbf"},
    {"reduce": "pca"},
    {"select": "ssv_tree"},
)
N_PROMISING = 3  # learners that are combined with selectors
WIDE = 100  # columns from which on the challenge's pipelines come first
MIN_CHALLENGE = 20  # columns from which on they are evaluated at all


@dataclass(frozen=True)
class Finished:
    """A complete trial, as proposals see it."""

    pipeline: PipelineSpec
    criterion: float  # more is better
    seconds: float


@dataclass(frozen=True)
class Proposal:
    """A pipeline to evaluate next.

    Parameters
    ----------
    stage : {"base", "select", "tune", "branch", "committee"}
    fixed : dict
        A whole pipeline, or a part of one that Optuna's sampler completes.
    """

    stage: str
    fixed: dict[str, Any]


def list_initial_pipelines(space: Space, problem: Problem) -> list[PipelineSpec]:
    """List the pipelines that a search begins with.

    They are those that the space brings along, each learner with its defaults, settings
    that did well on many tables, and the pipelines of the challenge, early if there are
    many columns.

    Parameters
    ----------
    space : Space
        Restricted to the problem.
    problem : Problem

    Returns
    -------
    pipelines : list of dict
        Each once.
    """
    rank = {name: place for place, name in enumerate(ORDER)}
    learners = sorted(space.learner, key=lambda one: rank.get(one.name, -1))
    own = [{"learner": one.name} for one in learners if one.name not in rank]
    base = [
        _with_defaults(one.name, problem)
        for one in learners
        if one.name in rank and one.name not in TREES
    ]
    protected, others = _list_trees(problem)
    trees = [*protected, *others]
    challenge = list(CHALLENGE) if problem.n_features >= MIN_CHALLENGE else []
    if problem.n_features >= WIDE:
        wanted = [*own, *trees, *base[:1], *challenge, *base[1:], *GOOD]
    else:
        wanted = [*own, *trees, *base[:4], *GOOD[:2], *base[4:], *GOOD[2:], *challenge]
    return _complete_all([*space.first, *wanted], space, problem)


def list_protected_pipelines(space: Space, problem: Problem) -> list[PipelineSpec]:
    """List the pipelines that are neither pruned nor dropped as slow.

    So every search has a score of boosting and of a forest: with their defaults, or of
    few trees if the table is large. One on many labels has that of a forest.
    """
    return _complete_all(_list_trees(problem)[0], space, problem)


def _list_trees(
    problem: Problem,
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """List protected pipelines of trees, then others: quick ones of large tables."""
    if problem.n_labels:
        return [{"learner": "mlforest"}], []
    defaults = [_with_defaults(name, problem) for name in TREES]
    return (list(QUICK_TREES), defaults) if is_large(problem) else (defaults, [])


def _with_defaults(name: str, problem: Problem) -> dict[str, Any]:
    """Return a learner with its defaults, which depend on the task for forests."""
    pipeline: dict[str, Any] = {"learner": name}
    if name in ("rf", "et") and problem.n_classes:
        root = float(np.clip(problem.n_features**-0.5, 0.02, 1.0))
        pipeline[f"{name}.max_features"] = root
    return pipeline


def _complete_all(
    wanted: Sequence[Mapping[str, Any]], space: Space, problem: Problem
) -> list[PipelineSpec]:
    """Complete those pipelines whose options the space has, each once."""
    names = {one.name for one in space.learner}
    pipelines: list[PipelineSpec] = []
    for partial in wanted:
        if partial["learner"] in names and _has_options(space, partial):
            pipeline = space.complete(partial, problem)
            pipelines += [pipeline] if pipeline not in pipelines else []
    return pipelines


def propose(
    finished: Sequence[Finished],
    known: Sequence[PipelineSpec],
    space: Space,
    problem: Problem,
    limit: float,
    rng: np.random.Generator,
) -> Proposal:
    """Propose a pipeline, given the results so far.

    Parameters
    ----------
    finished : sequence of Finished
        Trials that went through all folds.
    known : sequence of dict
        All pipelines that were or are being evaluated.
    space : Space
        Restricted to the problem.
    problem : Problem
    limit : float
        Seconds that a trial may take.
    rng : numpy.random.Generator

    Returns
    -------
    proposal : Proposal
    """
    best = sorted(finished, key=lambda one: -one.criterion)
    if not best:
        return Proposal("tune", {})
    for pipeline in _with_selectors(best, space, problem):
        if pipeline not in known:
            return Proposal("select", pipeline)
    draw = rng.random()
    if draw < 0.1:
        for one in best[:5]:
            pipeline = space.complete(
                {**one.pipeline, "committee": "committee"}, problem
            )
            if one.seconds * 6 < limit and pipeline not in known:
                return Proposal("committee", pipeline)
    parent = best[min(int(rng.exponential(2.0)), len(best) - 1)]
    if draw < 0.6:
        pipeline = space.change(parent.pipeline, problem, rng)
        if pipeline not in known:
            return Proposal("branch", pipeline)
    fixed = {"learner": parent.pipeline["learner"], "committee": "alone"}
    return Proposal("tune", fixed)


def _with_selectors(
    best: Sequence[Finished], space: Space, problem: Problem
) -> list[PipelineSpec]:
    """Combine the most promising learners with each selector."""
    if problem.n_encoded < 8:
        return []
    promising: list[Finished] = []
    for one in best:
        if one.pipeline["learner"] not in [
            other.pipeline["learner"] for other in promising
        ]:
            promising.append(one)
    pipelines = []
    # A selector that keeps all columns would only repeat known pipelines.
    few = {
        "mrmr.count": max(2, min(15, problem.n_encoded // 2)),
        "selection_committee.count": max(2, min(10, problem.n_encoded // 4)),
    }
    for selecting in SELECTING[: None if problem.n_encoded >= WIDE else 4]:
        partial = selecting | few
        for one in promising[:N_PROMISING]:
            pipeline = space.complete({**one.pipeline, **partial}, problem)
            stage = next(iter(partial))
            if pipeline.get(stage) == partial[stage]:
                pipelines.append(pipeline)
    return pipelines


def _has_options(space: Space, partial: Mapping[str, Any]) -> bool:
    """Return whether a space has all options of a pipeline."""
    for stage in ("encode", "scale", "reduce", "select"):
        names = [option.name for option in getattr(space, stage)]
        if stage in partial and partial[stage] not in names:
            return False
    return True
