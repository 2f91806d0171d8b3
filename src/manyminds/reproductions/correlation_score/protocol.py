"""How the thesis on correlation scores tried scores: subsets, errors, and boosting."""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import normalize
from sklearn.utils.validation import check_is_fitted

from manyminds.analysis.correlation import (
    AddNoise,
    EncodingComparison,
    error_agreement,
)
from manyminds.datasets import Dataset
from manyminds.experiments.measures import Fold
from manyminds.experiments.splits import Split

SIZES = (*range(1, 11), 15, 20, 25, 30, 35)
SCORES = {"R²": "r2", "η²": "wilks", "U": "thesis_uncertainty"}
APPLIES = "applies"


@dataclass(frozen=True)
class SubsetSizes:
    """One split per size of subsets: all samples, which the measure splits itself.

    Parameters
    ----------
    sizes : tuple of int, default=(1, ..., 10, 15, 20, 25, 30, 35)
        Columns of a subset; the size is in the place of the repetition.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.reproductions.correlation_score.protocol import (
    ...     SubsetSizes,
    ... )
    >>> split = list(SubsetSizes((1, 15)).split(np.zeros(4), stratified=True))[1]
    >>> split.repeat, len(split.train), len(split.test)
    (15, 4, 4)
    """

    sizes: tuple[int, ...] = SIZES

    def __len__(self) -> int:
        return len(self.sizes)

    def split(self, y: Any, stratified: bool) -> Iterator[Split]:
        """Return all samples for each size."""
        for size in self.sizes:
            yield Split(size, 0, np.arange(len(y)), np.arange(len(y)))

    def describe(self) -> dict[str, Any]:
        """Return a fixed description: nothing is drawn."""
        return {"kind": "subset sizes"}


@dataclass(frozen=True)
class RankingRun:
    """Rank random subsets of one size by scores, and hold a classifier against them.

    Parameters
    ----------
    n_subsets : int, default=10
        How many are drawn; subset ``q`` with the seed ``q``.
    n_folds : int, default=5
        Folds of the cross-validation, by class and not shuffled. Scores are of
        training parts.
    noise : float, default=1e-4
        Added to all columns before they are scored.
    """

    n_subsets: int = 10
    n_folds: int = 5
    noise: float = 1e-4

    def __call__(self, estimator: Any, fold: Fold) -> dict[str, float]:
        """Return by each score whether it agrees with the errors, and how well.

        Sizes that the table has too few columns for do not apply: all values are 0.
        """
        size, y = fold.split.repeat, np.asarray(fold.data.y)
        X = fold.data.X.toarray() if issparse(fold.data.X) else fold.data.X.to_numpy()
        if size >= X.shape[1]:
            return {APPLIES: 0.0, **_no_values()}
        subsets = [
            np.random.RandomState(q).permutation(X.shape[1])[:size]
            for q in range(self.n_subsets)
        ]
        compare = partial(
            EncodingComparison.from_subsets,
            cv=_list_folds(y, self.n_folds),
            preparers=[AddNoise(self.noise)],
            min_range=0.0,
            random_state=fold.seed,
        )
        errors = compare(X, y, subsets, classifiers={"error": estimator}).errors
        values = {APPLIES: 1.0}
        for name, method in SCORES.items():
            scores = compare(X, y, subsets, method=method).scores
            values |= _measure_agreement(name, scores, errors["error"])
        return values


