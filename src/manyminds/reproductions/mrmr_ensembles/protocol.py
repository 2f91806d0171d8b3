"""How the paper on fast ensembles of mRMR selected, counted and measured stability."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from scipy.optimize import brentq
from sklearn.base import BaseEstimator, clone

from manyminds.datasets import Dataset
from manyminds.experiments.measures import Fold
from manyminds.feature_selection import MRMRSelector, count_passes, estimate_passes
from manyminds.feature_selection.base import assign_folds
from manyminds.feature_selection.filters.mrmr import combine_votes
from manyminds.feature_selection.stability import jaccard_stability
from manyminds.reproductions.published import Place, PublishedValue

N_SUBSETS = 10
N_FEATURES = {"ionosphere": 34, "lung-d": 325, "colon-d": 2000, "lymphoma-9c": 4026}


class PaperMRMR(BaseEstimator):
    """Choose features by F and correlation, or by information where there are levels.

    Parameters
    ----------
    n_features_to_select : int, default=20
    ensemble : str, default="none"
    n_parts : int, default=20
        See `MRMRSelector`.
    random_state : int, RandomState instance or None, default=None

    Attributes
    ----------
    selector_ : MRMRSelector
        The fitted selector.
    """

    def __init__(
        self,
        n_features_to_select: int = 20,
        ensemble: str = "none",
        n_parts: int = 20,
        random_state: Any = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.ensemble = ensemble
        self.n_parts = n_parts
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> "PaperMRMR":
        """Choose features; three values are the levels of a discretized table."""
        X = np.asarray(X, dtype=np.float64)
        options = {}
        if len(np.unique(X)) <= 3:
            # Three bins of equal width put each of -2, 0 and 2 into a bin of its own.
            measure = "mutual_information"
            options = {"relevance": measure, "discretize": "uniform", "n_bins": 3}
        self.selector_ = MRMRSelector(
            self.n_features_to_select,
            ensemble=self.ensemble,
            n_members=self.n_parts,
            random_state=self.random_state,
            **options,
        ).fit(X, y)
        return self

    def list_first(self, n_selected: int) -> np.ndarray:
        """List the selections of fewer features.

        A search begins with the same features however long it goes on; the members of
        an ensemble vote anew.
        """
        if hasattr(self.selector_, "members_"):
            members = self.selector_.members_[:, :n_selected]
            return combine_votes(members, self.selector_.scores_)[0][:n_selected]
        return self.selector_.selected_[:n_selected]


@dataclass(frozen=True)
class SelectionStability:
    """Mean Jaccard index of the selections on ten subsets of 90 % of the samples.

    Parameters
    ----------
    sizes : tuple of int, default=()
        Fewer features than the estimator chooses, to be looked at as well.
    """

    sizes: tuple[int, ...] = ()

    def __call__(self, estimator: Any, fold: Fold) -> dict[str, float]:
        """Draw the subsets by the fold's seed, choose on each, compare all pairs."""
        X, y = np.asarray(fold.X_train, dtype=np.float64), np.asarray(fold.y_train)
        codes, rng = np.unique(y, return_inverse=True)[1], np.random.RandomState
        subset = assign_folds(len(y), N_SUBSETS, "stratified", codes, rng(fold.seed))
        sizes = (*self.sizes, estimator.n_features_to_select)
        masks = np.zeros((len(sizes), N_SUBSETS, X.shape[1]), dtype=bool)
        for i in range(N_SUBSETS):
            fitted = clone(estimator).fit(X[subset != i], y[subset != i])
            for place, size in enumerate(sizes):
                masks[place, i, fitted.list_first(size)] = True
        found = [float(jaccard_stability(mask)) for mask in masks]
        named = dict(zip([name_size(size) for size in sizes], found))
        return {**named, "stability": found[-1]}


@dataclass(frozen=True)
class CountPasses:
    """How many passes over the samples a fast ensemble takes."""

    def __call__(self, estimator: Any, fold: Fold) -> dict[str, float]:
        """Run the fast ensemble on all samples and count the passes."""
        fitted = estimator.fit(fold.X_train, fold.y_train).selector_
        return {"passes": float(fitted.n_passes_)}


class Formula(BaseEstimator):
    """One of the formulas for the number of passes, by name.

    Parameters
    ----------
    name : {"Fast", "Standard", "Estimated"}
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def compute(self, p: int, k: int, e: int, s: int, jaccard: float) -> float:
        """Compute the passes; an estimate is a share of the standard in percent."""
        if self.name == "Fast":
            return float(count_passes(p, k, n_swept=s))
        standard = count_passes(p, k, e)
        if self.name == "Standard":
            return float(standard)
        return 100.0 * estimate_passes(p, k, e, jaccard) / standard


@dataclass(frozen=True)
class ComputeFormula:
    """Put the numbers of a printed row into a formula."""

    def __call__(self, estimator: Any, fold: Fold) -> dict[str, float]:
        """Read the numbers from the row that the data set is made of."""
        row = fold.X_train.iloc[0]
        p, k, e, s = (int(row[name]) for name in "pkes")
        return {"passes": float(estimator.compute(p, k, e, s, float(row["jaccard"])))}


def make_row(
    name: str, swept: Mapping[Place, PublishedValue], estimates: Mapping[Place, Any]
) -> Dataset:
    """Return a data set of a printed row, such as "ionosphere, k=10, e=5".

    The Jaccard index is the one with which equation 8 gives the printed estimate for
    20 parts.
    """
    source, *rest = name.split(", ")
    k, e = (int(one.split("=")[1]) for one in rest)
    p, s = N_FEATURES[source], int(swept[name, "swept"].mean)
    target = estimates[f"{source}, k={k}, e=20", "Estimated"].mean
    jaccard = brentq(lambda j: estimate_passes(p, k, 20, j) - target, 1e-9, 1.0)
    numbers = {"p": p, "k": k, "e": e, "s": s, "jaccard": jaccard}
    X = pd.DataFrame({one: [float(number)] * 2 for one, number in numbers.items()})
    return Dataset(name, X, np.array([0, 1]), "classification")


def share_estimates(
    estimates: Mapping[Place, PublishedValue], passes: Mapping[Place, PublishedValue]
) -> dict[Place, PublishedValue]:
    """Return printed estimates in percent of the standard passes."""
    return {
        (name, method): PublishedValue(
            100.0 * value.mean / passes[name, "Standard"].mean
        )
        for (name, method), value in estimates.items()
        if not name.endswith("e=20")
    }


def group_by_set(
    passes: Mapping[Place, PublishedValue],
) -> dict[Place, PublishedValue]:
    """Return the printed passes of fast ensembles by data set, k and e."""
    cells = {}
    for (name, method), value in passes.items():
        if method == "Fast":
            source, setting = name.split(", ", 1)
            cells[source, setting] = value
    return cells


def take_first(data: Dataset, n_samples: int) -> Dataset:
    """Return the first samples: the training part of a set in two files."""
    return replace(data, X=data.X.iloc[:n_samples], y=data.y[:n_samples])


def name_size(size: int) -> str:
    """Name a number of features, as the tables do."""
    return f"k={size}"
