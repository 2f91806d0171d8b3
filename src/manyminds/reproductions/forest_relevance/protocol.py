"""How the thesis on feature relevance drew trials and measured selected forests."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.pipeline import Pipeline
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from manyminds.experiments.measures import Fold
from manyminds.experiments.splits import Split
from manyminds.reproductions.protocols.rogers_2007 import ThesisForest

SAMPLES = 100  # of which the tables of made-up data consist


@dataclass(frozen=True)
class SampleTrials:
    """Random splits of the samples; of generated data another sample each time.

    Parameters
    ----------
    n_repeats : int, default=100
        How many, up to ``n_samples``.
    test_share : float, default=0.1
        Share of the samples to test on.
    population : int, default=10_000
        A table with at least so many rows consists of samples, one after the other.
    n_samples : int, default=100
        Number of these samples.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.reproductions.forest_relevance.protocol import (
    ...     SampleTrials,
    ... )
    >>> trial = next(SampleTrials(1).split(np.zeros(30_000), stratified=True))
    >>> len(trial.train), len(trial.test), int(trial.train.max()) < 300
    (270, 30, True)
    """

    n_repeats: int = SAMPLES
    test_share: float = 0.1
    population: int = 10_000
    n_samples: int = SAMPLES

    def __len__(self) -> int:
        return self.n_repeats

    def split(self, y: Any, stratified: bool) -> Iterator[Split]:
        """Return the splits of as many samples as ``y`` has; classes are not used."""
        for repeat in range(self.n_repeats):
            n_rows, first = len(y), 0
            if len(y) >= self.population:
                n_rows = len(y) // self.n_samples
                first = repeat * n_rows
            order = first + np.random.RandomState(repeat).permutation(n_rows)
            n_test = round(self.test_share * n_rows)
            yield Split(repeat, 0, np.sort(order[n_test:]), np.sort(order[:n_test]))

    def describe(self) -> dict[str, Any]:
        """Return what the indices depend on besides the data."""
        return {
            "kind": "sample trials",
            "test_share": self.test_share,
            "population": self.population,
            "n_samples": self.n_samples,
        }


@dataclass(frozen=True)
class ForestMeasures:
    """Error of a forest, mean number of nodes of its trees, features it was given."""

    def __call__(self, estimator: Any, fold: Fold) -> dict[str, float]:
        """Fit the forest, with what selects its features, and ask it."""
        estimator.fit(fold.X_train, fold.y_train)
        forest = estimator[-1] if isinstance(estimator, Pipeline) else estimator
        wrong = estimator.predict(fold.X_test) != np.asarray(fold.y_test)
        values = {
            "error": float(np.mean(wrong)),
            "n_nodes": float(forest.trees_.node_counts.mean()),
            "n_features": float(forest.trees_.n_features),
        }
        if hasattr(forest, "oob_score_"):
            values["oob_error"] = float(1.0 - forest.oob_score_)
        return values


class NoisyForest(ClassifierMixin, BaseEstimator):
    """A forest of the thesis on a table with columns of uniform noise added.

    Parameters
    ----------
    n_noise : int, default=30
        Number of columns to add.
    n_estimators : int, default=100
        Number of trees.
    random_state : int, RandomState instance or None, default=None
        Draws noise, rows and features.

    Attributes
    ----------
    forest_ : ThesisForest
        The forest.
    classes_ : ndarray of shape (n_classes,)
        The class labels, sorted.
    """

    def __init__(
        self, n_noise: int = 30, n_estimators: int = 100, random_state: Any = None
    ) -> None:
        self.n_noise = n_noise
        self.n_estimators = n_estimators
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> "NoisyForest":
        """Add the noise and grow the forest."""
        self._rng = check_random_state(self.random_state)
        forest = ThesisForest(self.n_estimators)
        forest.set_params(random_state=self._rng.randint(2**31 - 1))
        self.forest_ = forest.fit(self._add_noise(X), y)
        self.classes_ = self.forest_.classes_
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Add other noise of the same kind and ask the forest."""
        check_is_fitted(self)
        return self.forest_.predict(self._add_noise(X))

    @property
    def trees_(self) -> Any:
        """The trees of the forest."""
        return self.forest_.trees_

    def _add_noise(self, X: Any) -> np.ndarray:
        X = np.asarray(X, dtype=np.float64)
        return np.c_[X, self._rng.uniform(size=(len(X), self.n_noise))]


class OutOfBagForest(ThesisForest):
    """A forest of the thesis that also has an out-of-bag score.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees.
    random_state : int, RandomState instance or None, default=None
        Draws rows and features.
    """

    def __init__(self, n_estimators: int = 100, *, random_state: Any = None) -> None:
        super().__init__(n_estimators, random_state=random_state)
        self.oob_score = True


def select_first(selector: Any, forest: Any = None) -> Pipeline:
    """Return a pipeline of a selector and a forest of the thesis."""
    forest = ThesisForest() if forest is None else clone(forest)
    return Pipeline([("select", selector), ("forest", forest)])
