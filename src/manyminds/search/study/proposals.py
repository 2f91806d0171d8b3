"""Proposals of pipelines: initial, with selectors, tuned, changed, in committees."""

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

import numpy as np

from manyminds.search.evaluation.levels import MIN_TWO_LEVELS
from manyminds.search.space.problem import Problem
from manyminds.search.space.space import STAGES, PipelineSpec, Space
from manyminds.search.space.suitability import is_large
from manyminds.search.space.tree_learners import NUMBER_SHARE, choose_number_share
from manyminds.search.study.portfolio import list_portfolio

__all__ = [
    "Finished",
    "Proposal",
    "add_task_defaults",
    "list_floor_pipelines",
    "list_initial_pipelines",
    "list_protected_pipelines",
    "propose",
]

# Learners in the order in which those that the portfolio lacks follow it with defaults.
ORDER = (
    "quick_rf", "quick_gb", "gb", "rf", "symmetric_gb", "extra_gb", "logistic", "ridge",
    "et", "real_mlp", "gaussian_svm", "lda", "rotation_forest", "linear_svm", "flt",
    "knn_cv", "nrbf", "gp", "exponential_svm", "elm",
    "aode", "elastic_net", "rpboost", "nb", "tan", "ssv_tree",
)  # fmt: skip
BOOSTERS = ("lightgbm", "xgboost", "catboost")  # not in the portfolio: they may lack
N_BEFORE_BOOSTERS = 4  # pipelines of the portfolio
# What gets a score on every table, however long it takes: with defaults on a small one,
# of few trees on a large one.
TREES = ("gb", "rf")
# Share of the columns that a forest of numbers considers at each node.
NUMBER_SHARES = {"rf": NUMBER_SHARE, "et": 1.0}
LINEAR = ({"learner": "logistic"}, {"learner": "ridge"})
QUICK_TREES = ({"learner": "quick_rf"}, {"learner": "quick_gb"})
# What is strong on many rows; the portfolio has been chosen on few.
STRONG = (
    {"learner": "gb", "gb.learning_rate": 0.15},
    {"learner": "real_mlp"},
    {"learner": "extra_gb"},
    {"learner": "symmetric_gb"},
    {"learner": "et"},
    {"learner": "gb", "gb.learning_rate": 0.15, "gb.max_leaf_nodes": 100},
)
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
# Generators, and the learners before which they paid: see
# benchmarks/results/generated_features.md.
LINEAR_LEARNERS = ("logistic", "ridge", "linear_svm", "lda", "elastic_net")
GENERATING = (
    ("arithmetic", ("gb", "extra_gb", "rf", "et", *LINEAR_LEARNERS)),
    ("crosses", ("gb", "extra_gb", "rf", "et", *LINEAR_LEARNERS)),
    ("level_means", LINEAR_LEARNERS),
)
COMBINED = ("generate", "reduce", "select")  # stages that are
NOTHING = {"generate": "ungenerated", "reduce": "unreduced", "select": "unselected"}
ALONE = {"committee": "alone"}
N_PROMISING = 3  # learners that are combined with selectors
# What Optuna's sampler takes for good: a share of the pipelines, and so many at most.
GOOD_SHARE, MAX_GOOD = 0.1, 25
MIN_LARGE = MIN_TWO_LEVELS  # rows, from which on options of stages are not tuned
WIDE = 100  # columns from which on the challenge's pipelines come first
MIN_CHALLENGE = 20  # columns from which on they are evaluated at all


@dataclass(frozen=True)
class Finished:
    """A complete trial, as proposals see it."""

    pipeline: PipelineSpec
    criterion: float  # more is better
    seconds: float
    level: int = 0  # number of the sample of rows


@dataclass(frozen=True)
class Proposal:
    """A pipeline to evaluate next.

    Parameters
    ----------
    stage : {"base", "generate", "select", "tune", "branch", "committee", "promote"}
    fixed : dict
        A whole pipeline, or a part of one that Optuna's sampler completes.
    level : int, default=0
        Number of the sample of rows, the smallest first.
    """

    stage: str
    fixed: dict[str, Any]
    level: int = 0


