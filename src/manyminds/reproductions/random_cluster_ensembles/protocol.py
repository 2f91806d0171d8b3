"""Runs, measures and the control of the paper on random cluster ensembles."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, clone
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score, rand_score
from sklearn.preprocessing import minmax_scale

from manyminds.ensemble import RandomClusterEnsemble, RandomForestClassifier
from manyminds.experiments.measures import Fold
from manyminds.experiments.splits import Split
from manyminds.feature_selection import RCESelector
from manyminds.learners import SelfOrganizingMap
from manyminds.utils.threads import limit_threads

SOM_SIDES = 3, 3


@dataclass(frozen=True)
class Runs:
    """Independent runs on all rows, which are both clustered and judged.

    Parameters
    ----------
    n_runs : int, default=10
        Number of runs, which differ by their seeds.
    """

    n_runs: int = 10

    def __len__(self) -> int:
        return self.n_runs

    def split(self, y: Any, stratified: bool) -> Iterator[Split]:
        """Return all rows for each run, to fit and to judge."""
        rows = np.arange(len(y))
        for run in range(self.n_runs):
            yield Split(run, 0, rows, rows)

    def describe(self) -> dict[str, Any]:
        """Return what the indices depend on besides the data."""
        return {"kind": "runs on all rows"}


def read_numbers(X: Any) -> np.ndarray:
    """Return a table of numbers, missing ones replaced by the column's median."""
    table = pd.DataFrame(X).astype(object).astype(np.float64).to_numpy()
    return np.where(np.isnan(table), np.nanmedian(table, axis=0), table)


@dataclass(frozen=True)
class ClusterMeasures:
    """Agreement of k-means on the selected features with the classes.

    The number of clusters is that of classes, with a single random start.
    """

    def __call__(self, estimator: Any, fold: Fold) -> dict[str, float]:
        """Select features without the target; cluster by them; compare."""
        X = minmax_scale(read_numbers(fold.X_train))
        classes = np.unique(np.asarray(fold.y_train).astype(str), return_inverse=True)[
            1
        ]
        support = np.ones(X.shape[1], dtype=bool)
        if estimator is not None and not isinstance(estimator, AllFeatures):
            support = clone(estimator).fit(X).get_support()
        means = KMeans(
            classes.max() + 1, n_init=1, init="random", random_state=fold.seed
        )
        with limit_threads(1):
            found = means.fit_predict(X[:, support])
        return {
            "rand": float(rand_score(classes, found)),
            "adjusted_rand": float(adjusted_rand_score(classes, found)),
            "n_features": float(support.sum()),
        }


class AllFeatures(BaseEstimator):
    """Select nothing: all features stay."""

    def __init__(self, random_state: Any = None) -> None:
        self.random_state = random_state


class RandomFeatures(BaseEstimator):
    """Select features at random, as many as RCE selects: the control."""

    def __init__(self, n_estimators: int = 200, random_state: Any = None) -> None:
        self.n_estimators = n_estimators
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> "RandomFeatures":
        """Fit RCE for the number, and draw the features."""
        model = RCESelector(
            n_estimators=self.n_estimators, random_state=self.random_state
        ).fit(X)
        rng = np.random.default_rng(self.random_state)
        self.support_ = rng.permutation(model.support_)
        return self

    def get_support(self) -> np.ndarray:
        """Return which features are selected."""
        return self.support_


# ------------------------------------------------------------ genes


@dataclass(frozen=True)
class GeneMeasures:
    """Accuracy of clusters, or of a forest, on genes of a held-out fold."""

    def __call__(self, estimator: Any, fold: Fold) -> dict[str, float]:
        """Fit on the training samples; count right predictions of the others."""
        train, test = read_numbers(fold.X_train), read_numbers(fold.X_test)
        y, truth = (
            np.asarray(part).astype(str) for part in (fold.y_train, fold.y_test)
        )
        found = estimator.fit(train, y).predict(test)
        return {"accuracy": float(np.mean(found == truth))}


class ConsensusClassifier(BaseEstimator):
    """Predict the majority class of the nearest consensus cluster.

    Parameters
    ----------
    share : float or None, default=None
        Share of the features that RCE selects first; None: all stay.
    n_estimators : int, default=300
        Number of base maps.
    random_state : int, default=None
    """

    def __init__(
        self,
        share: float | None = None,
        n_estimators: int = 300,
        random_state: Any = None,
    ) -> None:
        self.share = share
        self.n_estimators = n_estimators
        self.random_state = random_state

    def fit(self, X: np.ndarray, y: np.ndarray) -> "ConsensusClassifier":
        """Select without the target, cluster, then name each cluster by its class."""
        self.support_ = np.ones(X.shape[1], dtype=bool)
        if self.share is not None:
            selector = RCESelector(
                self._make_clusterer(),
                n_features_to_select=self.share,
                random_state=self.random_state,
            )
            self.support_ = selector.fit(X).support_
        self.clusterer_ = self._make_clusterer().fit(X[:, self.support_])
        names, codes = np.unique(y, return_inverse=True)
        labels = self.clusterer_.labels_
        counts = np.zeros((self.clusterer_.n_clusters_, len(names)))
        np.add.at(counts, (labels, codes), 1.0)
        self.class_of_cluster_ = names[counts.argmax(axis=1)]
        return self

    def _make_clusterer(self) -> RandomClusterEnsemble:
        return RandomClusterEnsemble(
            SelfOrganizingMap(*SOM_SIDES),
            self.n_estimators,
            random_state=self.random_state,
        )

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Return the class of each sample's cluster."""
        return self.class_of_cluster_[self.clusterer_.predict(X[:, self.support_])]


class ForestOfBestGenes(BaseEstimator):
    """A forest on the genes that a first forest finds most important.

    Parameters
    ----------
    share : float or None, default=None
        Share of the features; None: all.
    n_estimators : int, default=500
    random_state : int, default=None
    """

    def __init__(
        self,
        share: float | None = None,
        n_estimators: int = 500,
        random_state: Any = None,
    ) -> None:
        self.share = share
        self.n_estimators = n_estimators
        self.random_state = random_state

    def fit(self, X: np.ndarray, y: np.ndarray) -> "ForestOfBestGenes":
        """Grow one forest, or two."""
        forest = RandomForestClassifier(
            self.n_estimators, random_state=self.random_state
        )
        self.kept_ = np.arange(X.shape[1])
        if self.share is not None:
            order = np.argsort(-clone(forest).fit(X, y).feature_importances_)
            self.kept_ = order[: max(1, int(self.share * X.shape[1]))]
        self.forest_ = forest.fit(X[:, self.kept_], y)
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Return the class of each sample."""
        return self.forest_.predict(X[:, self.kept_])
