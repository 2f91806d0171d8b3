"""Try a chain on folds: fit every step inside the fold, stop what is hopeless."""

import time
import warnings
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from scipy.sparse import issparse
from scipy.stats import t as student
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline

from manyminds.feature_selection.base import count_to_select
from manyminds.preprocessing import ColumnCleaner
from manyminds.search.measuring import Measurer, ask_for_classes
from manyminds.search.space.problem import Problem
from manyminds.search.space.space import Chain, Space
from manyminds.trees.columns import take_rows

__all__ = ["Evaluation", "Evaluator", "is_hopeless"]

MOST_CACHED = 400_000_000  # bytes of transformed folds that are kept
HOPELESS = 0.05  # chance of stopping a chain that is as good as its rival


@dataclass
class Evaluation:
    """What came of trying a chain.

    Parameters
    ----------
    state : {"complete", "stopped", "slow", "failed"}
    fold_scores : list of float
        More is better; NaN for a fold without a class that the score needs. They prune
        chains; what ranks chains is ``score``.
    score : float
        Of the predictions of all folds, pooled; of the folds that were done where not
        all were.
    predictions : ndarray of shape (n_samples[, n_classes])
        Out of fold; NaN where there was no fold.
    seconds : float
        Of all folds.
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
        self.names = _as_names([str(name) for name in names])
        self.space, self.problem, self.measure = space, problem, measure
        self.sample_weight = sample_weight
        self.made = _Cache(MOST_CACHED)

    def __call__(
        self, chain: Chain, rival: Sequence[float] = (), limit: float = np.inf
    ) -> Evaluation:
        """Try a chain.

        Parameters
        ----------
        chain : dict
        rival : sequence of float, default=()
            Scores of the best chain so far, fold by fold: one that falls clearly behind
            is stopped.
        limit : float, default=inf
            Seconds that the chain may take; it is stopped when it will not do.

        Returns
        -------
        evaluation : Evaluation
        """
        found, start = Evaluation(), time.perf_counter()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                traces = self._go_through_folds(chain, rival, limit, found, start)
                self._score_pooled(found)
            found.selected, found.names = _number_columns(traces, self.names)
        except Exception as error:  # whatever a chain of strange parts may raise
            found.state, found.reason = "failed", f"{type(error).__name__}: {error}"
        found.seconds = time.perf_counter() - start
        return found

    def _go_through_folds(
        self,
        chain: Chain,
        rival: Sequence[float],
        limit: float,
        found: Evaluation,
        start: float,
    ) -> "list[_Trace]":
        """Fit and predict fold by fold; give the columns that reached the learners."""
        traces: list[_Trace] = []
        n_outputs = (self.problem.n_classes,) if self.problem.n_classes else ()
        found.predictions = np.full(
            (len(self.y), *n_outputs), np.nan, dtype=np.float32 if n_outputs else float
        )
        for number, (_, test) in enumerate(self.folds):
            made, trace = self._predict_fold(chain, number, found)
            traces.append(trace)
            found.predictions[test] = made
            found.fold_scores.append(self._score(made, test))
            n_done, spent = number + 1, time.perf_counter() - start
            if n_done == len(self.folds):
                break
            if is_hopeless(found.fold_scores, rival):
                found.state = "stopped"
                break
            if spent / n_done * len(self.folds) > limit:
                found.state = "slow"
                break
        return traces

    def _predict_fold(
        self, chain: Chain, number: int, found: Evaluation
    ) -> "tuple[np.ndarray, _Trace]":
        """Fit a chain outside a fold, and predict the rows inside."""
        train, test = self.folds[number]
        model = self.space.build(chain, self.problem)
        y_train = self.y[train]
        if not isinstance(model, Pipeline):
            start = time.perf_counter()
            model = self.fit_outside(chain, number)
            self._note_time(found, time.perf_counter() - start, number)
            answers = self.answers(model, take_rows(self.X, test))
            return answers, _trace_members(model, self.names)
        start = time.perf_counter()
        made = self._transform(chain, model, number)
        learner = model.steps[-1][1]
        learner.fit(made.train, y_train, **self._weights_for(learner, train))
        self._note_time(found, time.perf_counter() - start, number)
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
        trace = _Trace(self.names, self.names)
        made = _Made(take_rows(self.X, train), take_rows(self.X, test), trace)
        key: tuple[Any, ...] = (number,)
        for stage, step in model.steps[:-1]:
            if stage == "clean":
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
class _Trace:
    """Which columns have come through the first steps of a chain."""

    columns: np.ndarray | None  # names; None: mixtures of columns
    every: np.ndarray  # names of all columns that there were to select from

    def keep(self, mask: np.ndarray) -> "_Trace":
        """Keep some columns."""
        return _Trace(None if self.columns is None else self.columns[mask], self.every)

    def follow(self, step: Any, n_made: int) -> "_Trace":
        """Follow the columns through a fitted step that has made ``n_made`` columns."""
        if self.columns is None or hasattr(step, "components_"):
            return _Trace(None, self.every)
        if isinstance(step, ColumnCleaner):  # what it leaves out cannot be selected
            kept = self.columns[step.get_support()]
            return _Trace(kept, kept)
        if hasattr(step, "get_support"):
            return self.keep(step.get_support())
        if isinstance(step, ColumnTransformer | SimpleImputer):
            made = _as_names(step.get_feature_names_out(self.columns))
            return _Trace(made, made)
        same = n_made == len(self.columns)
        return self if same else _Trace(None, self.every)  # mixtures of columns


@dataclass(frozen=True)
class _Made:
    """What the first steps of a chain have made of a fold."""

    train: Any
    test: Any
    trace: _Trace

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
    """Tell whether a chain falls clearly behind its rival on the folds both have seen.

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
    >>> from manyminds.search.evaluating import is_hopeless
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


