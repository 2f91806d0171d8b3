"""What a report of a comparison says, in plain values."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from manyminds.analysis.comparison import MethodComparison


@dataclass(frozen=True)
class Cell:
    """How one method did on one data set.

    Parameters
    ----------
    dataset, method : str
        Their names.
    n, n_failed : int
        Folds with a value and without one.
    mean, sd : float or None
        Of the folds with a value, the deviation with n - 1 below.
    seconds : float
        Mean time of a fold.
    rank : float or None
        Place among the methods by the folds that all of them have, 1 for the best.
    best : bool
        Whether no method has a better rank.
    scores : tuple of float
        Values of the folds that all methods have; all of its own where there are none.
    """

    dataset: str
    method: str
    n: int
    n_failed: int
    mean: float | None
    sd: float | None
    seconds: float
    rank: float | None
    best: bool
    scores: tuple[float, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class AgainstBest:
    """How a method differs from the best one on a data set, fold by fold.

    Parameters
    ----------
    dataset, best, method : str
    difference : float
        Mean advantage of the best method, never negative.
    p_value, adjusted_p_value : float
        Of the corrected resampled t-test, alone and by Holm among all methods of this
        data set.
    best_better, equivalent, method_better : float
        Probabilities of the Bayesian correlated t-test.
    n_folds : int
        Folds that all methods have.
    """

    dataset: str
    best: str
    method: str
    difference: float
    p_value: float
    adjusted_p_value: float
    best_better: float
    equivalent: float
    method_better: float
    n_folds: int


@dataclass(frozen=True)
class PairOverDatasets:
    """How two methods differ over data sets.

    Parameters
    ----------
    first, second : str
    wins, ties, losses : int
        Data sets on which the first is better, equal and worse.
    wilcoxon_p_value, sign_p_value : float
    first_better, equivalent, second_better : float
        Probabilities of the Bayesian signed-rank test.
    """

    first: str
    second: str
    wins: int
    ties: int
    losses: int
    wilcoxon_p_value: float
    sign_p_value: float
    first_better: float
    equivalent: float
    second_better: float


@dataclass(frozen=True)
class Failure:
    """A method that failed folds of a data set, and the first reason it gave."""

    dataset: str
    method: str
    n_failed: int
    n_folds: int
    error: str


@dataclass(frozen=True)
class ComparisonSummary:
    """All that a report of a comparison says, in plain values.

    Parameters
    ----------
    metric : str
    higher_is_better : bool
    datasets, methods : tuple of str
        In the order of the records.
    cells : tuple of Cell
        One per data set and method.
    average_ranks : dict of str to float
        By method, over the data sets that have ranks.
    against_best : tuple of AgainstBest
        Tests within each data set.
    over_datasets : MethodComparison or None
        Tests of three methods or more over two data sets or more.
    pair : PairOverDatasets or None
        Tests of two methods over two data sets or more.
    alpha, rope : float
        Level of the tests; difference that makes no odds in practice.
    not_computed : tuple of str
        Sentences on what is not here, and why.
    failures : tuple of Failure
    missing : dict of str to str
        Data sets that could not be had, and why.
    n_folds, n_failed : int
        All folds recorded, and those of them without a value.
    seconds : float
        Time of all folds.
    estimators : dict of str to str
        Each method's estimator as Python would write it.
    versions : str
        The libraries that did it.
    """

    metric: str
    higher_is_better: bool
    datasets: tuple[str, ...]
    methods: tuple[str, ...]
    cells: tuple[Cell, ...]
    average_ranks: dict[str, float]
    against_best: tuple[AgainstBest, ...]
    over_datasets: MethodComparison | None
    pair: PairOverDatasets | None
    alpha: float
    rope: float
    not_computed: tuple[str, ...]
    failures: tuple[Failure, ...]
    missing: dict[str, str]
    n_folds: int
    n_failed: int
    seconds: float
    estimators: dict[str, str]
    versions: str


def to_plain(value: Any) -> Any:
    """Turn a summary into what JSON can write; a number that is none becomes None.

    Parameters
    ----------
    value : object
        A summary, or any part of one.

    Returns
    -------
    plain : None, bool, int, float, str, list or dict

    Examples
    --------
    >>> from manyminds.reports import to_plain
    >>> to_plain({"ranks": (1.0, float("nan"))})
    {'ranks': [1.0, None]}
    """
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: to_plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): to_plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_plain(entry) for entry in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