def list_initial_pipelines(space: Space, problem: Problem) -> list[PipelineSpec]:
    """List the pipelines that a search begins with.

    They are those that the space brings along, the protected trees, the portfolio of
    pipelines that did well on many tables, then each other learner with its defaults.
    The pipelines of the challenge come early if there are many columns.

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
    rank = {name: place for place, name in enumerate((*BOOSTERS, *ORDER))}
    learners = sorted(space.learner, key=lambda one: rank.get(one.name, -1))
    own = [{"learner": one.name} for one in learners if one.name not in rank]
    base = [{"learner": one.name} for one in learners if one.name in ORDER]
    good = list_portfolio(problem.task)
    boosters = [{"learner": name} for name in BOOSTERS]
    good[N_BEFORE_BOOSTERS:N_BEFORE_BOOSTERS] = boosters
    protected, others = _list_trees(problem)
    if problem.n_samples >= MIN_LARGE:
        others = [*others, *STRONG]
    challenge = list(CHALLENGE) if problem.n_features >= MIN_CHALLENGE else []
    wanted = [*own, *protected, *others]
    if problem.n_features >= WIDE:
        wanted += [*good[:1], *challenge, *good[1:], *base]
    else:
        wanted += [*good, *base, *challenge]
    wanted = [add_task_defaults(one, problem) for one in wanted]
    return _complete_all([*space.first, *wanted], space, problem)


def list_protected_pipelines(space: Space, problem: Problem) -> list[PipelineSpec]:
    """List the pipelines that are neither pruned nor dropped as slow.

    So every search has a score of boosting and of a forest: with their defaults, or of
    few trees if the table is large. One on many labels has that of a forest. Where no
    tree suits the table, as if it is sparse, a linear model is protected.
    """
    trees = _complete_all(_list_trees(problem)[0], space, problem)
    return trees or _complete_all(LINEAR, space, problem)


def list_floor_pipelines(space: Space, problem: Problem) -> list[PipelineSpec]:
    """List the pipelines than which nothing is chosen that is worse out of fold.

    Those that are protected, and boosting and a forest with their defaults.
    """
    defaults = _complete_all(_list_trees(problem)[1], space, problem)
    return [*list_protected_pipelines(space, problem), *defaults]


def _list_trees(
    problem: Problem,
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """List protected pipelines of trees, then others: quick ones of large tables."""
    if problem.n_labels:
        return [{"learner": "mlforest"}], []
    defaults = [add_task_defaults({"learner": name}, problem) for name in TREES]
    return (list(QUICK_TREES), defaults) if is_large(problem) else (defaults, [])


def add_task_defaults(pipeline: Mapping[str, Any], problem: Problem) -> PipelineSpec:
    """Add the defaults that depend on the task: columns that a forest considers."""
    name = pipeline["learner"]
    if name not in NUMBER_SHARES:
        return dict(pipeline)
    if problem.n_classes:
        share = float(np.clip(problem.n_features**-0.5, 0.02, 1.0))
    else:
        share = choose_number_share(problem, NUMBER_SHARES[name])
    return {f"{name}.max_features": share, **pipeline}


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
    tried = _list_tried(known)
    for pipeline in _with_generators(best, tried, space, problem):
        if pipeline not in known:
            return Proposal("generate", pipeline)
    for pipeline in _with_selectors(best, tried, space, problem):
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
    parent = _draw_parent(best, rng)
    if draw < 0.6 or not _is_tunable(parent, best):
        pipeline = space.change(parent.pipeline, problem, rng)
        if pipeline not in known:
            return Proposal("branch", pipeline)
    return Proposal("tune", _fix_for_tuning(parent.pipeline, problem))


def _draw_parent(best: Sequence[Finished], rng: np.random.Generator) -> Finished:
    """Draw a good pipeline of a good learner.

    Ranked among all pipelines, variants of one learner would soon take all places.
    """
    families: dict[str, list[Finished]] = {}
    for one in best:
        families.setdefault(one.pipeline["learner"], []).append(one)
    family = _draw_early(list(families.values()), 1.5, rng)
    return _draw_early(family, 2.0, rng)


def _draw_early(items: Sequence[Any], mean: float, rng: np.random.Generator) -> Any:
    """Draw one of several items; the first ones are likely."""
    return items[min(int(rng.exponential(mean)), len(items) - 1)]


def _is_tunable(parent: Finished, best: Sequence[Finished]) -> bool:
    """Return whether Optuna's sampler has seen good pipelines of a learner.

    It takes the best tenth of all for good. Of a learner without one among them, it
    would only propose what is far from all that were tried.
    """
    n_good = min(MAX_GOOD, math.ceil(GOOD_SHARE * len(best)))
    return any(
        one.pipeline["learner"] == parent.pipeline["learner"] for one in best[:n_good]
    )


def _list_tried(known: Sequence[PipelineSpec]) -> set[tuple[str, str, Any]]:
    """List learners with the option of each stage that they were combined with."""
    return {
        (one["learner"], stage, one.get(stage)) for one in known for stage in COMBINED
    }


def _fix_for_tuning(pipeline: PipelineSpec, problem: Problem) -> PipelineSpec:
    """Return what of a pipeline stays as it is while Optuna's sampler tunes the rest.

    Generators multiply the time of a fit. Of many rows, where each trial takes long,
    other options of stages are changed by branches only.
    """
    stages = STAGES if problem.n_samples >= MIN_LARGE else ("generate",)
    kept = {name: pipeline[name] for name in ("learner", *stages) if name in pipeline}
    return {**kept, **ALONE}


def _with_selectors(
    best: Sequence[Finished],
    tried: Set[tuple[str, str, Any]],
    space: Space,
    problem: Problem,
) -> list[PipelineSpec]:
    """Combine the most promising learners with each selector, each once.

    The quickest comes first: a selector with which it lost is not worth another.
    """
    if problem.n_encoded < 8:
        return []
    promising: list[Finished] = []
    for one in best:
        if one.pipeline["learner"] not in [
            other.pipeline["learner"] for other in promising
        ]:
            promising.append(one)
    promising = sorted(promising[:N_PROMISING], key=lambda one: one.seconds)
    # A selector that keeps all columns would only repeat known pipelines.
    few = {
        "mrmr.count": max(2, min(15, problem.n_encoded // 2)),
        "selection_committee.count": max(2, min(10, problem.n_encoded // 4)),
    }
    options: list[tuple[str, dict[str, Any]]] = [
        (next(iter(selecting)), selecting | few | ALONE)
        for selecting in SELECTING[: None if problem.n_encoded >= WIDE else 4]
    ]
    options = [
        (stage, partial)
        for stage, partial in options
        if not _has_lost(best, stage, partial[stage])
    ]
    pipelines = []
    for one in promising:
        for stage, partial in options:
            if (one.pipeline["learner"], stage, partial[stage]) in tried:
                continue
            pipeline = space.complete({**one.pipeline, **partial}, problem)
            if pipeline.get(stage) == partial[stage]:
                pipelines.append(pipeline)
    return pipelines


def _has_lost(finished: Sequence[Finished], stage: str, option: Any) -> bool:
    """Return whether an option of a stage was tried, and only made pipelines worse.

    They are behind the same learner without it, and in the weaker half of all.
    """
    with_option = [one for one in finished if one.pipeline.get(stage) == option]
    return bool(with_option) and all(_is_weak(one, finished) for one in with_option)


def _is_weak(one: Finished, finished: Sequence[Finished]) -> bool:
    """Return whether a combined pipeline is worse than its learner, and than most."""
    others = [other for other in finished if other.level == one.level]
    alone = [
        other.criterion
        for other in others
        if other.pipeline["learner"] == one.pipeline["learner"]
        and not any(_is_combined(other.pipeline, stage) for stage in COMBINED)
    ]
    is_behind = bool(alone) and one.criterion < max(alone)
    return is_behind and one.criterion < np.median([o.criterion for o in others])


def _is_combined(pipeline: PipelineSpec, stage: str) -> bool:
    return pipeline.get(stage, NOTHING[stage]) != NOTHING[stage]


def _with_generators(
    best: Sequence[Finished],
    tried: Set[tuple[str, str, Any]],
    space: Space,
    problem: Problem,
) -> list[PipelineSpec]:
    """Combine promising learners with the generators that pay before them, once."""
    names = [option.name for option in space.generate]
    promising: dict[str, PipelineSpec] = {}
    for one in best:
        promising.setdefault(one.pipeline["learner"], one.pipeline)
    return [
        space.complete({**pipeline, "generate": generator, **ALONE}, problem)
        for learner, pipeline in list(promising.items())[:N_PROMISING]
        for generator, learners in GENERATING
        if learner in learners and generator in names
        if (learner, "generate", generator) not in tried
    ]


def _has_options(space: Space, partial: Mapping[str, Any]) -> bool:
    """Return whether a space has all options of a pipeline."""
    for stage in ("generate", "encode", "scale", "reduce", "select"):
        names = [option.name for option in getattr(space, stage)]
        if stage in partial and partial[stage] not in names:
            return False
    return True
