"""The description of a study: what a search must share with it to continue it."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from manyminds.datasets.fingerprint import fingerprint
from manyminds.search.evaluation.evaluator import Evaluator
from manyminds.search.space.space import STAGES, Space
from manyminds.utils.errors import InputError, Parameter
from manyminds.utils.hashing import hash_bytes

__all__ = ["MINUTES", "check_same", "describe_study"]

OPTIONS = "options"  # of the stages
MINUTES = "minutes"  # for which folds were drawn
LATER = (OPTIONS, MINUTES)  # which studies of earlier versions do not name


def describe_study(
    evaluator: Evaluator, metric: str, minutes: int = 1, *, with_data: bool
) -> dict[str, Any]:
    """Return what distinguishes the study of a search from others, as plain values.

    Parameters
    ----------
    evaluator : Evaluator
    metric : str
        Name of the metric.
    minutes : int, default=1
        For which folds were drawn.
    with_data : bool
        Whether to add a hash of the data, as of a study that is stored.

    Returns
    -------
    about : dict
    """
    problem = evaluator.problem
    n_classes = problem.n_classes or problem.n_labels
    about: dict[str, Any] = {
        "task": problem.task,
        "table": [problem.n_samples, problem.n_features, n_classes],
        "metric": metric,
        MINUTES: minutes,
        "folds": len(evaluator.folds),
        "samples": list(evaluator.levels.shares),
        "dependence": evaluator.dependence,
    }
    if problem.texts:  # an earlier study has none of this: it did not score texts
        about["encoding of texts"] = "scored" if problem.scores_texts else "components"
    if with_data:
        about["data"] = _hash_inputs(evaluator)
    return {**about, OPTIONS: _list_options(evaluator.space)}


def check_same(name: str, stored: Mapping[str, Any], about: Mapping[str, Any]) -> None:
    """Raise if a stored study was made with other data or settings.

    Parameters
    ----------
    name : str
        Of the study.
    stored, about : mapping
        Descriptions of the stored study and of this search.
    """
    for key, value in about.items():
        if stored.get(key) == value or (key in LATER and key not in stored):
            continue
        what, remedy = _explain(key, stored.get(key), value)
        advice = (
            (". Continue it with ", *remedy, ", or name") if remedy else (". Name",)
        )
        raise InputError(
            f"The study {name!r} was made with {what}", *advice,
            " another study or storage.",
        )  # fmt: skip


def _list_options(space: Space) -> dict[str, list[str]]:
    """Return the names of the options of each stage."""
    stages = (*STAGES, "learner")
    return {one: [option.name for option in getattr(space, one)] for one in stages}


def _hash_inputs(evaluator: Evaluator) -> str:
    """Return a hash of all that out-of-fold predictions depend on."""
    X = evaluator.X
    X = pd.DataFrame(X) if isinstance(X, np.ndarray) else X
    y = evaluator.y if evaluator.y.ndim == 1 else pd.DataFrame(evaluator.y)
    table = fingerprint(X, y, evaluator.problem.task)
    chunks = [table.encode()]
    for train, test in evaluator.folds:
        chunks.append(np.sort(test).astype(np.int64).tobytes() + b"|")
        if len(train) + len(test) < len(evaluator.y):  # not all others, as by time
            chunks.append(np.sort(train).astype(np.int64).tobytes() + b"|")
    for codes in (evaluator.groups, evaluator.time):
        if codes is not None:
            chunks.append(np.asarray(codes, np.int64).tobytes() + b"|")
    if evaluator.sample_weight is not None:
        chunks.append(np.asarray(evaluator.sample_weight, np.float64).tobytes())
    return hash_bytes(chunks, 16)


# ------------------------------------------------------------------ differences


def _explain(key: str, stored: Any, here: Any) -> tuple[str, tuple[str, ...]]:
    """Return what differs, and what a search needs to continue the study, if it can."""
    if key == "format":
        return "another version of manyminds", ()
    if key == "data":
        return "other rows, weights, groups, times, folds or random_state", ()
    if key == MINUTES:  # a search with "auto" draws as many folds as the study has
        return "a number of folds that its budget decided", ()
    if key == OPTIONS:
        return _explain_options(stored, here), ("the same space and libraries",)
    if key == "samples" and stored is not None and len(here) == 1:
        what = (
            "a budget, for which pipelines are evaluated on samples of the rows first"
        )
        return what, ("a ", Parameter("budget"))
    if key == "samples" and stored == [1.0]:
        what = "no budget, and all pipelines are evaluated on all rows"
        return what, (Parameter("n_trials"), " alone")
    return f"another {key}: {stored!r}, not {here!r}", ()


def _explain_options(
    stored: Mapping[str, Sequence[str]], here: Mapping[str, Sequence[str]]
) -> str:
    """Name the options of the first stage that differs."""
    stages = [one for one in ("learner", *STAGES) if stored.get(one) != here.get(one)]
    stage = stages[0] if stages else "learner"
    known, found = stored.get(stage, ()), here.get(stage, ())
    gone = [one for one in known if one not in found]
    new = [one for one in found if one not in known]
    parts = [f"it has {', '.join(gone)}, which this search lacks"] * bool(gone)
    parts += [f"it lacks {', '.join(new)}, which this search has"] * bool(new)
    what = "learners" if stage == "learner" else f"options of the stage {stage!r}"
    differ = "; ".join(parts) or "they are in another order"
    return f"other {what}: {differ}"
