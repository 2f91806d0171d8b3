"""J. D. Rogers's thesis of 2007: its trials, tables, forest and measures."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from manyminds.datasets import Dataset
from manyminds.datasets.generators import make_friedman_classes, make_simple
from manyminds.ensemble import RandomForestClassifier
from manyminds.ensemble.boosting.diversity_curves import q_statistic
from manyminds.experiments.measures import Fold
from manyminds.experiments.splits import Split
from manyminds.reproductions.judging.claims import Claim
from manyminds.reproductions.judging.effects import judge_methods
from manyminds.reproductions.published import Find

VOTES = {"n": -1.0, "y": 1.0}  # a vote that is not known is in between
FRIEDMAN_ROWS, SIMPLE_ROWS = 200, 300  # of a sample of generated data
TEST_SHARE = 0.1
MARGIN, Q_MARGIN = 0.005, 0.02  # smallest differences of error, and of Q, that matter


@dataclass(frozen=True)
class Trials:
    """Random splits of the samples, and of large tables another sample each time.

    Parameters
    ----------
    n_repeats : int, default=100
        How many.
    test_share : float, default=0.1
        Share of the samples to test on.
    population : int, default=2000
        A table with at least so many rows is a population, as a generator draws it:
        each trial draws ``n_drawn`` of its rows.
    n_drawn : int, default=200
        Rows of a sample of a population.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.reproductions.protocols.rogers_2007 import Trials
    >>> trial = next(Trials(n_repeats=1).split(np.zeros(5000), stratified=True))
    >>> len(trial.train), len(trial.test)
    (180, 20)
    """

    n_repeats: int = 100
    test_share: float = 0.1
    population: int = 2000
    n_drawn: int = FRIEDMAN_ROWS

    def __len__(self) -> int:
        return self.n_repeats

    def split(self, y: Any, stratified: bool) -> Iterator[Split]:
        """Return the splits of as many samples as ``y`` has; classes are not used."""
        for repeat in range(self.n_repeats):
            order = np.random.RandomState(repeat).permutation(len(y))
            if len(y) >= self.population:
                order = order[: self.n_drawn]
            n_test = round(self.test_share * len(order))
            yield Split(repeat, 0, np.sort(order[n_test:]), np.sort(order[:n_test]))

    def describe(self) -> dict[str, Any]:
        """Return what the indices depend on besides the data."""
        return {
            "kind": "trials",
            "test_share": self.test_share,
            "population": self.population,
            "n_drawn": self.n_drawn,
        }


@dataclass(frozen=True)
class EnsembleMeasures:
    """Error of the ensemble, mean error of its members, and their mean Q.

    Parameters
    ----------
    undefined : str, default="skip"
        See `q_statistic`. If no pair has a Q it is 0.
    """

    undefined: str = "skip"

    def __call__(self, estimator: Any, fold: Fold) -> dict[str, float]:
        """Fit the ensemble; predict the test samples with it and with each member."""
        estimator.fit(fold.X_train, fold.y_train)
        truth = np.asarray(fold.y_test)
        correct = estimator.predict_all(fold.X_test) == truth
        q = q_statistic(correct, undefined=self.undefined)
        return {
            "error": float(np.mean(estimator.predict(fold.X_test) != truth)),
            "base_error": float(1.0 - correct.mean()),
            "q": 0.0 if np.isnan(q) else q,
        }


class ThesisForest(RandomForestClassifier):
    """A random forest as the thesis grew it, whose trees vote for one class each.

    A node looks at one feature. Where this feature is constant the node becomes a leaf;
    ours, like scikit-learn's, would draw another feature.
    """

    def __init__(self, n_estimators: int = 100, *, random_state: Any = None) -> None:
        super().__init__(
            n_estimators, criterion="entropy", max_features=1, random_state=random_state
        )

    def _make_rules(self, X: Any, total_weight: float, **others: Any) -> Any:
        return super()._make_rules(X, total_weight, redraw_constant=False, **others)

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the shares of the votes."""
        votes = np.searchsorted(self.classes_, self.predict_all(X))
        return np.stack(
            [np.mean(votes == c, axis=0) for c in range(len(self.classes_))], axis=1
        )


def load_prepared(n_friedman: int, n_simple: int, find: Find, name: str) -> Dataset:
    """Return a data set of the thesis as it was prepared there.

    Parameters
    ----------
    n_friedman, n_simple : int
        Samples to generate of friedman and of simple; each trial draws its own.
    find : callable
        Loads the other data sets.
    name : str

    Returns
    -------
    data : Dataset
    """
    if name == "friedman":
        return make_friedman_population(n_friedman)
    if name == "simple":
        return make_simple_population(n_simple)
    data = find(name)
    return code_votes(data) if name == "vote" else drop_incomplete(data)


def drop_incomplete(data: Dataset) -> Dataset:
    """Leave out samples with missing values."""
    return data.take(np.flatnonzero(~data.X.isna().any(axis=1)))


def code_votes(data: Dataset) -> Dataset:
    """Code votes as -1 and 1, and those that are not known as 0."""
    X = data.X.astype(object).apply(lambda column: column.map(VOTES))
    return replace(data, X=X.astype(np.float64).fillna(0.0))


def make_friedman_population(n_samples: int) -> Dataset:
    """Generate the samples of friedman, of which each trial draws its own."""
    X, y = make_friedman_classes(n_samples, random_state=0)
    return _name_generated("friedman", X, y)


def make_simple_population(n_samples: int) -> Dataset:
    """Generate the samples of the set that the thesis calls Simple."""
    X, y = make_simple(n_samples, random_state=0)
    return _name_generated("simple", X, y)


def claim_lower(
    metric: str,
    pairs: Mapping[str, tuple[str, str]],
    unit: str = "of error",
    margin: float = MARGIN,
    lower_is_better: bool = True,
) -> Callable[..., list[Claim]]:
    """Return the ``claims`` of a part: of each pair, the first has the lower metric.

    Parameters
    ----------
    metric, pairs, unit, margin, lower_is_better
        See `manyminds.reproductions.judging.effects.judge_methods`.

    Returns
    -------
    claims : callable
    """
    return partial(
        judge_methods,
        metric=metric,
        pairs=pairs,
        unit=unit,
        margin=margin,
        test_share=TEST_SHARE,
        lower_is_better=lower_is_better,
    )


def _name_generated(name: str, X: np.ndarray, y: np.ndarray) -> Dataset:
    frame = pd.DataFrame(X, columns=[f"x{i}" for i in range(X.shape[1])])
    return Dataset(name, frame, y, "classification")
