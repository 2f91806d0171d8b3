"""Try a chain on folds: fit every step inside the fold, stop what is hopeless."""

import warnings
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from scipy.sparse import issparse
from scipy.stats import t as student
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from manyminds.feature_selection.base import count_to_select
from manyminds.search.evaluation.measuring import Measurer, ask_for_classes
from manyminds.search.evaluation.timing import Stopwatch, start_stopwatch
from manyminds.search.evaluation.tracing import (
    Trace,
    as_names,
    number_columns,
    trace_members,
)
from manyminds.search.space.problem import Problem
from manyminds.search.space.space import Chain, Space
from manyminds.utils.tables import take_columns, take_rows

__all__ = ["Evaluation", "Evaluator", "is_hopeless"]

MAX_CACHED = 400_000_000  # bytes of transformed folds that are kept
HOPELESS = 0.05  # chance of stopping a chain that is as good as its rival


@dataclass
class Evaluation:
    """What came of trying a chain.

    Parameters
    ----------
    state : {"complete", "stopped", "slow", "failed"}
        A slow one can be gone on with.
    fold_scores : list of float
        More is better; NaN for a fold without a class that the score needs. They prune
        chains; what ranks chains is ``score``.
    score : float
        Of the predictions of all folds, pooled; of the folds that were done where not
        all were.
    predictions : ndarray of shape (n_samples[, n_classes])
        Out of fold; NaN where there was no fold.
    seconds : float
        Of all folds, without compiling.
    fit_seconds : float
        Of the fit in one fold, on average.
    selected : list of ndarray of int
        Positions of the columns that reached the learner, for each fold; empty where
        the learner got mixtures of columns.
    names : list of str
        What the positions stand for: all columns that encoding has made in any fold,
        if they are not those of the table.
    reason : str
        Why it failed.
    traces : list of Trace
        Columns that reached the learner in the folds so far.
    """

    state: str = "complete"
    fold_scores: list[float] = field(default_factory=list)
    score: float = np.nan
    predictions: np.ndarray | None = None
    seconds: float = 0.0
    fit_seconds: float = 0.0
    selected: list[np.ndarray] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    reason: str = ""
    traces: list[Trace] = field(default_factory=list)


