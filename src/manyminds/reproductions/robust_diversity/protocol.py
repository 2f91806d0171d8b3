"""How the thesis on diversity drew trials, coded tables and measured ensembles."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from manyminds.datasets import Dataset
from manyminds.datasets.generators import make_friedman_classes
from manyminds.ensemble import RandomForestClassifier
from manyminds.ensemble.boosting.diversity_curves import q_statistic
from manyminds.experiments.measures import Fold
from manyminds.experiments.splits import Split

VOTES = {"n": -1.0, "y": 1.0}  # a vote that is not known is in between
FRIEDMAN_ROWS = 200


@dataclass(frozen=True)
class Trials:
    """Random divisions of the rows, and of large tables another sample each time.

    Parameters
    ----------
    n_repeats : int, default=100
        How many.
    test_share : float, default=0.1
        Share of the rows to test on.
    population : int, default=2000
        A table with at least so many rows is a population, as a generator gives it:
        each trial draws ``n_drawn`` of its rows.
    n_drawn : int, default=200
        Rows of a sample of a population.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.reproductions.robust_diversity.protocol import Trials
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
        """Return the splits of rows with the classes ``y``, which are not looked at."""
        for repeat in range(self.n_repeats):
            order = np.random.RandomState(repeat).permutation(len(y))
            if len(y) >= self.population:
                order = order[: self.n_drawn]
            n_test = round(self.test_share * len(order))
            yield Split(repeat, 0, np.sort(order[n_test:]), np.sort(order[:n_test]))

    def describe(self) -> dict[str, Any]:
        """Return what the rows depend on besides the data."""
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
        """Fit the ensemble and ask it, and each member, about the test rows."""
        estimator.fit(fold.X_train, fold.y_train)
        truth = np.asarray(fold.y_test)
        correct = estimator.predict_all(fold.X_test) == truth
        q = q_statistic(correct, undefined=self.undefined)
        return {
            "error": float(np.mean(estimator.predict(fold.X_test) != truth)),
            "base_error": float(1.0 - correct.mean()),
            "q": 0.0 if np.isnan(q) else q,
        }


class SubspaceMember(ClassifierMixin, BaseEstimator):
    """Fit a learner to a random half of the features.

    Parameters
    ----------
    estimator : classifier
        The learner.
    share : float, default=0.5
        Share of the features.
    random_state : int, RandomState instance or None, default=None
        Draws the features.

    Attributes
    ----------
    features_ : ndarray of shape (n_drawn,)
        The features.
    estimator_ : classifier
        The fitted learner.
    classes_ : ndarray of shape (n_classes,)
        The class labels, sorted.
    """

    def __init__(
        self, estimator: Any, share: float = 0.5, random_state: Any = None
    ) -> None:
        self.estimator = estimator
        self.share = share
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> "SubspaceMember":
        """Draw the features and fit the learner."""
        rng, n_drawn = check_random_state(self.random_state), self.share * X.shape[1]
        self.features_ = rng.permutation(X.shape[1])[: max(1, round(n_drawn))]
        self.estimator_ = clone(self.estimator).fit(X[:, self.features_], y)
        self.classes_ = self.estimator_.classes_
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return the learner's answer."""
        check_is_fitted(self)
        return self.estimator_.predict(X[:, self.features_])


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


def drop_incomplete(data: Dataset) -> Dataset:
    """Leave out the rows with missing values."""
    return data.take(np.flatnonzero(~data.X.isna().any(axis=1)))


def code_votes(data: Dataset) -> Dataset:
    """Code votes as -1 and 1, and those that are not known as 0."""
    X = data.X.astype(object).apply(lambda column: column.map(VOTES))
    return replace(data, X=X.astype(np.float64).fillna(0.0))


def make_friedman_population(n_rows: int) -> Dataset:
    """Draw the rows of which each trial takes its own sample."""
    X, y = make_friedman_classes(n_rows, random_state=0)
    frame = pd.DataFrame(X, columns=[f"x{i}" for i in range(X.shape[1])])
    return Dataset("friedman", frame, y, "classification")
