"""Networks, selectors and measures of the paper on Markov blankets by ACE."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator
from sklearn.feature_selection import RFE
from sklearn.preprocessing import OrdinalEncoder
from sklearn.svm import LinearSVC
from sklearn.utils import check_random_state

from manyminds.datasets import Dataset, load_network
from manyminds.experiments.measures import Fold
from manyminds.experiments.splits import Split
from manyminds.feature_selection import MMMBSelector, blanket_distance
from manyminds.feature_selection.associations import (
    CodeTable,
    absolute_pearson,
    symmetrical_uncertainty,
)

PARENTS = {
    "D": ("A", "C"),
    "E": ("A", "B"),
    "F": ("B", "C"),
    "G": ("D", "E"),
    "H": ("D", "F"),
    "I": ("E", "F"),
}
TARGETS = ("G", "H", "I")
NODES = ("A", "B", "C", *PARENTS)
PRINTER_BLANKETS = {
    "Prob1": ("PrtData",),
    "Prob2": ("NetPrint", "DeskPrntSpd", "NtSpd"),
    "Prob3": ("CmpltPgPrntd", "PrtPScript", "IncmpltPS"),
    "Prob4": ("NnPSGrphc", "PrtPScript", "PSGRAPHIC"),
    "Prob5": ("TrTypFnts", "TTOK", "NnTTOK"),
    "Prob6": ("GrbldOtpt", "PrtPScript", "GrbldPS"),
}
MAX_SIZE = 12  # up to which the distances of a ranking are measured


# ---------------------------------------------------------------- networks


def make_continuous(name: str, n_rows: int) -> Dataset:
    """Draw a table of the continuous network, such as "Gaussian, linear, G".

    Nodes below the roots are the sum, or the product, of their two parents and noise.
    Tables of different names are independent of each other.

    Examples
    --------
    >>> from manyminds.reproductions.ensemble_markov_blankets.protocol import (
    ...     make_continuous,
    ... )
    >>> make_continuous("Gaussian, linear, G", 4).X.shape
    (4, 8)
    """
    roots, relation, target = name.split(", ")
    rng = np.random.default_rng([ord(letter) for letter in name])
    if roots == "Gaussian":
        values = {n: rng.normal(i + 1.0, 1.0, n_rows) for i, n in enumerate("ABC")}
    else:
        values = {
            "A": rng.normal(size=n_rows),
            "B": rng.exponential(size=n_rows),
            "C": rng.uniform(-1.0, 1.0, n_rows),
        }
    for node, (one, other) in PARENTS.items():
        pair = values[one], values[other]
        joined = np.add(*pair) if relation == "linear" else np.multiply(*pair)
        values[node] = joined + rng.normal(size=n_rows)
    y = values.pop(target)
    return Dataset(name, pd.DataFrame(values), y, "regression")


def make_printer(name: str, n_rows: int) -> Dataset:
    """Draw a table of the printer network with one of its six problems as target."""
    network = load_network("win95pts")
    frame = network.sample(n_rows, random_state=int(name[-1]))
    target = name.replace("Prob", "Problem")
    y = np.asarray(frame[target]).astype(str)
    return Dataset(name, frame.drop(columns=target), y, "classification")


def make_null(name: str, n_rows: int) -> Dataset:
    """Draw 20 normal columns and a target that is independent of them."""
    rng = np.random.default_rng([ord(letter) for letter in name])
    X = pd.DataFrame(
        rng.normal(size=(n_rows, 20)), columns=[f"x{j}" for j in range(20)]
    )
    if name == "numbers":
        return Dataset(name, X, rng.normal(size=n_rows), "regression")
    return Dataset(name, X, rng.integers(0, 2, n_rows).astype(str), "classification")


def find_blanket(name: str) -> tuple[str, ...]:
    """Return the true blanket of the target of a table: its parents."""
    if name in PRINTER_BLANKETS:
        return PRINTER_BLANKETS[name]
    return PARENTS[name[-1]] if name[-1] in TARGETS else ()


@dataclass(frozen=True)
class Draws:
    """Consecutive rows of a generated table: each draw takes its own.

    Parameters
    ----------
    n_repeats : int
    n_rows : int
        Of each draw.
    """

    n_repeats: int
    n_rows: int

    def __len__(self) -> int:
        return self.n_repeats

    def split(self, y: Any, stratified: bool) -> Iterator[Split]:
        """Return the training samples; there are none to test on."""
        for repeat in range(self.n_repeats):
            first = repeat * self.n_rows
            yield Split(repeat, 0, np.arange(first, first + self.n_rows), np.arange(0))

    def describe(self) -> dict[str, Any]:
        """Return what the indices depend on besides the data."""
        return {"kind": "draws", "n_rows": self.n_rows}


# ---------------------------------------------------------------- selectors


class MaxMinNeighbors(BaseEstimator):
    """MMPC with the defaults of bnlearn: level 0.05, exact tests of the data's type.

    Attributes
    ----------
    selector_ : MMMBSelector
    """

    def fit(self, X: Any, y: Any) -> "MaxMinNeighbors":
        """Find the parents and children; no spouses."""
        test = "fisher_z" if np.asarray(y).dtype.kind == "f" else "g2"
        self.selector_ = MMMBSelector(test, alpha=0.05, spouses=False).fit(X, y)
        return self

    def get_support(self) -> np.ndarray:
        """Return the mask of the selected features."""
        return self.selector_.get_support()


class GeneticCFS(BaseEstimator):
    """The subset of the highest CFS merit that a small genetic search finds.

    Parents are drawn in proportion to their merit; crossover cuts at one place; the
    best subset so far always survives.

    Parameters
    ----------
    population_size, n_generations : int, default=20
    crossover, mutation : float, default=0.6 and 0.033
        Probabilities, of a pair and of a bit.
    random_state : int, RandomState instance or None, default=None

    Attributes
    ----------
    support_ : ndarray of bool of shape (n_features,)
    """

    def __init__(
        self,
        population_size: int = 20,
        n_generations: int = 20,
        crossover: float = 0.6,
        mutation: float = 0.033,
        random_state: Any = None,
    ) -> None:
        self.population_size = population_size
        self.n_generations = n_generations
        self.crossover = crossover
        self.mutation = mutation
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> "GeneticCFS":
        """Search the subsets."""
        rng = check_random_state(self.random_state)
        relevance, redundancy = measure_associations(X, y)
        shape = self.population_size, len(relevance)
        subsets = rng.uniform(size=shape) < 0.5
        for _ in range(self.n_generations):
            merits = _find_merits(subsets, relevance, redundancy)
            best = subsets[np.argmax(merits)].copy()
            odds = merits / merits.sum() if merits.sum() > 0 else None
            parents = subsets[rng.choice(len(subsets), size=len(subsets), p=odds)]
            for pair in parents.reshape(-1, 2, shape[1]):
                if rng.uniform() < self.crossover:
                    cut = rng.randint(1, shape[1])
                    pair[:, cut:] = pair[::-1, cut:].copy()
            subsets = parents ^ (rng.uniform(size=shape) < self.mutation)
            subsets[0] = best
        merits = _find_merits(subsets, relevance, redundancy)
        self.support_ = subsets[np.argmax(merits)]
        return self

    def get_support(self) -> np.ndarray:
        """Return the mask of the selected features."""
        return self.support_


def measure_associations(X: Any, y: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the association of each column with the target, and of all pairs.

    Absolute correlations of numbers, symmetrical uncertainties of levels.
    """
    if np.asarray(y).dtype.kind == "f":
        X, y = np.asarray(X, dtype=np.float64), np.asarray(y)
        pairs = np.array([absolute_pearson(X, column) for column in X.T])
        return absolute_pearson(X, y), pairs
    columns = [np.unique(column, return_inverse=True)[1] for _, column in X.items()]
    codes = np.array(columns, dtype=np.uint8)
    table = CodeTable(codes, codes.max(axis=1).astype(np.int64) + 1)
    target = np.unique(y, return_inverse=True)[1]
    pairs = np.array(
        [
            symmetrical_uncertainty(
                table, column.astype(np.int64), int(column.max()) + 1
            )
            for column in codes
        ]
    )
    return symmetrical_uncertainty(table, target, int(target.max()) + 1), pairs


