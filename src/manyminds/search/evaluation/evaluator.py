"""Cross-validate a pipeline: fit every step inside the fold, prune what is weak."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from manyminds.ensemble import center_thresholds
from manyminds.search.evaluation.column_trace import (
    Trace,
    as_names,
    number_columns,
    trace_members,
)
from manyminds.search.evaluation.dependence import cut_times
from manyminds.search.evaluation.evaluation import Evaluation
from manyminds.search.evaluation.fold_scores import should_prune
from manyminds.search.evaluation.fold_steps import FoldSteps
from manyminds.search.evaluation.folds import list_tested
from manyminds.search.evaluation.kept_models import KeptModels
from manyminds.search.evaluation.levels import Levels
from manyminds.search.evaluation.metrics import (
    PredictionScorer,
    nan_mean,
    predict_class_probabilities,
)
from manyminds.search.evaluation.row_arguments import pass_rows
from manyminds.search.evaluation.temperature import (
    CALIBRATED,
    fit_temperature,
    scale_temperature,
)
from manyminds.search.evaluation.timing import Stopwatch, start_stopwatch
from manyminds.search.space.prior_correction import PriorCorrectedClassifier
from manyminds.search.space.problem import Problem
from manyminds.search.space.space import PipelineSpec, Space
from manyminds.utils.tables import take_rows

__all__ = ["Evaluator", "limit_seconds"]

MIN_CALIBRATED = 1_000  # rows from which on probabilities are calibrated
MAX_CALL_SECONDS = 0.05  # of a prediction; what takes longer does not do so as a call
MIN_KEPT_SECONDS = 0.5  # of a fit; what is faster is fitted again
MAX_FIT_SHARE = 0.8  # of the limit of a trial, after which boosting adds no rounds


@dataclass(frozen=True)
class _Race:
    """What an evaluation runs against: the incumbent's folds, and time."""

    incumbent: Sequence[float]
    limit: float
    watch: Stopwatch


