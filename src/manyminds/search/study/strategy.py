"""Which chain to try next: first ones, selectors, tuning, branches, committees."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from manyminds.search.space.learners import is_large
from manyminds.search.space.problem import Problem
from manyminds.search.space.space import Chain, Space

__all__ = ["Finished", "Proposal", "first_chains", "propose", "safe_chains"]

# Learners in the order in which they are tried first: what is quick or usually good.
ORDER = (
    "quick_forest", "boosting", "forest", "logistic", "ridge", "extra_trees",
    "gaussian_svm", "discriminant", "rotation_forest", "linear_svm", "local_trees",
    "perceptron", "neighbors", "nrbf", "gaussian_process", "exponential_svm", "elm",
    "elastic_net", "projected_boosting", "naive_bayes", "ssv_tree",
)  # fmt: skip
# What gets a score on every table, however long it takes; on a large one, few trees.
SAFE = ("boosting", "forest")
SAFE_AND_QUICK = (
    {"learner": "quick_forest"},
    {
        "learner": "boosting", "boosting.max_iter": 30, "boosting.learning_rate": 0.1,
        "boosting.max_leaf_nodes": 31, "boosting.l2": 1.0,
    },
)  # fmt: skip
# Settings that have done well on many tables.
GOOD = (
    {
        "learner": "boosting", "boosting.learning_rate": 0.05,
        "boosting.max_iter": 250, "boosting.max_leaf_nodes": 12,
        "boosting.min_samples_leaf": 8, "boosting.max_features": 0.4,
    },
    {
        "learner": "boosting", "boosting.learning_rate": 0.03,
        "boosting.max_iter": 200, "boosting.max_leaf_nodes": 4,
        "boosting.min_samples_leaf": 3, "boosting.max_features": 0.5,
    },
    {"learner": "extra_trees", "extra_trees.max_features": 0.7},
    {"learner": "gaussian_svm", "gaussian_svm.C": 30, "gaussian_svm.width": 4},
)  # fmt: skip
# The chains that won places in the challenge of 2003, by the shares of columns there.
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
        "learner": "neighbors", "scale": "standard", "select": "correlation",
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
N_PROMISING = 3  # learners for which selectors are tried
WIDE = 100  # columns from which on the challenge's chains come first


@dataclass(frozen=True)
class Finished:
    """What a strategy knows of a trial."""

    chain: Chain
    score: float  # the criterion, more is better
    seconds: float


@dataclass(frozen=True)
class Proposal:
    """What to try next.

    Parameters
    ----------
    stage : {"base", "select", "tune", "branch", "committee"}
    fixed : dict
        A whole chain, or a part of one that Optuna's sampler is to complete.
    """

    stage: str
    fixed: dict[str, Any]


def first_chains(space: Space, problem: Problem) -> list[Chain]:
    """List the chains that a search begins with.

    Parameters
    ----------
    space : Space
        Cut for the problem.
    problem : Problem

    Returns
    -------
    chains : list of dict
        Those that the space brings along; each learner with its defaults; settings
        known to be good; the challenge's chains, early if there are many columns.
    """
    rank = {name: place for place, name in enumerate(ORDER)}
    learners = sorted(space.learner, key=lambda one: rank.get(one.name, -1))
    own = [{"learner": one.name} for one in learners if one.name not in rank]
    base = [
        _with_defaults(one.name, problem)
        for one in learners
        if one.name in rank and one.name not in SAFE
    ]
    safe = [_with_defaults(name, problem) for name in SAFE]
    if is_large(problem):
        safe = [*SAFE_AND_QUICK, *safe]
    challenge = list(CHALLENGE) if problem.n_features >= 20 else []
    if problem.n_features >= WIDE:
        wanted = [*own, *safe, *base[:1], *challenge, *base[1:], *GOOD]
    else:
        wanted = [*own, *safe, *base[:4], *GOOD[:2], *base[4:], *GOOD[2:], *challenge]
    return _complete_all([*space.first, *wanted], space, problem)


def safe_chains(space: Space, problem: Problem) -> list[Chain]:
    """List the chains that are neither pruned nor dropped because they take long.

    Parameters
    ----------
    space : Space
        Cut for the problem.
    problem : Problem

    Returns
    -------
    chains : list of dict
        Boosting and a forest with their defaults; on a large table, of few trees.
    """
    wanted = [_with_defaults(name, problem) for name in SAFE]
    if is_large(problem):
        wanted = list(SAFE_AND_QUICK)
    return _complete_all(wanted, space, problem)


def _with_defaults(name: str, problem: Problem) -> dict[str, Any]:
    """Return a learner's first chain; forests for classes take the root of columns."""
    chain: dict[str, Any] = {"learner": name}
    if name in ("forest", "extra_trees") and problem.n_classes:
        root = float(np.clip(problem.n_features**-0.5, 0.02, 1.0))
        chain[f"{name}.max_features"] = root
    return chain


