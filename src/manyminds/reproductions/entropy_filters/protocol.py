"""How filters by entropy are counted, and what they lose is judged."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.naive_bayes import GaussianNB

from manyminds.datasets import Dataset
from manyminds.datasets.generators.lucas import LUCAS_FEATURES, make_lucas
from manyminds.ensemble import BaggingClassifier
from manyminds.experiments.measures import Fold
from manyminds.experiments.splits import Split
from manyminds.trees import DecisionTreeClassifier


@dataclass(frozen=True)
class Samples:
    """All samples of a table each time; of a population, others each time.

    Parameters
    ----------
    n_repeats : int, default=20
        How many times.
    population : int, default=10_000
        A table with at least so many rows is a population, as a generator draws it.
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
        """Return the training samples; there are none to test on."""
        for repeat in range(self.n_repeats):
            rows = range(len(y))
            if len(y) >= self.population:
                rows = range(repeat * self.n_drawn, (repeat + 1) * self.n_drawn)
            train = [row % len(y) for row in rows]
            yield Split(repeat, 0, np.array(train), np.arange(0))

    def describe(self) -> dict[str, Any]:
        """Return what the indices depend on besides the data."""
        return {
            "kind": "samples",
            "population": self.population,
            "n_drawn": self.n_drawn,
        }


@dataclass(frozen=True)
class CountSelected:
    """The number of features that a selector keeps."""

    def __call__(self, estimator: Any, fold: Fold) -> dict[str, float]:
        """Fit the selector."""
        estimator.fit(fold.X_train, fold.y_train)
        return {"n_selected": float(estimator.get_support().sum())}


@dataclass(frozen=True)
class FilteredErrors:
    """Errors of three learners on the features that a selector keeps.

    If a selector keeps nothing, its best feature is taken. Learners are naive Bayes
    with normal densities, a tree that splits by entropy down to two samples, and 25
    such trees on bootstrap samples.
    """

    n_members: int = 25

    def __call__(self, estimator: Any, fold: Fold) -> dict[str, float]:
        """Fit the selector, then the learners; predict the test samples."""
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
    """Generate the samples of LUCAS, of which each trial takes its own."""
    X, y = make_lucas(n_rows, random_state=0)
    frame = pd.DataFrame(X, columns=list(LUCAS_FEATURES))
    return Dataset("lucas-drawn", frame, y, "classification")