class Evaluator:
    """Cross-validate pipelines on the folds of one problem, in one process.

    Parameters
    ----------
    X : ndarray, sparse matrix or DataFrame of shape (n_samples, n_features)
    y : ndarray of shape (n_samples,) or (n_samples, n_labels)
        Codes of classes, numbers, or 0 and 1 of labels.
    folds : list of (train, test)
    space : Space
    problem : Problem
    measure : PredictionScorer
    sample_weight : ndarray of shape (n_samples,), default=None
    names : sequence of str, default=None
        Of the columns; None: "x0" and so on, or those of a DataFrame.
    levels : Levels or None, default=None
        Samples of the rows; None: all rows only.
    groups, time : ndarray of int of shape (n_samples,), default=None
        Codes of groups or times of the rows, for the judgement of what is chosen.
    kept : KeptModels or None, default=None
        Where models of all rows of the folds are kept; None: nowhere.
    timed_rows : int, default=0
        Rows to which those of a small fold are repeated to time their prediction.
    """

    def __init__(
        self,
        X: Any,
        y: np.ndarray,
        folds: Sequence[tuple[np.ndarray, np.ndarray]],
        space: Space,
        problem: Problem,
        measure: PredictionScorer,
        sample_weight: np.ndarray | None = None,
        names: Sequence[str] | None = None,
        levels: Levels | None = None,
        groups: np.ndarray | None = None,
        time: np.ndarray | None = None,
        kept: KeptModels | None = None,
        timed_rows: int = 0,
    ) -> None:
        self.X, self.y, self.timed_rows = X, y, timed_rows
        self.groups, self.time, self.kept = groups, time, kept
        if names is None:
            names = getattr(X, "columns", [f"x{j}" for j in range(X.shape[1])])
        self.names = as_names([str(name) for name in names])
        self.space, self.problem, self.measure = space, problem, measure
        self.sample_weight = sample_weight
        if levels is None:
            levels = Levels(list(folds), y, problem.task, 0)
        self.levels = levels
        self._steps = FoldSteps(X, y, space, self.names)

    @property
    def folds(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """The folds of all rows."""
        return self.levels.folds[-1]

    def __call__(
        self,
        pipeline: PipelineSpec,
        incumbent: Sequence[float] = (),
        limit: float = np.inf,
        previous: Evaluation | None = None,
        level: int | None = None,
    ) -> Evaluation:
        """Cross-validate a pipeline.

        Parameters
        ----------
        pipeline : dict
        incumbent : sequence of float, default=()
            Scores of the best pipeline so far, fold by fold: one that is clearly worse
            is pruned.
        limit : float, default=inf
            Seconds that all folds may take, without compiling: after a fold that shows
            that they will take longer, the evaluation is returned as "slow".
        previous : Evaluation or None, default=None
            A slow evaluation of this pipeline to continue, for one fold at least.
        level : int or None, default=None
            Number of the sample of rows to evaluate it on; None: all rows.

        Returns
        -------
        evaluation : Evaluation
        """
        level = self.levels.top if level is None else level
        made = Evaluation() if previous is None else replace(previous, state="complete")
        with start_stopwatch(made.seconds) as watch:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    race = _Race(incumbent, limit, watch)
                    try:
                        self._evaluate_folds(pipeline, level, race, made)
                    except MemoryError:
                        if not self._steps.forget():
                            raise
                        self._evaluate_folds(pipeline, level, race, made)
                    self._score_pooled(made, level)
                made.selected, made.names = number_columns(made.traces, self.names)
            except Exception as error:  # whatever an unusual pipeline may raise
                made.state, made.reason = "failed", f"{type(error).__name__}: {error}"
            made.seconds = watch.seconds
        if level < self.levels.top and made.state == "complete":
            made.state, made.predictions, made.traces = "sampled", None, []
        return made

    @property
    def tested(self) -> np.ndarray:
        """Positions of the rows that are in a test fold, sorted."""
        return list_tested(self.folds)

    @property
    def dependence(self) -> str | None:
        """How rows depend on each other: "groups", "time" or None."""
        if self.groups is not None:
            return "groups"
        return None if self.time is None else "time"

    def build(self, pipeline: PipelineSpec, level: int | None = None) -> Any:
        """Build the model of a pipeline for the rows that it is fitted to.

        Parameters
        ----------
        pipeline : dict
        level : int or None, default=None
            Number of the sample of rows; None: all rows.
        """
        n_rows = self.levels.n_rows[self.levels.top if level is None else level]
        n_rows = max(1, round(n_rows * pipeline.get("rows", 1.0)))
        return self.space.build(pipeline, replace(self.problem, n_samples=n_rows))

    def choose_rows(self, pipeline: PipelineSpec, rows: np.ndarray) -> np.ndarray:
        """Return those of some rows that a pipeline is fitted to: a share, or all."""
        return self.levels.sample(rows, pipeline.get("rows", 1.0))

    def fit_outside(
        self, pipeline: PipelineSpec, number: int, level: int | None = None
    ) -> Any:
        """Fit the whole model of a pipeline to the rows outside a fold.

        Parameters
        ----------
        pipeline : dict
        number : int
            Of the fold.
        level : int or None, default=None
            Number of the sample of rows; None: all rows.

        Returns
        -------
        model : estimator
            It takes rows of the table as they are.
        """
        train, _ = self._split(pipeline, number, level)
        model = self.build(pipeline, level)
        X, y = take_rows(self.X, train), self.y[train]
        weights, groups = self._weigh(train), self.get_groups(train)
        return model.fit(X, y, **pass_rows(model, weights, groups))

    def get_groups(self, rows: np.ndarray) -> np.ndarray | None:
        """Return the groups of rows, which stay together inside of fits as well.

        They are blocks of time where rows depend on each other by time.
        """
        if self.groups is not None:
            return self.groups[rows]
        return None if self.time is None else cut_times(self.time[rows])

    def get_outside(self, pipeline: PipelineSpec, number: int) -> Any:
        """Return the model of all rows outside a fold: as it was kept, or fitted."""
        if self.kept is not None and self.has_kept(pipeline):
            return self.kept.load(pipeline)[number]
        return self.fit_outside(pipeline, number)

    def has_kept(self, pipeline: PipelineSpec) -> bool:
        """Return whether the models of all folds of a pipeline are kept."""
        return self.kept is not None and self.kept.has(pipeline)

    def predict(self, model: Any, X: Any) -> np.ndarray:
        """Return the numbers that a fitted model predicts, or probabilities.

        Of classes, one for each class; of labels, one for each label.
        """
        if self.problem.task == "regression":
            return np.asarray(model.predict(X), dtype=np.float64).ravel()
        if self.problem.task == "multilabel":
            made = np.asarray(model.predict_proba(X), dtype=np.float32)
        else:
            codes = np.arange(self.problem.n_classes)
            made = predict_class_probabilities(model, X, codes).astype(np.float32)
        if not np.isfinite(made).all():
            raise ValueError("probabilities that are not finite")
        return made

    # ------------------------------------------------------------ folds

    def _evaluate_folds(
        self,
        pipeline: PipelineSpec,
        level: int,
        race: "_Race",
        evaluation: Evaluation,
    ) -> None:
        """Fit and predict fold by fold, until done, pruned or slow."""
        if evaluation.predictions is None:
            evaluation.predictions = self._allocate_predictions(level)
        folds = self.levels.folds[level]
        placed, n_folds = self.levels.placed[level], len(folds)
        models = []
        for number in range(len(evaluation.fold_scores), n_folds):
            made, trace, model = self._predict_fold(
                pipeline, number, level, evaluation, race
            )
            models.append(model)
            evaluation.traces.append(trace)
            evaluation.predictions[placed[number][1]] = made
            evaluation.fold_scores.append(self._score_fold(made, *folds[number]))
            n_done = number + 1
            if n_done == n_folds:
                self._keep(pipeline, level, evaluation, models)
                return
            if should_prune(evaluation.fold_scores, race.incumbent):
                evaluation.state = "pruned"
                return
            if race.watch.seconds / n_done * n_folds > race.limit:
                evaluation.state = "slow"
                return

    def _keep(
        self,
        pipeline: PipelineSpec,
        level: int,
        evaluation: Evaluation,
        models: list[Any],
    ) -> None:
        """Keep models that took long, for the final model."""
        is_slow = evaluation.fit_seconds >= MIN_KEPT_SECONDS
        if self.kept is None or level < self.levels.top or not is_slow:
            return
        if len(models) == len(self.folds) and None not in models:
            score = float(nan_mean(np.array(evaluation.fold_scores)))
            self.kept.save(pipeline, models, score)

    def _allocate_predictions(self, level: int) -> np.ndarray:
        n_tested = sum(len(test) for _, test in self.levels.folds[level])
        if self.problem.task == "regression":
            return np.full(n_tested, np.nan)
        shape = n_tested, self.problem.n_classes or self.problem.n_labels
        return np.full(shape, np.nan, dtype=np.float32)

    def _predict_fold(
        self,
        pipeline: PipelineSpec,
        number: int,
        level: int,
        evaluation: Evaluation,
        race: "_Race",
    ) -> tuple[np.ndarray, Trace, Any]:
        """Fit a pipeline outside a fold, and predict the rows inside.

        Return the predictions, the trace of the columns, and the fitted model; None if
        it is not whole.
        """
        train, test = self._split(pipeline, number, level)
        model, watch = self.build(pipeline, level), race.watch
        start = watch.seconds
        if not isinstance(model, Pipeline):
            model = self.fit_outside(pipeline, number, level)
            fitted = watch.seconds
            made = self.predict(model, take_rows(self.X, test))
            evaluation.add_seconds(fitted - start, watch.seconds - fitted, len(test))
            return made, trace_members(model, self.names), model
        rows = (number, level, pipeline.get("rows", 1.0))
        groups = self.get_groups(train)
        tables = self._steps.apply(pipeline, model, rows, train, test, watch, groups)
        start = watch.seconds
        learner = model.steps[-1][1]
        if level == self.levels.top:
            limit_seconds(learner, MAX_FIT_SHARE * race.limit)
        given = pass_rows(learner, self._weigh(train), groups)
        learner.fit(tables.train, self.y[train], **given)
        fitted = watch.seconds
        made = self.predict(learner, tables.test)
        predicting = self._time_prediction(learner, tables.test, watch, fitted)
        evaluation.add_seconds(
            tables.fit_seconds + fitted - start,
            tables.transform_seconds + predicting,
            len(test),
        )
        if tables.steps is not None:
            names = [name for name, _ in model.steps]
            model = Pipeline(list(zip(names, (*tables.steps, learner))))
        return made, tables.trace, None if tables.steps is None else model

    def _time_prediction(
        self, learner: Any, X: Any, watch: Stopwatch, start: float
    ) -> float:
        """Return the seconds to predict a fold; of few rows, as a part of many.

        The call alone takes a millisecond or more, which would count for each row.
        """
        seconds, n_rows = watch.seconds - start, X.shape[0]
        if n_rows >= self.timed_rows or seconds > MAX_CALL_SECONDS:
            return seconds
        many = take_rows(X, np.resize(np.arange(n_rows), self.timed_rows))
        start = watch.seconds
        self.predict(learner, many)
        return (watch.seconds - start) * n_rows / self.timed_rows

    def _split(
        self, pipeline: PipelineSpec, number: int, level: int | None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the rows that a pipeline is fitted to, and those of the fold."""
        level = self.levels.top if level is None else level
        train, test = self.levels.folds[level][number]
        return self.choose_rows(pipeline, train), test

    # ------------------------------------------------------------ scores

    def find_threshold(self, made: np.ndarray, number: int) -> np.ndarray:
        """Return the thresholds of labels for the predictions of a fold."""
        return self.measure.find_threshold(made, self.y[self.folds[number][0]])

    def score(self, made: np.ndarray, rows: np.ndarray, threshold: np.ndarray) -> float:
        """Score predictions of rows, where labels begin above their thresholds."""
        if self.problem.task == "multilabel":
            made = center_thresholds(made, threshold)
        return self.score_decided(made, rows)

    def score_decided(self, made: np.ndarray, rows: np.ndarray) -> float:
        """Score predictions of rows as they are."""
        return self.measure(made, self.y[rows], self._weigh(rows))

    def _weigh(self, rows: np.ndarray) -> np.ndarray | None:
        return None if self.sample_weight is None else self.sample_weight[rows]

    def _score_fold(
        self, made: np.ndarray, train: np.ndarray, test: np.ndarray
    ) -> float:
        weights = self._weigh(test)
        counted = test if weights is None else test[weights > 0]
        if not len(counted):  # as may be in a sample of the rows
            return np.nan
        threshold = self.measure.find_threshold(made, self.y[train])
        if self._calibrates:
            made = scale_temperature(made, self._fit_temperature(made, test))
        score = self.score(made, test, threshold)
        if not np.isfinite(score):
            n_classes = len(np.unique(self.y[counted]))
            if not self.problem.n_classes or n_classes == self.problem.n_classes:
                raise ValueError("a score that is not finite")
        return score

    @property
    def _calibrates(self) -> bool:
        """Whether probabilities are scaled by a temperature before they are scored.

        It is fitted to the rows that it scales; of so many rows, one number adapts to
        none of them. Rankings of learners then do not depend on how sure they are.
        """
        is_about_classes = self.problem.task == "classification"
        is_large = len(self.y) >= MIN_CALIBRATED
        return is_about_classes and is_large and self.measure.kind in CALIBRATED

    def _fit_temperature(self, made: np.ndarray, rows: np.ndarray) -> float:
        return fit_temperature(made, self.y[rows], self._weigh(rows))

    def _score_pooled(self, evaluation: Evaluation, level: int) -> None:
        """Score the pooled predictions of all folds that were done."""
        assert evaluation.predictions is not None
        folds = self.levels.folds[level]
        done = self.levels.placed[level][: len(evaluation.fold_scores)]
        places = list_tested(done)
        rows = list_tested(folds)[places]
        if evaluation.state == "complete" and self._calibrates:
            made = evaluation.predictions
            evaluation.temperature = self._fit_temperature(made[places], rows)
            scaled = scale_temperature(made, evaluation.temperature)
            evaluation.predictions = scaled.astype(np.float32)
        adapted = self.measure.adapt(evaluation.predictions, self.y, done)[places]
        evaluation.score = self.measure(adapted, self.y[rows], self._weigh(rows))
        if evaluation.state == "complete" and not np.isfinite(evaluation.score):
            raise ValueError("the pooled predictions of all folds cannot be scored")


def limit_seconds(learner: Any, seconds: float) -> None:
    """Let a learner end in time that can: a model of fewer rounds, instead of none.

    Parameters
    ----------
    learner : estimator
    seconds : float
        For its fit; may be infinite.
    """
    while isinstance(learner, PriorCorrectedClassifier):
        learner = learner.estimator
    if np.isfinite(seconds) and "max_seconds" in learner.get_params(deep=False):
        learner.set_params(max_seconds=seconds)
