"""Dataclasses of a comparison's summary: plain values."""

from dataclasses import dataclass, field

from manyminds.analysis.comparison import MethodComparison


@dataclass(frozen=True)
class Cell:
    """Results of one method on one data set.

    Parameters
    ----------
    dataset, method : str
        Their names.
    n, n_failed : int
        Folds with a value and without one.
    mean, std : float or None
        Mean and sample standard deviation of the folds with a value.
    seconds : float
        Mean time of a fold.
    rank : float or None
        Rank among the methods on the folds that all of them have; 1 is the best.
    best : bool
        Whether no method has a better rank.
    scores : tuple of float
        Scores of the folds that all methods have, or of its own if there are none.
    """

    dataset: str
    method: str
    n: int
    n_failed: int
    mean: float | None
    std: float | None
    seconds: float
    rank: float | None
    best: bool
    scores: tuple[float, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class AgainstBest:
    """Tests of a method against the best one on a data set, fold by fold.

    Parameters
    ----------
    dataset, best, method : str
    difference : float
        Mean advantage of the best method, never negative.
    p_value, adjusted_p_value : float
        Of the corrected resampled t-test, raw and adjusted by Holm for all methods of
        this data set.
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
    """Tests of two methods over data sets.

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
    """A method that failed on folds of a data set, and its first error."""

    dataset: str
    method: str
    n_failed: int
    n_folds: int
    error: str


@dataclass(frozen=True)
class ComparisonSummary:
    """Means, ranks and tests of a comparison.

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
        Level of the tests; largest difference that is practically equivalent.
    not_computed : tuple of str
        Sentences on what was not computed, and why.
    failures : tuple of Failure
    missing : dict of str to str
        Data sets that could not be loaded, and why.
    n_folds, n_failed : int
        All folds recorded, and those of them without a value.
    seconds : float
        Time of all folds.
    estimators : dict of str to str
        Representation of each method's estimator.
    versions : str
        Versions of the libraries.
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