def _find_merits(
    subsets: np.ndarray, relevance: np.ndarray, redundancy: np.ndarray
) -> np.ndarray:
    """Return the merit of each subset; 0 if it is empty."""
    between = np.einsum("si,ij,sj->s", subsets, redundancy, subsets)
    own = subsets @ np.diag(redundancy)
    size = subsets.sum(axis=1)
    return (subsets @ relevance) / np.sqrt(np.maximum(size + between - own, 1e-12))


class LinearElimination(BaseEstimator):
    """SVM-RFE: rank features by dropping the one with the smallest weight, repeatedly.

    Attributes
    ----------
    order_ : ndarray of shape (n_features,)
        Features, the last one to be dropped first.
    """

    def fit(self, X: Any, y: Any) -> "LinearElimination":
        """Rank the features."""
        codes = OrdinalEncoder().fit_transform(X)
        ranking = RFE(LinearSVC(dual=False), n_features_to_select=1).fit(codes, y)
        self.order_ = np.argsort(ranking.ranking_, kind="stable")
        return self


# ---------------------------------------------------------------- measures


@dataclass(frozen=True)
class BlanketMeasures:
    """Distance d of a selection from the blanket, and how many features it has.

    Of a ranking, d is that of as many features as the blanket has; "d of k" is that of
    the first k.
    """

    def __call__(self, estimator: Any, fold: Fold) -> dict[str, float]:
        """Fit the selector to all rows of the draw."""
        X = fold.X_train
        blanket = np.isin(list(X.columns), find_blanket(fold.data.name))
        estimator.fit(X, fold.y_train)
        if isinstance(estimator, LinearElimination):
            return self._measure_ranking(estimator.order_, blanket)
        selected = np.asarray(estimator.get_support())
        values = {"n_selected": float(selected.sum())}
        if blanket.any():
            values["d"] = blanket_distance(selected, blanket, len(blanket))
        return values

    def _measure_ranking(
        self, order: np.ndarray, blanket: np.ndarray
    ) -> dict[str, float]:
        n = len(blanket)
        values = {
            f"d of {k}": blanket_distance(order[:k], blanket, n)
            for k in range(MAX_SIZE + 1)
        }
        size = int(blanket.sum())
        return {**values, "d": values[f"d of {size}"], "n_selected": float(size)}