def _complete_all(
    wanted: Sequence[Mapping[str, Any]], space: Space, problem: Problem
) -> list[Chain]:
    """Return whole chains of those wanted that the space has, each once."""
    names = {one.name for one in space.learner}
    chains: list[Chain] = []
    for partial in wanted:
        if partial["learner"] in names and _can_have(space, partial):
            chain = space.complete(partial, problem)
            chains += [chain] if chain not in chains else []
    return chains


def propose(
    finished: Sequence[Finished],
    known: Sequence[Chain],
    space: Space,
    problem: Problem,
    limit: float,
    rng: np.random.Generator,
) -> Proposal:
    """Propose a chain, by what has been found so far.

    Parameters
    ----------
    finished : sequence of Finished
        Trials that went through all folds.
    known : sequence of dict
        All chains that were tried or are being tried.
    space : Space
        Cut for the problem.
    problem : Problem
    limit : float
        Seconds that a trial may take.
    rng : numpy.random.Generator

    Returns
    -------
    proposal : Proposal
    """
    best = sorted(finished, key=lambda one: -one.score)
    if not best:
        return Proposal("tune", {})
    for chain in _with_selectors(best, space, problem):
        if chain not in known:
            return Proposal("select", chain)
    draw = rng.random()
    if draw < 0.1:
        for one in best[:5]:
            chain = space.complete({**one.chain, "committee": "committee"}, problem)
            if one.seconds * 6 < limit and chain not in known:
                return Proposal("committee", chain)
    parent = best[min(int(rng.exponential(2.0)), len(best) - 1)]
    if draw < 0.6:
        chain = space.change(parent.chain, problem, rng)
        if chain not in known:
            return Proposal("branch", chain)
    fixed = {"learner": parent.chain["learner"], "committee": "alone"}
    return Proposal("tune", fixed)


def _with_selectors(
    best: Sequence[Finished], space: Space, problem: Problem
) -> list[Chain]:
    """Chains of the most promising learners with each selector in front."""
    if problem.n_encoded < 8:
        return []
    promising = []
    for one in best:
        if one.chain["learner"] not in [other.chain["learner"] for other in promising]:
            promising.append(one)
    chains = []
    # A selector that keeps all columns would only repeat what is known.
    few = {
        "mrmr.count": max(2, min(15, problem.n_encoded // 2)),
        "selection_committee.count": max(2, min(10, problem.n_encoded // 4)),
    }
    for selecting in SELECTING[: None if problem.n_encoded >= WIDE else 4]:
        partial = selecting | few
        for one in promising[:N_PROMISING]:
            chain = space.complete({**one.chain, **partial}, problem)
            stage = next(iter(partial))
            if chain.get(stage) == partial[stage]:
                chains.append(chain)
    return chains


def _can_have(space: Space, partial: Mapping[str, Any]) -> bool:
    """Return whether a space has all options that a chain asks for."""
    for stage in ("encode", "scale", "reduce", "select"):
        names = [option.name for option in getattr(space, stage)]
        if stage in partial and partial[stage] not in names:
            return False
    return True