class RealStumpBoost(ClassifierMixin, BaseEstimator):
    """Boost stumps by SAMME.R, the AdaBoost that scikit-learn did by default in 2014.

    Each stump is the cut of one column that lowers the Gini impurity most. Today's
    scikit-learn has only the variant in which stumps vote for one class.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of stumps.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels, sorted.
    most_frequent_ : label
        What is predicted if no column varies.
    stumps_ : list of (column, threshold, below, above)
        Cuts, and the votes of their two sides for each class.
    """

    def __init__(self, n_estimators: int = 100) -> None:
        self.n_estimators = n_estimators

    def fit(self, X: Any, y: Any) -> "RealStumpBoost":
        """Boost stumps until there are enough, or one makes no error."""
        self.classes_, label = np.unique(y, return_inverse=True)
        n_classes = len(self.classes_)
        # Rows that are alike are always on the same side: they are one row, with a
        # weight for each class.
        rows, place_of = np.unique(X, axis=0, return_inverse=True)
        places = (label * len(rows) + place_of.ravel()).astype(np.intp)
        counts = np.bincount(places, minlength=n_classes * len(rows))
        weights = counts.reshape(n_classes, len(rows)) / len(label)
        occurs = weights > 0.0
        self.most_frequent_ = self.classes_[weights.sum(axis=1).argmax()]
        order = np.argsort(rows, axis=0, kind="stable")
        ordered = np.take_along_axis(rows, order, axis=0)
        may_cut = ordered[1:] > ordered[:-1]
        self.stumps_: list[tuple[int, float, np.ndarray, np.ndarray]] = []
        while len(self.stumps_) < self.n_estimators and may_cut.any():
            place, column = _find_cut(weights, order, may_cut)
            threshold = ordered[place : place + 2, column].mean()
            side = (rows[:, column] > threshold).astype(np.intp)
            # Added up anew: differences of sums would leave rounding where a class is
            # not there at all, and the logarithm would make much of it.
            shares = np.stack([weights[:, side == s].sum(axis=1) for s in (0, 1)])
            size = np.maximum(shares.sum(axis=1, keepdims=True), np.finfo(float).tiny)
            shares /= size
            logs = np.log(np.maximum(shares, np.finfo(np.float64).eps))
            votes = logs - logs.mean(axis=1, keepdims=True)
            self.stumps_.append((column, threshold, *votes))
            is_wrong = np.arange(n_classes)[:, None] != shares.argmax(axis=1)[side]
            if not (occurs & is_wrong).any():
                break
            weights *= np.exp(-votes.T[:, side])
            weights /= weights.sum()
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return the class that has most votes."""
        check_is_fitted(self)
        X = np.asarray(X, dtype=np.float64)
        if not self.stumps_:
            return np.full(len(X), self.most_frequent_)
        total = np.zeros((len(X), len(self.classes_)))
        for column, threshold, below, above in self.stumps_:
            total += np.where(X[:, [column]] > threshold, above, below)
        return self.classes_[total.argmax(axis=1)]


def normalize_rows(data: Dataset) -> Dataset:
    """Divide each row by its length, as the thesis's experiments did.

    The text says that columns were brought to the range from 0 to 1; this would change
    neither scores nor trees.
    """
    if issparse(data.X):
        return replace(data, X=normalize(data.X))
    X = pd.DataFrame(normalize(data.X.to_numpy()), columns=data.X.columns)
    return replace(data, X=X)


def _list_folds(y: np.ndarray, n_folds: int) -> list[Any]:
    with warnings.catch_warnings():  # small classes are no fault of the plan
        warnings.filterwarnings("ignore", message="The least populated class")
        return list(StratifiedKFold(n_folds).split(np.zeros(len(y)), y))


def _measure_agreement(
    name: str, scores: np.ndarray, errors: np.ndarray
) -> dict[str, float]:
    found = error_agreement(scores, errors, reject_saturated=True)
    return {
        name: float(found.is_significant),
        f"{name} correlation": float(np.nan_to_num(found.correlation)),
        f"{name} range": float(np.ptp(scores)),
    }


def _no_values() -> dict[str, float]:
    kinds = ("", " correlation", " range")
    return {f"{name}{kind}": 0.0 for name in SCORES for kind in kinds}


def _find_cut(
    weights: np.ndarray, order: np.ndarray, may_cut: np.ndarray
) -> tuple[int, int]:
    """Find the cut that leaves the least Gini impurity: its place and its column.

    Weights have one row for each class: sums over the first axis are the quick ones.
    """
    below = np.cumsum(weights[:, order[:-1]], axis=1)
    above = np.maximum(weights.sum(axis=1)[:, None, None] - below, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        purity = (below**2).sum(axis=0) / below.sum(axis=0)
        purity += (above**2).sum(axis=0) / above.sum(axis=0)
    purity = np.nan_to_num(purity)  # NaN: a side whose weight is lost in rounding
    purity[~may_cut] = -1.0
    place, column = np.unravel_index(np.argmax(purity), purity.shape)
    return int(place), int(column)
