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
from manyminds.search.measuring import Measurer
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
        More is better.
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
        Of all columns after encoding, if they are not those of the table.
    reason : str
        Why it failed.
    """

    state: str = "complete"
    fold_scores: list[float] = field(default_factory=list)
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
    ) -> None:
        self.X, self.y, self.folds = X, y, folds
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
                self._go_through_folds(chain, rival, limit, found, start)
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
    ) -> None:
        n_outputs = (self.problem.n_classes,) if self.problem.n_classes else ()
        found.predictions = np.full(
            (len(self.y), *n_outputs), np.nan, dtype=np.float32 if n_outputs else float
        )
        for number, (_, test) in enumerate(self.folds):
            made = self._predict_fold(chain, number, found)
            found.predictions[test] = made
            found.fold_scores.append(self.measure(made, self.y[test]))
            n_done, spent = number + 1, time.perf_counter() - start
            if n_done == len(self.folds):
                return
            if is_hopeless(found.fold_scores, rival):
                found.state = "stopped"
                return
            if spent / n_done * len(self.folds) > limit:
                found.state = "slow"
                return

    def _predict_fold(self, chain: Chain, number: int, found: Evaluation) -> np.ndarray:
        """Fit a chain outside a fold, and predict the rows inside."""
        train, test = self.folds[number]
        model = self.space.build(chain, self.problem)
        y_train = self.y[train]
        if not isinstance(model, Pipeline):
            start = time.perf_counter()
            model = self.fit_outside(chain, number)
            self._note_time(found, time.perf_counter() - start, number)
            self._note_members(found, model)
            return self.answers(model, take_rows(self.X, test))
        start = time.perf_counter()
        X_train, X_test = self._transform(chain, model, number, found)
        learner = model.steps[-1][1]
        learner.fit(X_train, y_train, **self._weights_for(learner, train))
        self._note_time(found, time.perf_counter() - start, number)
        return self.answers(learner, X_test)

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

    def _transform(
        self, chain: Chain, model: Pipeline, number: int, found: Evaluation
    ) -> tuple[Any, Any]:
        """Go through the steps before the learner, from where others have been."""
        train, test = self.folds[number]
        every = np.arange(self.X.shape[1])
        made = _Made(take_rows(self.X, train), take_rows(self.X, test), every)
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
        if made.columns is not None:
            found.selected.append(made.columns)
            found.names = made.names
        return made.train, made.test

    def _note_members(self, found: Evaluation, committee: Any) -> None:
        """Note the columns that some member of a committee was given."""
        traces = [_trace(one, self.X.shape[1]) for one in committee.estimators_]
        columns = [columns for columns, _ in traces if columns is not None]
        if len(columns) == len(traces):
            found.selected.append(np.unique(np.concatenate(columns)))
            found.names = traces[0][1]

    def _rank(self, step: Any, made: "_Made", train: np.ndarray) -> np.ndarray:
        return np.asarray(clone(step).fit(made.train, self.y[train]).ranking_)

    def _step(self, step: Any, made: "_Made", train: np.ndarray) -> "_Made":
        step = clone(step)
        X_train = step.fit_transform(made.train, self.y[train])
        X_test = step.transform(made.test)
        if not X_train.shape[1]:
            raise ValueError("no column was selected")
        columns, names = _follow(step, made.columns, made.names, X_train.shape[1])
        return _Made(X_train, X_test, columns, names)

    def answers(self, model: Any, X: Any) -> np.ndarray:
        """Ask a fitted model for numbers, or for probabilities of all classes."""
        if not self.problem.n_classes:
            return np.asarray(model.predict(X), dtype=np.float64).ravel()
        if not hasattr(model, "predict_proba"):
            made = np.zeros((X.shape[0], self.problem.n_classes), dtype=np.float32)
            made[np.arange(len(made)), model.predict(X)] = 1.0
            return made
        made = np.zeros((X.shape[0], self.problem.n_classes), dtype=np.float32)
        made[:, model.classes_] = model.predict_proba(X)
        if not np.isfinite(made).all():
            raise ValueError("probabilities that are not finite")
        return made

    def _weights_for(self, model: Any, train: np.ndarray) -> dict[str, np.ndarray]:
        if self.sample_weight is None:
            return {}
        return {"sample_weight": self.sample_weight[train]}

    @staticmethod
    def _note_time(found: Evaluation, seconds: float, number: int) -> None:
        found.fit_seconds += (seconds - found.fit_seconds) / (number + 1)


@dataclass(frozen=True)
class _Made:
    """What the first steps of a chain have made of a fold."""

    train: Any
    test: Any
    columns: np.ndarray | None  # positions among the encoded columns; None: mixtures
    names: list[str] = field(default_factory=list)  # of the encoded columns, if new

    def keep(self, mask: np.ndarray) -> "_Made":
        """Keep some columns."""
        tables = take_columns(self.train, mask), take_columns(self.test, mask)
        columns = None if self.columns is None else self.columns[mask]
        return _Made(*tables, columns, self.names)

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
    n = min(len(scores), len(rival))
    if n < 2:
        return False
    behind = np.asarray(rival[:n]) - np.asarray(scores[:n])
    spread = np.var(np.asarray(rival), ddof=1)
    variance = (((behind - behind.mean()) ** 2).sum() + 2.0 * spread) / (n + 1)
    error = np.sqrt(variance / n)
    if error == 0.0:
        return bool(behind.mean() > 0)
    return bool(behind.mean() / error > student.ppf(1.0 - chance, n + 1))


def _trace(pipeline: Any, n_features: int) -> tuple[np.ndarray | None, list[str]]:
    """Follow the columns of a table through a fitted pipeline to its learner.

    Gives their positions among the encoded columns, or None for mixtures, and the
    names of the encoded columns if they are new.
    """
    columns: np.ndarray | None = np.arange(n_features)
    names: list[str] = []
    n_columns = n_features
    for _, step in pipeline.steps[:-1]:
        if hasattr(step, "get_feature_names_out"):
            n_columns = len(step.get_feature_names_out())
        columns, names = _follow(step, columns, names, n_columns)
    return columns, names


def _follow(
    step: Any, columns: np.ndarray | None, names: list[str], n_made: int
) -> tuple[np.ndarray | None, list[str]]:
    """Follow columns through a fitted step that has made ``n_made`` columns."""
    if columns is None or hasattr(step, "components_"):
        return None, []
    if hasattr(step, "get_support"):
        return columns[step.get_support()], names
    if n_made == len(columns):
        return columns, names
    if isinstance(step, ColumnTransformer | SimpleImputer):
        return np.arange(n_made), list(step.get_feature_names_out())
    return None, []  # mixtures of columns


def take_columns(X: Any, mask: np.ndarray) -> Any:
    """Take columns of a table of any kind."""
    return X.loc[:, mask] if hasattr(X, "loc") else X[:, mask]


def _bytes_of(made: Any) -> int:
    if issparse(made):
        return int(made.data.nbytes + made.indices.nbytes)
    if hasattr(made, "memory_usage"):
        return int(made.memory_usage(index=False).sum())
    return int(getattr(made, "nbytes", 0))
