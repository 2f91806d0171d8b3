"""How the thesis on complexity loaded tables, found errors and counted successes."""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from manyminds.analysis.complexity import (
    ComplexityAgreement,
    MultiResolutionComplexity,
    disagreeing_neighbors,
    measure_complexity_agreement,
)
from manyminds.analysis.complexity.clustering import assign, find_centroids
from manyminds.datasets import Dataset
from manyminds.experiments.measures import Fold
from manyminds.reproductions.protocols.tamponi_2015.preparation import (
    encode,
    fill_by_class,
)
from manyminds.reproductions.published import Find

CLUSTERS = (2, 3, 4, 5, 6)
CLUSTERERS = ("manual", "k-means")
SMALLEST = (0.05, 0.1, 0.15, 0.2, 0.25)
LARGEST = {"imbalance": 0.45, "linear boundary": 0.6}  # those of tables 3.4 and 3.5
OLD_IRIS = {(34, 3): 0.1, (37, 1): 3.1, (37, 2): 1.5}  # as many copies have it
SUCCESS = 0.8
PLAIN_AUC = "auc of five neighbours"  # spelled as in the stored records


def make_complexity(
    probe: str, smallest: float = 0.05, covariance: str = "global"
) -> MultiResolutionComplexity:
    """Return the analysis that the thesis's tables were computed with."""
    return MultiResolutionComplexity(
        probe.replace(" ", "_"),
        smallest=smallest,
        largest=LARGEST[probe],
        weights="harmonic",
        covariance=covariance,
    )


def name_configuration(probe: str, smallest: float = 0.05, more: str = "") -> str:
    """Name an analysis."""
    return f"{probe}, {smallest:.0%} to {LARGEST[probe]:.0%}{more}"


@dataclass(frozen=True)
class Agreements:
    """Compare analyses of a data set with errors of a classifier, with several seeds.

    Errors are those on out-of-fold samples, in five folds without shuffling. The
    repetitions differ by the seeds of the classifier and of k-means.

    Parameters
    ----------
    complexities : tuple of (name, MultiResolutionComplexity)
        The analyses; their profiles do not depend on a seed.
    n_seeds : int, default=5
        How many times.
    """

    complexities: tuple[tuple[str, MultiResolutionComplexity], ...]
    n_seeds: int = 5

    def __call__(self, estimator: Any, fold: Fold) -> dict[str, float]:
        """Return correlations and numbers of clusters, named by `name_value`."""
        X, y = np.asarray(fold.X_train, dtype=np.float64), np.asarray(fold.y_train)
        seeds = [fold.seed + i for i in range(self.n_seeds)]
        errors = [find_errors(estimator, X, y, seed) for seed in seeds]
        values = {"error": float(np.mean(errors))}
        plain = disagreeing_neighbors(X, y)
        nothing = np.zeros(len(y), dtype=np.intp)
        aucs = [measure_complexity_agreement(plain, nothing, e).auc for e in errors]
        values[PLAIN_AUC] = _mean_of_known(aucs)
        for name, complexity in self.complexities:
            fitted = clone(complexity).fit(X, y)
            for clusterer in CLUSTERERS:
                for n_clusters in CLUSTERS:
                    found = list(
                        compare_all(fitted, clusterer, n_clusters, errors, seeds)
                    )
                    place = name, clusterer, n_clusters
                    values.update(_tell(place, found))
            values[f"auc of {name}"] = _mean_of_known([one.auc for one in found])
        return values


def name_value(
    configuration: str, clusterer: str, n_clusters: int, what: str, seed: int
) -> str:
    """Name a measured value: ``what`` is "r" or "clusters"."""
    return f"{configuration} | {clusterer} s={n_clusters} | {what} {seed}"


def find_errors(estimator: Any, X: np.ndarray, y: np.ndarray, seed: int) -> np.ndarray:
    """Return the misclassified samples, in five folds without shuffling."""
    model = clone(estimator).set_params(random_state=seed)
    with warnings.catch_warnings():
        # A class smaller than the number of folds is missing from some of them.
        warnings.filterwarnings("ignore", message="The least populated class")
        return cross_val_predict(model, X, y, cv=StratifiedKFold(5)) != y


def compare_all(
    fitted: MultiResolutionComplexity,
    clusterer: str,
    n_clusters: int,
    errors: list[np.ndarray],
    seeds: list[int],
) -> Iterator[ComplexityAgreement]:
    """Cluster profiles once more, and hold the clusters against each set of errors."""
    kind = "manual" if clusterer == "manual" else "minibatch"
    for is_error, seed in zip(errors, seeds):
        centroids = find_centroids(fitted.profiles_, kind, n_clusters, seed)
        labels = assign(fitted.profiles_, centroids)
        yield measure_complexity_agreement(fitted.mri_, labels, is_error)


@dataclass(frozen=True)
class GivenErrors:
    """Hold an analysis against errors that are known.

    Parameters
    ----------
    rows : tuple of int
        The misclassified samples.
    """

    rows: tuple[int, ...]

    def __call__(self, estimator: Any, fold: Fold) -> dict[str, float]:
        """Return 100 times the squared correlation, and the number of clusters."""
        fitted = estimator.fit(np.asarray(fold.X_train), np.asarray(fold.y_train))
        is_error = np.isin(np.arange(len(fitted.mri_)), self.rows)
        found = measure_complexity_agreement(fitted.mri_, fitted.labels_, is_error)
        squared = 100.0 * found.thesis_correlation**2
        return {"squared": squared, "clusters": float(found.n_clusters)}


def load_as_in_thesis(find: Find, name: str) -> Dataset:
    """Load a set as the thesis did: indicators, missing values filled by class."""
    data = fill_by_class(encode(find(name)))
    if name == "zoo" and "animal" not in str(list(data.X)):
        rows = pd.get_dummies(pd.Series(np.arange(data.n_samples)), dtype=float)
        rows.columns = [f"animal={i}" for i in range(data.n_samples)]
        data = replace(data, X=pd.concat([data.X, rows], axis=1))
    return data


def load_old_iris(find: Find) -> Dataset:
    """Load iris with the three numbers that differ between its copies."""
    data = find("iris")
    X = data.X.copy()
    for place, value in OLD_IRIS.items():
        X.iloc[place] = value
    return replace(data, X=X)


def _tell(
    place: tuple[str, str, int], found: list[ComplexityAgreement]
) -> Iterator[tuple[str, float]]:
    for seed, one in enumerate(found):
        yield name_value(*place, "r", seed), one.thesis_correlation
        yield name_value(*place, "clusters", seed), float(one.n_clusters)


def _mean_of_known(values: list[float]) -> float:
    known = [value for value in values if not np.isnan(value)]
    return float(np.mean(known)) if known else 0.5
