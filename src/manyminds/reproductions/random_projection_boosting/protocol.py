"""How the paper on RpBoost tried its methods, and how its claims are judged."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.ensemble import AdaBoostClassifier
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.tree import DecisionTreeClassifier

from manyminds.datasets import Dataset
from manyminds.ensemble.boosting.rp_boost import RpBoostClassifier
from manyminds.experiments.splits import Split

BASELINES = ("AdaBoost", "LsBoost")
KINDS = {"N": "normal", "U": "sign", "P": "uniform"}
SIZES = ("sub", "same", "super")
PROJECTED = tuple(f"RpBoost.{size} {kind}" for kind in KINDS for size in SIZES)
# Readings of a pattern that are further from the printed formula than another one.
OTHER_READINGS = ("sine", "linear_plus", "linear_minus", "parabolic_printed")


@dataclass(frozen=True)
class PatternSamples:
    """Train on some points of a pattern, by class; test on all, as the paper did.

    Parameters
    ----------
    n_train : int, default=1000
        Points to train on. They are tested on, too.
    n_repeats : int, default=5
        How often to draw them.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.reproductions.random_projection_boosting.protocol import (
    ...     PatternSamples,
    ... )
    >>> y = np.repeat([0, 1], [60, 40])
    >>> split = next(PatternSamples(n_train=10).split(y, stratified=True))
    >>> print(y[split.train].sum(), len(split.test))
    4 100
    """

    n_train: int = 1000
    n_repeats: int = 5

    def __len__(self) -> int:
        return self.n_repeats

    def split(self, y: Any, stratified: bool) -> Iterator[Split]:
        """Return the samples of points with the classes ``y``."""
        for repeat in range(self.n_repeats):
            draw = StratifiedShuffleSplit(
                1, train_size=self.n_train, random_state=repeat
            )
            train, _ = next(draw.split(np.zeros(len(y)), y))
            yield Split(repeat, 0, train, np.arange(len(y)))

    def describe(self) -> dict[str, Any]:
        """Return what the indices depend on besides the data."""
        return {"kind": "pattern samples", "n_train": self.n_train}


def make_methods(penalty: float = 0.0, scale: bool = False) -> dict[str, Any]:
    """Return the eleven methods of the paper: 500 rounds of stumps each.

    Parameters
    ----------
    penalty : float, default=0.0
        The paper's lambda, for all but AdaBoost.
    scale : bool, default=False
        Whether projections are of columns of unit variance.

    Returns
    -------
    methods : dict of str to estimator
    """
    shared = {"learning_rate": 1.0, "l2_regularization": float(penalty)}
    stump = DecisionTreeClassifier(max_depth=1)
    methods: dict[str, Any] = {
        "AdaBoost": AdaBoostClassifier(stump, n_estimators=500),
        "LsBoost": RpBoostClassifier(projection=None, **shared),
    }
    for name in PROJECTED:
        size, kind = name.removeprefix("RpBoost.").split()
        methods[name] = RpBoostClassifier(
            projection=KINDS[kind], n_components=size, scale=scale, **shared
        )
    return methods


def code_categories(data: Dataset) -> Dataset:
    """Number the categories, and leave out samples with missing values.

    Parameters
    ----------
    data : Dataset

    Returns
    -------
    coded : Dataset
        Category columns have the number of their category, in sorted order.
    """
    data = data.take(~data.X.isna().any(axis=1).to_numpy())
    columns = {c: data.X[c].cat.codes.astype(np.float64) for c in data.categorical}
    return replace(data, X=data.X.assign(**columns))
