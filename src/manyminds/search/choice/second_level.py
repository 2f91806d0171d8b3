"""The second level of a search: learners that also read what good pipelines predict."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from scipy.sparse import issparse

from manyminds.search.choice.level_fit import scale_model
from manyminds.search.choice.members import Member
from manyminds.search.choice.simplex import Losses
from manyminds.search.choice.stacked import (
    StackedClassifier,
    StackedRegressor,
    append_predictions,
    count_appended,
)
from manyminds.search.choice.strategies import N_CANDIDATES, pick_candidates
from manyminds.search.evaluation.evaluation import Evaluation
from manyminds.search.evaluation.evaluator import Evaluator
from manyminds.search.evaluation.folds import list_tested
from manyminds.search.space.space import PipelineSpec
from manyminds.search.study.proposals import add_task_defaults
from manyminds.search.study.trial_record import INPUTS, TrialRecord
from manyminds.search.study.trial_store import TrialStore
from manyminds.utils.threads import limit_threads

__all__ = ["SecondLevel", "plan_second_level", "search_second_level"]

# Learners of the second level, in the order in which they are evaluated. A forest is
# none: its deep trees find the rows of a test fold in predictions of models that were
# fitted to these, and it looks better out of fold than it is.
LEARNERS = ("extra_gb", "symmetric_gb", "real_mlp", "gb")
MIN_SECONDS = 90.0  # of a budget: of less, more pipelines are worth more
SHARE = 0.15  # of the budget
MAX_CELLS = 15_000_000  # of a table, which is copied; trials have one thread each
MAX_INPUTS, MIN_INPUTS = 6, 2
MAX_APPENDED = 80  # columns
MIN_WEIGHT = 0.02  # of a pipeline in a committee, whose members are the inputs
MAX_TUNED = 4  # pipelines of each learner that are evaluated here, too


@dataclass(frozen=True, eq=False)
class SecondLevel:
    """A table with the out-of-fold predictions of pipelines as further columns.

    Folds are those of the pipelines: what a learner reads of a row comes from models
    that were not fitted to it [1]_.

    Parameters
    ----------
    numbers : tuple of int
        Trials of the inputs.
    inputs : list of Member
        Pipelines whose predictions are columns.
    evaluator : Evaluator
        Of the table with these columns.

    References
    ----------
    .. [1] Wolpert, "Stacked generalization", *Neural Networks* 5, 1992.
    """

    numbers: tuple[int, ...]
    inputs: list[Member]
    evaluator: Evaluator

    @classmethod
    def of(
        cls, evaluator: Evaluator, numbers: Sequence[int], inputs: Sequence[Member]
    ) -> "SecondLevel":
        """Return the second level above some pipelines.

        Parameters
        ----------
        evaluator : Evaluator
            Of the first level.
        numbers : sequence of int
        inputs : sequence of Member
        """
        problem = evaluator.problem
        n_more = len(inputs) * count_appended(problem.n_classes)
        wider = replace(
            problem,
            n_features=problem.n_features + n_more,
            n_encoded=problem.n_encoded + n_more,
            n_numbers=problem.n_numbers + n_more,
        )
        above = Evaluator(
            _append_stored(evaluator.X, inputs),
            evaluator.y,
            evaluator.folds,
            evaluator.space,
            wider,
            evaluator.measure,
            evaluator.sample_weight,
            [*evaluator.names, *(f"prediction {k + 1}" for k in range(n_more))],
        )
        return cls(tuple(numbers), list(inputs), above)

    def append(self, X: Any) -> Any:
        """Append the out-of-fold predictions to the table of the search.

        Parameters
        ----------
        X : ndarray or DataFrame of shape (n_samples, n_features)
            All rows.
        """
        return _append_stored(X, self.inputs)

    def stack(self, inputs: Sequence[Any], learner: Any, y: np.ndarray) -> Any:
        """Return the model of fitted inputs, and of a learner fitted to their table.

        Parameters
        ----------
        inputs : sequence of estimator
            In the order of those of this level, with scaled probabilities.
        learner : estimator
        y : ndarray of shape (n_samples,)
            The target to which they are fitted.
        """
        is_numbers = self.evaluator.problem.task == "regression"
        kind = StackedRegressor if is_numbers else StackedClassifier
        return kind.of_fitted(inputs, learner, y)

    def get_outside(
        self, evaluator: Evaluator, pipeline: PipelineSpec, number: int
    ) -> Any:
        """Return the model of a pipeline of this level of all rows outside a fold.

        Parameters
        ----------
        evaluator : Evaluator
            Of the first level.
        pipeline : dict
        number : int
            Of the fold.
        """
        codes = evaluator.y
        inputs = [
            scale_model(
                evaluator.get_outside(one.pipeline, number), one.temperature, codes
            )
            for one in self.inputs
        ]
        return self.stack(inputs, self.evaluator.fit_outside(pipeline, number), codes)


def _append_stored(X: Any, inputs: Sequence[Member]) -> Any:
    return append_predictions(X, [one.stored.predictions for one in inputs])


def plan_second_level(evaluator: Evaluator, limit: float) -> float:
    """Return the seconds for a second level; 0 where there is none.

    It takes independent rows, all of them tested, as many as a search looks at in
    growing samples: of few rows, what the models of other folds know of a fold would
    count.

    Parameters
    ----------
    evaluator : Evaluator
    limit : float
        Seconds of the budget; may be infinite.

    Returns
    -------
    seconds : float
    """
    problem, folds = evaluator.problem, evaluator.folds
    is_large = evaluator.levels.top > 0 and len(folds) > 1
    is_whole = len(list_tested(folds)) == problem.n_samples
    is_simple = evaluator.dependence is None and not issparse(evaluator.X)
    is_single = problem.task != "multilabel" and evaluator.space.stacks
    fits = problem.n_samples * problem.n_features <= MAX_CELLS
    if not (is_large and is_whole and is_simple and is_single and fits):
        return 0.0
    return SHARE * limit if MIN_SECONDS <= limit < np.inf else 0.0


def search_second_level(
    store: TrialStore,
    evaluator: Evaluator,
    seconds: float,
    *,
    n_cores: int,
    alpha: float,
    at: float,
) -> SecondLevel | None:
    """Evaluate learners on the table with the predictions of the best committee.

    Parameters
    ----------
    store : TrialStore
        Whose complete trials are the first level; those of the second are added.
    evaluator : Evaluator
    seconds : float
        After which no other learner is evaluated, and none that is predicted to take
        longer.
    n_cores : int
        On which learners are evaluated side by side.
    alpha : float
        Pipelines are ranked by their score less so many standard deviations.
    at : float
        Second of the run.

    Returns
    -------
    level : SecondLevel or None
        None if there are not enough pipelines.
    """
    started, seen = monotonic(), store.read()
    level = _choose_inputs(seen.select("complete"), store, evaluator)
    if level is None:
        return None
    known = [one.pipeline for one in seen.stacked]

    def evaluate(pipeline: PipelineSpec) -> tuple[PipelineSpec, Evaluation | None]:
        left = seconds - (monotonic() - started)
        if pipeline in known or not _predict_seconds(pipeline, seen.records) <= left:
            return pipeline, None
        return pipeline, level.evaluator(pipeline, limit=left)

    # One thread as in the trials of the first level. Ctrl-C ends this level alone.
    with limit_threads(1), suppress(KeyboardInterrupt):
        run = Parallel(n_cores, prefer="threads", return_as="generator")
        pipelines = _list_pipelines(level, seen.select("complete"))
        for pipeline, made in run(delayed(evaluate)(one) for one in pipelines):
            if made is not None and made.state == "complete":
                made.selected, made.names = [], []  # not columns of the table alone
                made.predict_seconds += sum(one.predict_seconds for one in level.inputs)
                spent = monotonic() - started
                store.add_stacked(pipeline, made, alpha=alpha, at=at + spent)
    return level


def _choose_inputs(
    complete: Sequence[TrialRecord], store: TrialStore, evaluator: Evaluator
) -> SecondLevel | None:
    """Return the second level above the members of a committee of least loss."""
    ranked = sorted(complete, key=lambda one: (-one.criterion, one.number))
    learners = np.array([one.pipeline["learner"] for one in ranked])
    picked = [ranked[k] for k in pick_candidates(learners, N_CANDIDATES)]
    stored = store.predictions.read([one.number for one in picked])
    picked = [one for one in picked if one.number in stored]
    if len(picked) < MIN_INPUTS:
        return None
    P = np.stack([stored[one.number].predictions for one in picked])
    weights = Losses(P, evaluator.y, evaluator.sample_weight).minimize()
    n_most = MAX_APPENDED // count_appended(evaluator.problem.n_classes)
    n_most = max(MIN_INPUTS, min(MAX_INPUTS, n_most))
    heaviest = np.argsort(-weights, kind="stable")[:n_most]
    n_inputs = max(MIN_INPUTS, np.count_nonzero(weights[heaviest] >= MIN_WEIGHT))
    heaviest = heaviest[:n_inputs]
    chosen = sorted((picked[k] for k in heaviest), key=lambda one: one.number)
    inputs = [Member.of(one, stored[one.number]) for one in chosen]
    return SecondLevel.of(evaluator, [one.number for one in chosen], inputs)


def _list_pipelines(
    level: SecondLevel, complete: Sequence[TrialRecord]
) -> list[PipelineSpec]:
    """List the pipelines of the second level: learners with their defaults.

    As long as there is time, the best pipelines of these learners follow, in turn.
    """
    space, problem = level.evaluator.space, level.evaluator.problem
    known = [one.name for one in space.learner]
    learners = [one for one in LEARNERS if one in known]
    wanted = [add_task_defaults({"learner": one}, problem) for one in learners]
    ranked = sorted(complete, key=lambda one: (-one.criterion, one.number))
    of_learner = {
        name: [one.pipeline for one in ranked if one.pipeline["learner"] == name]
        for name in learners
    }
    for place in range(MAX_TUNED):
        wanted += [some[place] for some in of_learner.values() if place < len(some)]
    pipelines: list[PipelineSpec] = []
    for one in wanted:
        pipeline = {**space.complete(one, problem), INPUTS: level.numbers}
        pipelines += [pipeline] if pipeline not in pipelines else []
    return pipelines


def _predict_seconds(pipeline: PipelineSpec, records: Sequence[TrialRecord]) -> float:
    """Return the mean seconds of the learner on all rows.

    NaN if it had no trial there: it may be too slow.
    """
    learner = pipeline["learner"]
    made = [
        one.seconds
        for one in records
        if one.state == "complete" and one.pipeline["learner"] == learner
    ]
    return float(np.mean(made)) if made else np.nan
