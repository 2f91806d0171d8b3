"""How the thesis on local relevance drew samples, and its forest of chosen features."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from manyminds.ensemble.base import draw_member_seeds, make_member
from manyminds.experiments.splits import Split
from manyminds.reproductions.protocols.rogers_2007 import Trials

SAMPLES = 100  # that a population has rows for


@dataclass(frozen=True)
class SampledTrials:
    """Random splits of the samples; of a population, a hundredth each time.

    Parameters
    ----------
    n_repeats : int, default=100
        How many.
    test_share : float, default=0.1
        Share of the samples to test on.
    population : int, default=2000
        A table with at least so many rows is a population, as a generator draws it.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.reproductions.local_relevance.protocol import (
    ...     SampledTrials,
    ... )
    >>> trial = next(SampledTrials(1).split(np.zeros(30_000), stratified=True))
    >>> len(trial.train), len(trial.test)
    (270, 30)
    """

    n_repeats: int = 100
    test_share: float = 0.1
    population: int = 2000

    def __len__(self) -> int:
        return self.n_repeats

    def split(self, y: Any, stratified: bool) -> Iterator[Split]:
        """Return the splits of as many samples as ``y`` has; classes are not used."""
        n_drawn = len(y) // SAMPLES
        trials = Trials(self.n_repeats, self.test_share, self.population, n_drawn)
        return trials.split(y, stratified)

    def describe(self) -> dict[str, Any]:
        """Return what the indices depend on besides the data."""
        return {
            "kind": "sampled trials",
            "test_share": self.test_share,
            "population": self.population,
            "samples": SAMPLES,
        }


class SelectedForest(ClassifierMixin, BaseEstimator):
    """Fit a forest to the features that a selector keeps.

    Parameters
    ----------
    selector : feature selector
        Chooses the features.
    forest : forest classifier
        What is fitted to them.
    random_state : int, RandomState instance or None, default=None
        Draws for both.

    Attributes
    ----------
    selector_ : feature selector
        The fitted selector.
    forest_ : forest classifier
        The fitted forest.
    classes_ : ndarray of shape (n_classes,)
        The class labels, sorted.
    """

    def __init__(self, selector: Any, forest: Any, random_state: Any = None) -> None:
        self.selector = selector
        self.forest = forest
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> "SelectedForest":
        """Choose the features, then fit the forest."""
        first, second = draw_member_seeds(self.random_state, 2)
        self.selector_ = make_member(self.selector, first).fit(X, y)
        self.forest_ = make_member(self.forest, second).fit(self._see(X), y)
        self.classes_ = self.forest_.classes_
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return the forest's answer."""
        check_is_fitted(self)
        return self.forest_.predict(self._see(X))

    def predict_all(self, X: Any) -> np.ndarray:
        """Return the answer of each tree."""
        check_is_fitted(self)
        return self.forest_.predict_all(self._see(X))

    def _see(self, X: Any) -> np.ndarray:
        return np.asarray(X)[:, self.selector_.get_support()]