class Evaluator:
    """Try chains on the folds of one problem, in one process.

    What the first steps of a chain make of a fold is kept: another chain that begins
    in the same way goes on from there. So is the ranking of a selector, from which any
    number of columns can be taken.

    Parameters
    ----------
    X : ndarray, sparse matrix or DataFrame of shape (n_samples, n_features)
    y : ndarray of shape (n_samples,)
        Codes of classes, or numbers.
    folds : list of (train, test)
    space : Space
    problem : Problem
    measure : Measurer
    sample_weight : ndarray of shape (n_samples,), default=None
    names : sequence of str, default=None
        Of the columns; None: "x0" and so on, or those of a DataFrame.
    """

    def __init__(
        self,
        X: Any,
        y: np.ndarray,
        folds: Sequence[tuple[np.ndarray, np.ndarray]],
        space: Space,
        problem: Problem,
        measure: Measurer,
        sample_weight: np.ndarray | None = None,
        names: Sequence[str] | None = None,
    ) -> None:
        self.X, self.y, self.folds = X, y, folds
        if names is None:
            names = getattr(X, "columns", [f"x{j}" for j in range(X.shape[1])])
        self.names = as_names([str(name) for name in names])
        self.space, self.problem, self.measure = space, problem, measure
        self.sample_weight = sample_weight
        self.made = _Cache(MAX_CACHED)

    def __call__(
        self,
        chain: Chain,
        rival: Sequence[float] = (),
        limit: float = np.inf,
        begun: Evaluation | None = None,
    ) -> Evaluation:
        """Try a chain.

        Parameters
        ----------
        chain : dict
        rival : sequence of float, default=()
            Scores of the best chain so far, fold by fold: one that falls clearly behind
            is stopped.
        limit : float, default=inf
            Seconds that all folds may take, without compiling: after a fold that shows
            that they will take longer, the evaluation is returned as "slow".
        begun : Evaluation or None, default=None
            A slow evaluation of this chain to go on with, for one fold at least.

        Returns
        -------
        evaluation : Evaluation
        """
        found = Evaluation() if begun is None else replace(begun, state="complete")
        with start_stopwatch(found.seconds) as watch:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    self._go_through_folds(chain, rival, limit, found, watch)
                    self._score_pooled(found)
                found.selected, found.names = number_columns(found.traces, self.names)
            except Exception as error:  # whatever a chain of strange parts may raise
                found.state, found.reason = "failed", f"{type(error).__name__}: {error}"
            found.seconds = watch.seconds
        return found

    def _go_through_folds(
        self,
        chain: Chain,
        rival: Sequence[float],
        limit: float,
        found: Evaluation,
        watch: Stopwatch,
    ) -> None:
        """Fit and predict fold by fold, until done, behind or slow."""
        if found.predictions is None:
            found.predictions = self._make_room()
        n_folds = len(self.folds)
        for number in range(len(found.fold_scores), n_folds):
            made, trace = self._predict_fold(chain, number, found, watch)
            test = self.folds[number][1]
            found.traces.append(trace)
            found.predictions[test] = made
            found.fold_scores.append(self._score(made, test))
            n_done = number + 1
            if n_done == n_folds:
                return
            if is_hopeless(found.fold_scores, rival):
                found.state = "stopped"
                return
            if watch.seconds / n_done * n_folds > limit:
                found.state = "slow"
                return

    def _make_room(self) -> np.ndarray:
        """Return predictions that have not been made yet."""
        if not self.problem.n_classes:
            return np.full(len(self.y), np.nan)
        shape = len(self.y), self.problem.n_classes
        return np.full(shape, np.nan, dtype=np.float32)

    def _predict_fold(
        self, chain: Chain, number: int, found: Evaluation, watch: Stopwatch
    ) -> tuple[np.ndarray, Trace]:
        """Fit a chain outside a fold, and predict the rows inside."""
        train, test = self.folds[number]
        model = self.space.build(chain, self.problem)
        y_train = self.y[train]
        if not isinstance(model, Pipeline):
            start = watch.seconds
            model = self.fit_outside(chain, number)
            self._note_time(found, watch.seconds - start, number)
            answers = self.answers(model, take_rows(self.X, test))
            return answers, trace_members(model, self.names)
        start = watch.seconds
        made = self._transform(chain, model, number)
        learner = model.steps[-1][1]
        learner.fit(made.train, y_train, **self._weights_for(learner, train))
        self._note_time(found, watch.seconds - start, number)
        return self.answers(learner, made.test), made.trace

    def fit_outside(self, chain: Chain, number: int) -> Any:
        """Fit the whole model of a chain to the rows outside a fold.

        Parameters
        ----------
        chain : dict
        number : int
            Of the fold.

        Returns
        -------
        model : estimator
            It takes rows of the table as they are.
        """
        train = self.folds[number][0]
        model = self.space.build(chain, self.problem)
        fit = self._weights_for(model, train)
        if isinstance(model, Pipeline):
            fit = {f"learner__{name}": values for name, values in fit.items()}
        return model.fit(take_rows(self.X, train), self.y[train], **fit)

    def _transform(self, chain: Chain, model: Pipeline, number: int) -> "_Made":
        """Go through the steps before the learner, from where others have been."""
        train, test = self.folds[number]
        trace = Trace(self.names, self.names)
        made = _Made(take_rows(self.X, train), take_rows(self.X, test), trace)
        key: tuple[Any, ...] = (number,)
        for stage, step in model.steps[:-1]:
            if stage in ("dates", "clean"):
                key = (*key, stage)
                made = self.made.get(key, partial(self._step, step, made, train))
                continue
            option = self.space.find(stage, chain[stage])
            values = {k: v for k, v in chain.items() if k in option.defaults()}
            if option.ranks:
                share = values.pop(option.key("share"))
                key = (*key, option.name, *values.items())
                ranks = self.made.get(key, partial(self._rank, step, made, train))
                made = made.keep(ranks <= count_to_select(share, len(ranks)))
                key = (*key, share)
            else:
                key = (*key, option.name, *values.items())
                made = self.made.get(key, partial(self._step, step, made, train))
        return made

    def _rank(self, step: Any, made: "_Made", train: np.ndarray) -> np.ndarray:
        return np.asarray(clone(step).fit(made.train, self.y[train]).ranking_)

    def _step(self, step: Any, made: "_Made", train: np.ndarray) -> "_Made":
        step = clone(step)
        X_train = step.fit_transform(made.train, self.y[train])
        X_test = step.transform(made.test)
        if not X_train.shape[1]:
            raise ValueError("no column was selected")
        return _Made(X_train, X_test, made.trace.follow(step, X_train.shape[1]))

    def answers(self, model: Any, X: Any) -> np.ndarray:
        """Ask a fitted model for numbers, or for probabilities of all classes."""
        if not self.problem.n_classes:
            return np.asarray(model.predict(X), dtype=np.float64).ravel()
        codes = np.arange(self.problem.n_classes)
        made = ask_for_classes(model, X, codes).astype(np.float32)
        if not np.isfinite(made).all():
            raise ValueError("probabilities that are not finite")
        return made

    def _weights_for(self, model: Any, train: np.ndarray) -> dict[str, np.ndarray]:
        if self.sample_weight is None:
            return {}
        return {"sample_weight": self.sample_weight[train]}

    def _score(self, made: np.ndarray, test: np.ndarray) -> float:
        score = self.measure(made, self.y[test])
        if not np.isfinite(score):
            n_classes = len(np.unique(self.y[test]))
            if not self.problem.n_classes or n_classes == self.problem.n_classes:
                raise ValueError("a score that is not finite")
        return score

    def _score_pooled(self, found: Evaluation) -> None:
        """Score the pooled predictions of all folds that were done."""
        assert found.predictions is not None
        done = [test for _, test in self.folds[: len(found.fold_scores)]]
        rows = np.sort(np.concatenate(done))
        found.score = self.measure(found.predictions[rows], self.y[rows])
        if found.state == "complete" and not np.isfinite(found.score):
            raise ValueError("the pooled predictions of all folds cannot be scored")

    @staticmethod
    def _note_time(found: Evaluation, seconds: float, number: int) -> None:
        found.fit_seconds += (seconds - found.fit_seconds) / (number + 1)


