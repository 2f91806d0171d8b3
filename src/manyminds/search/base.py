"""What the searches for classes and for numbers share: search, choose, judge, fit."""

import time
from numbers import Integral, Real
from pathlib import Path

import numpy as np
import pandas as pd
from joblib import effective_n_jobs
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import (
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
    validate_data,
)

from manyminds._compat import DocLinkMixin, Interval, StrOptions, check_sample_weight
from manyminds.datasets.fingerprint import fingerprint
from manyminds.datasets.model_input import as_table, as_target, list_dates
from manyminds.search.choice.choosing import choose
from manyminds.search.choice.importance import measure_importance
from manyminds.search.choice.nested import score_nested
from manyminds.search.choice.results import make_leaderboard, make_selection, make_trace
from manyminds.search.evaluation.evaluating import Evaluator
from manyminds.search.evaluation.folds import make_folds
from manyminds.search.evaluation.measuring import Measurer
from manyminds.search.evaluation.timing import read_seconds
from manyminds.search.evaluation.warming import compile_kernels
from manyminds.search.space import Problem, Space, default_space
from manyminds.search.space.problem import check_informative
from manyminds.search.study.keeping import explain_storage
from manyminds.search.study.study import SearchProgress, Study
from manyminds.utils.hashing import hash_bytes

SHARE_OF_SEARCH = 0.8  # of the budget; the rest is for judging and the final fit
MIN_SEARCH = 0.5  # seconds, however long the table took to read
SHARE_OF_IMPORTANCE = 0.03  # of the budget, after which no other fold is measured


