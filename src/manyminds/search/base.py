"""The common base of both searches: search, choose, judge and fit."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from numbers import Integral, Real
from pathlib import Path
from time import monotonic
from typing import Any, Self

import numpy as np
from joblib import effective_n_jobs
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import (
    check_consistent_length,
    check_is_fitted,
    validate_data,
)

from manyminds._compat import DocLinkMixin, Interval, StrOptions
from manyminds.datasets.frames import as_pandas
from manyminds.datasets.model_input import as_table, as_target
from manyminds.search.choice.calibration import calibrate, describe_dependence
from manyminds.search.choice.final_model import FinalModel, choose_final_model
from manyminds.search.choice.importance import measure_importance
from manyminds.search.choice.nested_validation import check_repetitions, score_nested
from manyminds.search.choice.results import make_leaderboard, make_selection, make_trace
from manyminds.search.choice.second_level import (
    SecondLevel,
    plan_second_level,
    search_second_level,
)
from manyminds.search.choice.training_columns import TrainingColumns
from manyminds.search.evaluation.compilation import compile_kernels
from manyminds.search.evaluation.dask_pool import DaskPool
from manyminds.search.evaluation.dependence import check_weights, encode_dependence
from manyminds.search.evaluation.evaluator import Evaluator
from manyminds.search.evaluation.folds import count_minutes, make_folds, spread_rows
from manyminds.search.evaluation.kept_models import KeptModels
from manyminds.search.evaluation.label_metrics import make_scorer
from manyminds.search.evaluation.levels import Levels, choose_shares
from manyminds.search.evaluation.ray_pool import RAY, RayPool
from manyminds.search.evaluation.resources import (
    Resources,
    plan_resources,
    read_bytes,
)
from manyminds.search.evaluation.timing import read_seconds
from manyminds.search.evaluation.worker_pool import WorkerPool
from manyminds.search.evaluation.workers import Workers
from manyminds.search.space import Problem, Space, default_space
from manyminds.search.space.problem import check_informative
from manyminds.search.space.space import PipelineSpec
from manyminds.search.study.clock import SearchClock
from manyminds.search.study.description import describe_study
from manyminds.search.study.proposals import (
    list_floor_pipelines,
    list_initial_pipelines,
)
from manyminds.search.study.scheduler import Scheduler
from manyminds.search.study.storage import explain_storage
from manyminds.search.study.trial_record import SearchProgress, TrialRecord
from manyminds.search.study.trial_store import TrialStore, read_minutes
from manyminds.utils._paragraphs import ROWS
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.errors import InputError
from manyminds.utils.scratch_folders import scratch_folder
from manyminds.utils.tables import is_frame

TIMED_ROWS = 1_000  # that are predicted to find how many a second can be
MIN_COMMITTEE_SHARE = 0.6  # of the rows of a fold: less than two of three parts
IMPORTANCE_SHARE = 0.03  # of the budget, after which no other fold is measured


@fill_docstring(**ROWS)
class BaseComplexModelSearch(DocLinkMixin, BaseEstimator):
    """Search pipelines, choose and judge a final model, and fit it."""

    task_: str  # "classification", "regression" or "multilabel"
    oof_predictions_: np.ndarray

    _parameter_constraints = {
        "budget": [str, Interval(Real, 0, None, closed="neither"), None],
        "n_trials": [Interval(Integral, 1, None, closed="left"), None],
        "metric": [str, callable],
        "cv": ["cv_object", StrOptions({"auto"})],
        "space": [Space, None],
        "committee": ["boolean"],
        "validation": [StrOptions({"bootstrap", "nested"})],
        "outer_cv": [Interval(Integral, 2, None, closed="left")],
        "alpha": [Interval(Real, 0, None, closed="left")],
        "predict_limit": [Interval(Real, 0, None, closed="neither"), None],
        "storage": [str, Path, None],
        "study_name": [str],
        "on_progress": [callable, None],
        "cluster": [str, None],
        "memory": [str, Interval(Real, 0, None, closed="neither"), None],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        budget: float | str | None = "60s",
        *,
        n_trials: int | None = None,
        metric: str | Callable[..., float] = "auto",
        cv: Any = "auto",
        space: Space | None = None,
        committee: bool = True,
        validation: str = "bootstrap",
        outer_cv: int = 3,
        alpha: float = 0.0,
        predict_limit: float | None = None,
        storage: str | Path | None = None,
        study_name: str = "search",
        on_progress: Callable[[SearchProgress], None] | None = None,
        cluster: str | None = None,
        memory: float | str | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.budget = budget
        self.n_trials = n_trials
        self.metric = metric
        self.cv = cv
        self.space = space
        self.committee = committee
        self.validation = validation
        self.outer_cv = outer_cv
        self.alpha = alpha
        self.predict_limit = predict_limit
        self.storage = storage
        self.study_name = study_name
        self.on_progress = on_progress
        self.cluster = cluster
        self.memory = memory
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        groups: Any = None,
        time: Any = None,
    ) -> Self:
        """Search, choose and judge a model, and fit it to all rows.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
            Numbers, dates and categories, with missing values; columns of text count as
            categories, or as dates if all their cells are dates of ISO 8601.
        y : array-like of shape (n_samples,) or (n_samples, n_labels)
            Classes or numbers; for a classifier, 0 and 1 for each of several labels.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows, 0 or more, in fits and in scores. Learners that do not
            take them are left out.
        groups : array-like of shape (n_samples,), default=None
            Rows with the same value, such as the visits of one patient, stay in one
            fold, so that scores are those of new groups.
        time : array-like of shape (n_samples,), default=None
            Numbers or dates: rows are predicted by models of earlier rows only, and
            the first rows are not tested. Not together with ``groups``.

        Returns
        -------
        self : object
        """
        started = monotonic()
        limit = self._check_settings()
        X, y, seed, evaluator = self._prepare(X, y, sample_weight, groups, time)
        rows = (evaluator.sample_weight, seed, evaluator.groups, evaluator.time)
        if self.validation == "nested":  # before the budget is spent
            check_repetitions(self, X, y, *rows)

        resources = self._plan_resources(evaluator)
        started += self._compile(evaluator, resources, limit)  # which is not counted
        ends = started + limit
        with self._keep_models(evaluator, resources):
            with explain_storage(self._storage_url):
                records, final = self._search(evaluator, resources, limit, ends, seed)
            self._set_results(records, final, evaluator, X)
            self.best_model_, self.committee_ = final.fit(
                evaluator, X, y, evaluator.sample_weight, self.n_jobs,
                ends - monotonic(),
            )  # fmt: skip
            left = max(0.0, min(IMPORTANCE_SHARE * limit, ends - monotonic()))
            self.importance_ = measure_importance(
                evaluator, final, self._name_columns(X), left, seed
            )
        self.model_ = self.best_model_ if self.committee_ is None else self.committee_
        if self.validation == "nested":
            self.honest_score_ = score_nested(self, X, y, *rows)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Predict by the final model.

        {predict_table}
        y : ndarray of shape (n_samples,) or (n_samples, n_labels)
        """
        check_is_fitted(self)
        return self.model_.predict(self._check_new(X))

    # ------------------------------------------------------------ steps of fit

    def _check_settings(self) -> float:
        """Check the parameters; return the seconds of the budget."""
        self._validate_params()
        seconds = read_seconds(self.budget)
        if seconds is None and self.n_trials is None:
            raise InputError("budget and n_trials cannot both be None.")
        is_number = isinstance(self.cv, Integral)
        if self.validation == "nested" and not (is_number or self.cv == "auto"):
            raise InputError(
                "cv must be a number or 'auto' if validation='nested', which draws "
                f"folds again; got {self.cv!r}."
            )
        return np.inf if seconds is None else seconds

    def _prepare(
        self, X: Any, y: Any, sample_weight: Any, groups: Any, time: Any
    ) -> tuple[Any, np.ndarray, int, Evaluator]:
        """Check all that is searched; return table, target, seed and evaluator."""
        X, y, codes = self._check_table(X, y)
        if sample_weight is not None:
            sample_weight = check_weights(sample_weight, X)
        groups, time = encode_dependence(groups, time, X)
        rng = check_random_state(self.random_state)
        seed = int(rng.randint(2**31 - 1))
        evaluator = self._make_evaluator(X, codes, sample_weight, seed, groups, time)
        return X, y, seed, evaluator

    def _make_evaluator(
        self,
        X: Any,
        codes: np.ndarray,
        sample_weight: np.ndarray | None,
        seed: int,
        groups: np.ndarray | None,
        time: np.ndarray | None,
    ) -> Evaluator:
        """Restrict the space to the problem, and draw the folds."""
        task, classes = self.task_, getattr(self, "classes_", None)
        measure = make_scorer(self.metric, task, classes)
        problem = Problem.of(X, codes, task, measure.kind, is_in_time=time is not None)
        space = default_space(task) if self.space is None else self.space
        self._minutes = self._count_minutes()
        folds = make_folds(
            self.cv, X, codes, task, seed,
            with_all_classes=measure.needs_all_classes, groups=groups, time=time,
            sample_weight=sample_weight, minutes=self._minutes,
        )  # fmt: skip
        least = min(len(train) for train, _ in folds) / len(codes)  # the first, by time
        share = min(problem.fit_share, MIN_COMMITTEE_SHARE * least)
        problem = replace(problem, fit_share=share)
        if groups is not None or time is not None:  # which a committee cannot know
            space = replace(space, committees=False)
        self.metric_ = measure.name
        self.folds_ = folds
        self._measure = measure
        space = space.suiting(problem)
        if sample_weight is not None:
            measure.require_weights()
            space = space.taking_weights(problem)
        # Rows of arrays are faster to take than those of frames; no step needs names.
        is_numeric = not (problem.n_categorical or problem.n_dates or problem.texts)
        numbers = X.to_numpy() if hasattr(X, "to_numpy") and is_numeric else X
        levels = Levels(folds, codes, task, seed, self._choose_levels(len(codes)))
        if levels.top:  # where one fit counts, a pipeline is not fitted seven times
            space = replace(space, committees=False)
        return Evaluator(
            numbers, codes, folds, space, problem, measure,
            sample_weight, self._name_columns(X), levels, groups, time,
            timed_rows=0 if self.predict_limit is None else TIMED_ROWS,
        )  # fmt: skip

    def _count_minutes(self) -> int:
        """Return the minutes for which folds are drawn: those of a stored study."""
        if isinstance(self.cv, str):
            stored = read_minutes(self._storage_url, self.study_name)
            return stored or count_minutes(read_seconds(self.budget))
        return 1

    @contextmanager
    def _keep_models(
        self, evaluator: Evaluator, resources: Resources
    ) -> Iterator[None]:
        """Keep models of folds while this lasts, if a fit counts: of a large table.

        Not by time: the model of the first fold knows the oldest rows alone. Nor where
        a model must predict quickly: those of the folds take several times as long.
        """
        is_local = self.cluster is None and resources.has_processes
        can_keep = evaluator.problem.task != "multilabel" and evaluator.time is None
        can_keep &= self.predict_limit is None
        if not (evaluator.levels.top and is_local and can_keep):
            yield
            return
        with scratch_folder() as folder:
            evaluator.kept = KeptModels(folder)
            yield
            evaluator.kept = None

    def _choose_levels(self, n_rows: int) -> tuple[float, ...]:
        """Return the shares of rows on which pipelines are evaluated.

        Without a limit of time, all rows only: results do not depend on speed.
        """
        return (1.0,) if self.budget is None else choose_shares(n_rows)

    def _plan_resources(self, evaluator: Evaluator) -> Resources:
        """Plan processes, threads and memory for the table."""
        return plan_resources(
            effective_n_jobs(self.n_jobs),
            evaluator.problem,
            read_bytes(self.memory),
            is_timed=evaluator.levels.top > 0,
            is_bounded=self.memory is not None,
        )

    def _search(
        self,
        evaluator: Evaluator,
        resources: Resources,
        limit: float,
        ends: float,
        seed: int,
    ) -> tuple[Sequence[TrialRecord], FinalModel]:
        """Evaluate pipelines and choose; return the trials and the choice."""
        workers = self._make_workers(evaluator, resources)
        url, name = self._storage_url, self.study_name
        store = TrialStore(url, name, seed, evaluator.space, evaluator.problem)
        try:
            queue: list[PipelineSpec] = []  # of samples, the scheduler has a plan
            if not evaluator.levels.top:
                queue = list_initial_pipelines(evaluator.space, evaluator.problem)
            about = describe_study(
                evaluator, self.metric_, self._minutes,
                with_data=self.storage is not None,
            )  # fmt: skip
            store.begin(about, queue)
            scheduler = Scheduler(store, evaluator, seed, self.alpha, self.on_progress)
            second = self._run(scheduler, workers, resources.n_workers, limit, ends)
            seen = store.read()  # once: others may continue a shared study
            numbers = () if second is None else second.numbers
            records = [*seen.records, *seen.list_stacked(numbers)]
            final = choose_final_model(
                records,
                store.predictions,
                evaluator,
                alpha=self.alpha,
                with_committee=self.committee,
                seconds=max(0.0, ends - monotonic()),
                seed=seed,
                n_cores=resources.n_workers,  # fits were timed on the cores of one
                predict_limit=self.predict_limit,
                protected=list_floor_pipelines(evaluator.space, evaluator.problem),
                second=second,
            )
            return records, final
        finally:
            store.close()

    def _make_workers(self, evaluator: Evaluator, resources: Resources) -> Workers:
        if self.cluster is None:
            return WorkerPool(evaluator, resources)
        kind = RayPool if self.cluster.startswith(RAY) else DaskPool
        return kind(evaluator, self.cluster)

    def _run(
        self,
        scheduler: Scheduler,
        workers: Workers,
        n_workers: int,
        limit: float,
        ends: float,
    ) -> SecondLevel | None:
        """Evaluate pipelines, and learners that read what they predict, if any do."""
        evaluator, store = scheduler.evaluator, scheduler.store
        is_free = self.n_trials is None and self.predict_limit is None
        seconds = 0.0
        if self.committee and is_free:
            seconds = plan_second_level(evaluator, limit)
        clock = SearchClock.until(
            ends - seconds,
            limit,
            n_workers,
            len(evaluator.folds),
            is_kept=evaluator.kept is not None,
        )
        scheduler.run(clock, self.n_trials, workers)
        if not seconds or scheduler.is_interrupted:
            return None
        return search_second_level(
            store, evaluator, seconds, n_cores=n_workers, alpha=self.alpha,
            at=clock.elapsed,
        )  # fmt: skip

    def _compile(
        self, evaluator: Evaluator, resources: Resources, limit: float
    ) -> float:
        """Compile what is not on disk yet; return the seconds that it took."""
        if np.isinf(limit) and not resources.has_processes:
            return 0.0

        def report() -> None:
            if self.on_progress is not None:
                budget = read_seconds(self.budget) or np.inf
                state = SearchProgress(0, self.n_trials, 0.0, budget, np.nan, "", True)
                self.on_progress(state)

        space, problem = evaluator.space, evaluator.problem
        return compile_kernels(space, problem, resources.n_cores, report)

    def _set_results(
        self,
        records: Sequence[TrialRecord],
        final: FinalModel,
        evaluator: Evaluator,
        X: Any,
    ) -> None:
        self.leaderboard_ = make_leaderboard(records, self._measure)
        self.trace_ = make_trace(records, self._measure)
        self.honest_score_ = final.honest
        self.oof_predictions_ = spread_rows(final.predictions, self.folds_, X.shape[0])
        self.calibration_ = calibrate(
            self.task_, self.oof_predictions_, evaluator.y, evaluator.sample_weight
        )
        self._coverage_rows = describe_dependence(evaluator)
        self.weights_ = final.weights
        self.class_weights_ = final.class_weights
        self.selection_, self.selection_stability_ = make_selection(
            final.stored, self._name_columns(X)
        )

    @property
    def _storage_url(self) -> str | None:
        return None if self.storage is None else str(self.storage)

    # ------------------------------------------------------------ tables

    def _check_table(self, X: Any, y: Any) -> tuple[Any, np.ndarray, np.ndarray]:
        """Check a table and its target; return both, and the encoded target."""
        X = as_table(X, ensure_min_samples=2)
        validate_data(self, X, reset=True, skip_check_array=True)
        self._columns = TrainingColumns.of(X) if is_frame(X) else None
        y = self._read_target(y)
        check_consistent_length(X, y)
        codes = self._encode_target(y)
        check_informative(X)
        return X, y, codes

    def _check_new(self, X: Any) -> Any:
        """Check a table to predict; of frames, read columns as those of training."""
        if self._columns is None or not hasattr(X, "columns"):
            X = as_table(X, dates=())
            validate_data(self, X, reset=False, skip_check_array=True)
            return X
        frame = as_pandas(X)
        validate_data(self, frame, reset=False, skip_check_array=True)
        if not len(frame):
            raise InputError("X must have at least 1 row; got n_samples=0.")
        return self._columns.read(frame)

    def _read_target(self, y: Any) -> np.ndarray:
        """Return the target as an array of one dimension."""
        return as_target(y)

    def _encode_target(self, y: np.ndarray) -> np.ndarray:
        """Check the target; return codes of its classes, or its numbers."""
        raise NotImplementedError

    @staticmethod
    def _name_columns(X: Any) -> list[str]:
        if hasattr(X, "columns"):
            return list(X.columns)
        return [f"x{place}" for place in range(X.shape[1])]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.non_deterministic = True
        return tags