@dataclass(frozen=True)
class _Made:
    """What the first steps of a chain have made of a fold."""

    train: Any
    test: Any
    trace: Trace

    def keep(self, mask: np.ndarray) -> "_Made":
        """Keep some columns."""
        tables = take_columns(self.train, mask), take_columns(self.test, mask)
        return _Made(*tables, self.trace.keep(mask))

    @property
    def nbytes(self) -> int:
        return _bytes_of(self.train) + _bytes_of(self.test)


class _Cache:
    """Keeps what was made, up to a number of bytes; what was used longest ago goes."""

    def __init__(self, most: int) -> None:
        self.most, self.size = most, 0
        self.kept: OrderedDict[Any, tuple[Any, int]] = OrderedDict()

    def get(self, key: Any, make: Any) -> Any:
        if key in self.kept:
            self.kept.move_to_end(key)
            return self.kept[key][0]
        made = make()
        size = _bytes_of(made)
        if size < self.most / 2:
            self.kept[key] = made, size
            self.size += size
        while self.size > self.most:
            self.size -= self.kept.popitem(last=False)[1][1]
        return made


def is_hopeless(
    scores: Sequence[float], rival: Sequence[float], chance: float = HOPELESS
) -> bool:
    """Return whether a chain falls clearly behind its rival on the folds both have seen.

    A paired, one-sided t-test. Two or three folds tell too little of their own spread:
    the spread of the rival's scores stands in for two folds more.

    Parameters
    ----------
    scores, rival : sequence of float
        Scores of the folds in their order; the rival may have more of them.
    chance : float, default=0.05
        Chance of stopping a chain that is as good as the rival.

    Returns
    -------
    hopeless : bool

    Examples
    --------
    >>> from manyminds.search.evaluation.evaluating import is_hopeless
    >>> is_hopeless([0.70, 0.72], [0.90, 0.91, 0.89])
    True
    >>> is_hopeless([0.89, 0.90], [0.90, 0.91, 0.89])
    False
    """
    both = [pair for pair in zip(rival, scores) if np.all(np.isfinite(pair))]
    n = len(both)
    if n < 2:
        return False
    behind = np.array([theirs - ours for theirs, ours in both])
    spread = np.var(keep_finite(rival), ddof=1)
    variance = (((behind - behind.mean()) ** 2).sum() + 2.0 * spread) / (n + 1)
    error = np.sqrt(variance / n)
    if error == 0.0:
        return bool(behind.mean() > 0)
    return bool(behind.mean() / error > student.ppf(1.0 - chance, n + 1))


def keep_finite(scores: Sequence[float]) -> list[float]:
    """Leave out the folds that could not be scored."""
    return [float(score) for score in scores if np.isfinite(score)]


def _bytes_of(made: Any) -> int:
    if issparse(made):
        return int(made.data.nbytes + made.indices.nbytes)
    if hasattr(made, "memory_usage"):
        return int(made.memory_usage(index=False).sum())
    return int(getattr(made, "nbytes", 0))
