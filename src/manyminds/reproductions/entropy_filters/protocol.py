"""How filters by entropy are counted, and what they lose is judged."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.naive_bayes import GaussianNB

from manyminds.analysis import corrected_resampled_ttest
from manyminds.datasets import Dataset
from manyminds.datasets.generators.lucas import LUCAS_FEATURES, make_lucas
from manyminds.ensemble import BaggingClassifier
from manyminds.experiments.measures import Fold
from manyminds.experiments.plan import Plan
from manyminds.experiments.record import Record
from manyminds.experiments.splits import Split
from manyminds.reproductions.judging.cells import Cell
from manyminds.reproductions.judging.claims import Claim
from manyminds.reproductions.judging.effects import (
    Folds,
    gather_folds,
    judge_losses,
    pair_up,
)
from manyminds.reproductions.judging.observations import observe, observe_nothing
from manyminds.reproductions.judging.verdicts import (
    Verdicts,
    summarize_cells,
)
from manyminds.reproductions.published import RecordedPart
from manyminds.trees import DecisionTreeClassifier

ALL = "all features"
TEST_SHARE = 0.1
MAX_LOSS = 2.0  # points of error that a filter may cost
LEARNERS = {"naive_bayes": "Naive Bayes", "tree": "A tree", "bagging": "Bagging"}


@dataclass(frozen=True)
class Samples:
    """All rows of a table each time; of a population, other rows each time.

    Parameters
    ----------
    n_repeats : int, default=20
        How many times.
    population : int, default=10_000
        A table with at least so many rows is a population, as a generator gives it.
    n_drawn : int, default=2000
        Rows of a sample of a population, the ones after the other.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.reproductions.entropy_filters.protocol import (
    ...     Samples,
    ... )
    >>> [len(one.train) for one in Samples(2).split(np.zeros(300), stratified=True)]
    [300, 300]
    >>> [
    ...     int(one.train[0])
    ...     for one in Samples(2).split(np.zeros(10_000), stratified=True)
    ... ]
    [0, 2000]
    """

    n_repeats: int = 20
    population: int = 10_000
    n_drawn: int = 2000

    def __len__(self) -> int:
        return self.n_repeats

    def split(self, y: Any, stratified: bool) -> Iterator[Split]:
        """Return the rows to train on; there are none to test on."""
        for repeat in range(self.n_repeats):
            rows = range(len(y))
            if len(y) >= self.population:
                rows = range(repeat * self.n_drawn, (repeat + 1) * self.n_drawn)
            train = [row % len(y) for row in rows]
            yield Split(repeat, 0, np.array(train), np.arange(0))

    def describe(self) -> dict[str, Any]:
        """Return what the rows depend on besides the data."""
        return {
            "kind": "samples",
            "population": self.population,
            "n_drawn": self.n_drawn,
        }


@dataclass(frozen=True)
class CountSelected:
    """How many features a selector keeps of the training rows."""

    def __call__(self, estimator: Any, fold: Fold) -> dict[str, float]:
        """Fit the selector."""
        estimator.fit(fold.X_train, fold.y_train)
        return {"n_selected": float(estimator.get_support().sum())}


@dataclass(frozen=True)
class FilteredErrors:
    """Errors of three learners on the features that a selector keeps.

    Where a selector keeps nothing, its best feature is taken. Learners are naive Bayes
    with normal densities, a tree that splits by entropy down to two rows, and 25 such
    trees on bootstrap samples.
    """

    n_members: int = 25

    def __call__(self, estimator: Any, fold: Fold) -> dict[str, float]:
        """Fit the selector, then the learners; ask them about the test rows."""
        X, y = fold.X_train.to_numpy(), fold.y_train
        estimator.fit(X, y)
        kept = estimator.get_support(indices=True)
        if len(kept) == 0:
            kept = [int(np.argmax(estimator.scores_))]
        X, X_test = X[:, kept], fold.X_test.to_numpy()[:, kept]
        values = {"n_selected": float(len(kept))}
        for name, learner in self._make_learners(fold.seed).items():
            answer = learner.fit(X, y).predict(X_test)
            values[name] = float(np.mean(answer != fold.y_test))
        return values

    def _make_learners(self, seed: int) -> dict[str, Any]:
        tree = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2)
        bagging = BaggingClassifier(clone(tree), self.n_members, random_state=seed)
        tree.set_params(random_state=seed)
        return {"naive_bayes": GaussianNB(), "tree": tree, "bagging": bagging}


def number_columns(data: Dataset) -> Dataset:
    """Turn category columns whose names are numbers into numbers."""
    return replace(data, X=data.X.astype(np.float64))


def make_lucas_population(n_rows: int) -> Dataset:
    """Draw the rows of LUCAS of which each trial takes its own."""
    X, y = make_lucas(n_rows, random_state=0)
    frame = pd.DataFrame(X, columns=list(LUCAS_FEATURES))
    return Dataset("lucas-drawn", frame, y, "classification")


def find_other_reading(cell: Cell) -> str:
    """Return why rows that were drawn, and correlations, are not counted."""
    is_other = cell.dataset == "lucas-drawn" or cell.method == "CFS, correlations"
    return "another reading of a printed number that is counted" if is_other else ""


def judge_loss(metric: str, plan: Plan, records: list[Record]) -> list[Claim]:
    """Judge whether filters cost little: their error less that of all features.

    Parameters
    ----------
    metric : str
        Name of the learner.
    plan : Plan
    records : list of Record

    Returns
    -------
    claims : list of Claim
        The effect is what is left of the largest loss that is allowed.
    """
    folds = gather_folds(plan, records, metric, 100.0)
    claims = []
    for method in _list_filters(plan):
        losses = {
            name: float(np.mean(mine - every))
            for name, (mine, every) in pair_up(folds, method, ALL).items()
        }
        if losses:
            text = (
                f"{LEARNERS[metric]} with {method} loses at most {MAX_LOSS:g} points "
                "of error"
            )
            claims.append(judge_losses(text, losses, MAX_LOSS))
    return claims


def show_loss(
    metric: str,
    recorded: RecordedPart,
) -> Verdicts:
    """Show the error with a filter beside that of all features; nothing is counted.

    Parameters
    ----------
    metric : str
        Name of the learner.
    recorded : RecordedPart

    Returns
    -------
    verdicts : Verdicts
    """
    folds = gather_folds(recorded.plan, recorded.records, metric, 100.0)
    kept = gather_folds(recorded.plan, recorded.records, "n_selected")
    cells = [
        _show_filter(recorded, (source.name, method), folds, kept)
        for source in recorded.plan.datasets
        for method in _list_filters(recorded.plan)
    ]
    return summarize_cells(recorded, cells)


def _list_filters(plan: Plan) -> list[str]:
    return [method.name for method in plan.methods if method.name != ALL]


def _show_filter(
    recorded: RecordedPart,
    place: tuple[str, str],
    folds: Folds,
    kept: Folds,
) -> Cell:
    """Return the error with and without a filter, with features kept and a test."""
    every = (place[0], ALL)
    if place not in folds or every not in folds:
        return observe_nothing(recorded, place)
    mine, other = folds[place], folds[every]
    test = corrected_resampled_ttest(mine, other, test_share=TEST_SHARE)
    said = f"{kept[place].mean():.1f} features kept; corrected t-test p = "
    why = f"{said}{test.p_value:.3f}"
    if mine.mean() - other.mean() > MAX_LOSS and place[0] in recorded.part.notes:
        why += f"; {recorded.part.notes[place[0]]}"
    return observe(place, mine, other, why)