def _trace_members(committee: Any, names: np.ndarray) -> _Trace:
    """Follow the columns to the learners of a committee's members; take all of them."""
    traces = [_trace(one, names) for one in committee.estimators_]
    columns = [trace.columns for trace in traces if trace.columns is not None]
    every = _unite([trace.every for trace in traces])
    if len(columns) < len(traces):
        return _Trace(None, every)
    return _Trace(_unite(columns), every)


def _trace(pipeline: Any, names: np.ndarray) -> _Trace:
    """Follow the columns of a table through a fitted pipeline to its learner."""
    trace = _Trace(names, names)
    for _, step in pipeline.steps[:-1]:
        n_columns = 0 if trace.columns is None else len(trace.columns)
        trace = trace.follow(step, n_columns)
    return trace


def _number_columns(
    traces: Sequence[_Trace], names: np.ndarray
) -> tuple[list[np.ndarray], list[str]]:
    """Give positions for names of columns, and what they stand for if that is new."""
    if any(trace.columns is None for trace in traces):
        return [], []
    every = _unite([names, *(trace.every for trace in traces)])
    is_new = len(every) > len(names)
    if is_new:
        every = _unite([trace.every for trace in traces])
    place = {name: position for position, name in enumerate(every)}
    selected = [
        np.array([place[name] for name in trace.columns], dtype=np.int64)  # type: ignore[union-attr]
        for trace in traces
    ]
    return selected, list(every) if is_new else []


def _unite(parts: Sequence[np.ndarray]) -> np.ndarray:
    """List the names of several lists, each once, in their order."""
    return _as_names(list(dict.fromkeys(name for part in parts for name in part)))


def _as_names(names: Any) -> np.ndarray:
    return np.array(names, dtype=object)


def take_columns(X: Any, mask: np.ndarray) -> Any:
    """Take columns of a table of any kind."""
    return X.loc[:, mask] if hasattr(X, "loc") else X[:, mask]


def _bytes_of(made: Any) -> int:
    if issparse(made):
        return int(made.data.nbytes + made.indices.nbytes)
    if hasattr(made, "memory_usage"):
        return int(made.memory_usage(index=False).sum())
    return int(getattr(made, "nbytes", 0))
