"""How causal selections are counted, and what is lost with them."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from manyminds.datasets import Dataset
from manyminds.datasets.generators.lucas import LUCAS_BLANKET
from manyminds.ensemble import BaggingClassifier
from manyminds.experiments.measures import Fold
from manyminds.trees import DecisionTreeClassifier


@dataclass(frozen=True)
class CountBlanket:
    """Numbers of selected features, and of those in the true Markov blanket.

    ``misses`` are the members of the blanket of LUCAS that were not selected plus the
    features that were and are no members.
    """

    def __call__(self, estimator: Any, fold: Fold) -> dict[str, float]:
        """Fit the selector."""
        estimator.fit(fold.X_train, fold.y_train)
        names = np.asarray(fold.X_train.columns)[estimator.get_support()]
        n_right = float(sum(name in LUCAS_BLANKET for name in names))
        n_false = float(len(names)) - n_right
        misses = len(LUCAS_BLANKET) - n_right + n_false
        return {
            "n_selected": float(len(names)),
            "n_right": n_right,
            "n_false": n_false,
            "misses": misses,
        }


@dataclass(frozen=True)
class BaggedError:
    """Error of bagged trees on the selected features; without any, the largest class.

    Trees split codes of categories by entropy, down to two samples.
    """

    n_members: int = 25

    def __call__(self, estimator: Any, fold: Fold) -> dict[str, float]:
        """Fit the selector, then the trees; predict the test samples."""
        estimator.fit(fold.X_train, fold.y_train)
        kept = estimator.get_support(indices=True)
        values = {"n_selected": float(len(kept))}
        y, y_test = np.asarray(fold.y_train), np.asarray(fold.y_test)
        if len(kept) == 0:
            labels, counts = np.unique(y, return_counts=True)
            return values | {"error": float(np.mean(y_test != labels[counts.argmax()]))}
        tree = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2)
        bagging = BaggingClassifier(tree, self.n_members, random_state=fold.seed)
        bagging.fit(fold.X_train.iloc[:, kept], y)
        answer = bagging.predict(fold.X_test.iloc[:, kept])
        return values | {"error": float(np.mean(answer != y_test))}


def code_categories(data: Dataset) -> Dataset:
    """Turn categories into numbers, so that all learners take them; missing is one."""
    frame = pd.DataFrame(index=data.X.index)
    for name in data.X.columns:
        column = data.X[name]
        if column.dtype == "category" or column.dtype == object:
            codes, _ = pd.factorize(column.astype(str), sort=True)
            frame[name] = codes.astype(float)
        else:
            frame[name] = column.astype(float)
    return replace(data, X=frame)