class BaseComplexModelSearch(DocLinkMixin, BaseEstimator):
    """What the searches for classes and for numbers share."""

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
        "storage": [str, Path, None],
        "study_name": [str],
        "on_progress": [callable, None],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        budget="60s",
        *,
        n_trials=None,
        metric="auto",
        cv="auto",
        space=None,
        committee=True,
        validation="bootstrap",
        outer_cv=3,
        alpha=0.0,
        storage=None,
        study_name="search",
        on_progress=None,
        n_jobs=None,
        random_state=None,
    ):
        self.budget = budget
        self.n_trials = n_trials
        self.metric = metric
        self.cv = cv
        self.space = space
        self.committee = committee
        self.validation = validation
        self.outer_cv = outer_cv
        self.alpha = alpha
        self.storage = storage
        self.study_name = study_name
        self.on_progress = on_progress
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Search, choose, judge, and fit what was chosen to all rows.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
            Numbers, dates and categories, with gaps; columns of text count as
            categories, or as dates if all their cells are dates of ISO 8601.
        y : array-like of shape (n_samples,)
            Classes or numbers.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows, for learners that take them: others fail.

        Returns
        -------
        self : object
        """
        self._validate_params()
        started, seconds = time.monotonic(), read_seconds(self.budget)
        if seconds is None and self.n_trials is None:
            raise ValueError("budget and n_trials cannot both be None.")
        is_number = isinstance(self.cv, Integral)
        if self.validation == "nested" and not (is_number or self.cv == "auto"):
            raise ValueError(
                "validation='nested' divides the rows again: cv must be a number or "
                f"'auto'; got {self.cv!r}."
            )
        X, codes = self._read(X, y)
        if sample_weight is not None:
            sample_weight = check_sample_weight(sample_weight, X)
        rng = check_random_state(self.random_state)
        seed = int(rng.randint(2**31 - 1))
        evaluator = self._prepare(X, codes, sample_weight, seed)
        limit = np.inf if seconds is None else seconds

        with explain_storage(None if self.storage is None else str(self.storage)):
            tried, chosen = self._search(evaluator, limit, seed, started)
        self._keep_results(tried, chosen, X)
        self._fit_chosen(chosen, evaluator, X, y, sample_weight)
        self.importance_ = measure_importance(
            evaluator, chosen.best, chosen.kept, self._names(X),
            SHARE_OF_IMPORTANCE * limit, seed,
        )  # fmt: skip
        if self.validation == "nested":
            self.honest_score_ = score_nested(
                self, X, column_or_1d(y), sample_weight, seed
            )
        return self

    def predict(self, X):
        """Predict by the chosen model.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        return self.model_.predict(self._read_again(X))

    # ------------------------------------------------------------ steps of fit

    def _prepare(self, X, codes, sample_weight, seed):
        """Cut the space for the problem, and draw the folds."""
        measure = Measurer(self.metric, self._task, getattr(self, "classes_", None))
        problem = Problem.of(X, codes, self._task, measure.kind)
        space = default_space(self._task) if self.space is None else self.space
        folds = make_folds(
            self.cv, X, codes, self._task, seed,
            with_all_classes=measure.needs_all_classes,
        )  # fmt: skip
        self.metric_ = measure.name
        self.folds_ = folds
        self._measure = measure
        # Arrays are quicker to divide than frames, and nobody sees names in a fold.
        numbers = X
        plain = not problem.n_categorical and not problem.n_dates
        if hasattr(X, "to_numpy") and plain:
            numbers = X.to_numpy()
        return Evaluator(
            numbers, codes, folds, space.suiting(problem), problem, measure,
            sample_weight, self._names(X),
        )  # fmt: skip

    def _search(self, evaluator, limit, seed, started):
        """Try chains and choose; return the trials, and what was chosen."""
        n_workers = effective_n_jobs(self.n_jobs)
        study = self._open_study(evaluator, seed)
        try:
            if np.isfinite(limit) or n_workers > 1:
                started += self._compile(evaluator, n_workers)  # which is not counted
            reserve = (1 - SHARE_OF_SEARCH) * limit
            left = SHARE_OF_SEARCH * limit - (time.monotonic() - started)
            study.run(max(left, MIN_SEARCH), self.n_trials, n_workers, reserve)
            rest = max(0.0, limit - (time.monotonic() - started))
            tried = study.tried()  # once: others may go on with a shared study
            return tried, choose(study, tried, self.committee, rest, seed)
        finally:
            study.close()

    def _compile(self, evaluator, n_workers):
        """Compile what is not on disk yet; return the seconds that it took."""

        def tell():
            if self.on_progress is not None:
                budget = read_seconds(self.budget) or np.inf
                state = SearchProgress(0, self.n_trials, 0.0, budget, np.nan, "", True)
                self.on_progress(state)

        return compile_kernels(evaluator.space, evaluator.problem, n_workers, tell)

    def _open_study(self, evaluator, seed):
        problem = evaluator.problem
        about = {
            "task": problem.task,
            "table": [problem.n_samples, problem.n_features, problem.n_classes],
            "metric": self.metric_,
            "folds": len(self.folds_),
        }
        storage = None if self.storage is None else str(self.storage)
        if storage is not None:  # what is kept must fit what is at hand
            about["data"] = self._fingerprint(evaluator)
        return Study(
            evaluator, storage, self.study_name, seed, self.alpha, about,
            self.on_progress,
        )  # fmt: skip

    @staticmethod
    def _fingerprint(evaluator):
        """Return digits that stand for all that predictions out of fold depend on."""
        X = evaluator.X
        X = pd.DataFrame(X) if isinstance(X, np.ndarray) else X
        table = fingerprint(X, evaluator.y, evaluator.problem.task)
        chunks = [table.encode()]
        for _, test in evaluator.folds:
            chunks.append(np.sort(test).astype(np.int64).tobytes() + b"|")
        if evaluator.sample_weight is not None:
            chunks.append(np.asarray(evaluator.sample_weight, np.float64).tobytes())
        return hash_bytes(chunks, 16)

    def _keep_results(self, tried, chosen, X):
        self.leaderboard_ = make_leaderboard(tried, self._measure)
        self.trace_ = make_trace(tried, self._measure)
        self.honest_score_ = chosen.honest
        self.oof_predictions_ = chosen.predictions
        self.weights_ = chosen.weights
        self.selection_, self.selection_stability_ = make_selection(
            chosen.kept, self._names(X)
        )

    def _fit_chosen(self, chosen, evaluator, X, y, sample_weight):
        """Fit the best chain to all rows, and the committee if there is one."""
        self.best_model_, self.committee_ = chosen.fit(
            evaluator, X, column_or_1d(y), sample_weight, self.n_jobs
        )
        self.model_ = self.best_model_ if self.committee_ is None else self.committee_

    # ------------------------------------------------------------ tables

    def _read(self, X, y):
        """Check a table and its target; give the table and codes of the classes."""
        X = as_table(X, ensure_min_samples=2)
        validate_data(self, X, reset=True, skip_check_array=True)
        self._dates = list_dates(X)
        y = as_target(y)
        check_consistent_length(X, y)
        codes = self._read_target(y)
        check_informative(X)
        return X, codes

    def _read_again(self, X):
        X = as_table(X, dates=self._dates)
        validate_data(self, X, reset=False, skip_check_array=True)
        return X

    @staticmethod
    def _names(X):
        if hasattr(X, "columns"):
            return list(X.columns)
        return [f"x{place}" for place in range(X.shape[1])]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.non_deterministic = True
        return tags
