"""Named workloads: the same made-up data for every benchmark.

``WORKLOADS[name].draw()`` gives training and test rows of one distribution; the
functions ``tall_multiclass()``, ``binary()``, ... give the training rows alone, as
``(X, y)``, so that a benchmark reads ``benchmark(Forest().fit, *wide())``.
"""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from sklearn.datasets import make_classification, make_regression


@dataclass(frozen=True)
class Workload:
    """A recipe for one data set, and the number of trees to grow on it.

    Columns that are neither informative nor redundant are noise. ``n_classes`` is
    zero for regression, which has no redundant columns; a class is made of
    ``n_clusters`` normal clouds. The last ``n_categorical`` columns are categories of
    5 to 60 levels, whose order says nothing; X is a dataframe then.
    """

    name: str
    n_samples: int
    n_features: int
    n_informative: int
    n_redundant: int
    n_classes: int
    n_clusters: int
    n_estimators: int
    n_test: int
    seed: int
    n_categorical: int = 0

    @property
    def task(self):
        """Either "classification" or "regression"."""
        return "classification" if self.n_classes else "regression"

    @property
    def title(self):
        """Size and kind in words, as the tables show it."""
        kind = f"{self.n_classes} classes" if self.n_classes else "regression"
        size = f"{self.n_samples:,} x {self.n_features:,}"
        if self.n_categorical:
            size += f" ({self.n_categorical} categorical)"
        return f"{size}, {kind}, {self.n_estimators} trees"

    def draw(self):
        """Return ``X, y, X_test, y_test``: float64 in C order, always the same."""
        X, y = self._draw_rows(self.n_samples + self.n_test)
        X = np.ascontiguousarray(X, dtype=np.float64)
        if self.n_categorical:
            X = self._make_categories(X)
        cut = self.n_samples
        return X[:cut], y[:cut], X[cut:], y[cut:]

    def quick(self):
        """The same recipe on far fewer rows and trees, to try a script out."""
        return replace(
            self,
            n_samples=max(100, self.n_samples // 60),
            n_test=min(500, self.n_test),
            n_estimators=10,
        )

    def _make_categories(self, X):
        """Cut the last columns at quantiles, and give the pieces names at random."""
        rng = np.random.default_rng(self.seed)
        frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])
        n_levels = np.geomspace(5, 60, self.n_categorical).astype(int)
        for name, n in zip(frame.columns[-self.n_categorical :], n_levels, strict=True):
            names = rng.permutation([f"level {k}" for k in range(n)])
            codes = pd.qcut(frame[name], n, labels=False)
            frame[name] = pd.Categorical(names[codes], categories=sorted(names))
        return frame

    def _draw_rows(self, n_samples):
        if self.task == "regression":
            return make_regression(
                n_samples,
                self.n_features,
                n_informative=self.n_informative,
                noise=10.0,
                random_state=self.seed,
            )
        return make_classification(
            n_samples,
            self.n_features,
            n_informative=self.n_informative,
            n_redundant=self.n_redundant,
            n_classes=self.n_classes,
            n_clusters_per_class=self.n_clusters,
            flip_y=0.01,
            random_state=self.seed,
        )


WORKLOADS = {
    workload.name: workload
    for workload in [
        Workload("tall_multiclass", 60_000, 40, 15, 10, 5, 2, 100, 20_000, seed=1),
        Workload("binary", 10_000, 20, 8, 4, 2, 2, 100, 10_000, seed=2),
        Workload("tall_regression", 60_000, 40, 20, 0, 0, 0, 50, 20_000, seed=3),
        Workload("wide", 300, 5_000, 30, 170, 2, 1, 200, 1_000, seed=4),
        Workload("tiny", 150, 4, 3, 1, 3, 1, 100, 1_500, seed=5),
    ]
}

# For memory, where what libraries take for themselves counts little.
TALLER_WORKLOADS = {
    workload.name: workload
    for workload in [
        Workload("taller_multiclass", 500_000, 40, 15, 10, 5, 2, 20, 20_000, seed=1),
        Workload("taller_regression", 500_000, 40, 20, 0, 0, 0, 10, 20_000, seed=3),
    ]
}


# Gradient boosting needs fewer columns than a forest to be busy, and more rows.
BOOSTING_WORKLOADS = {
    workload.name: workload
    for workload in [
        WORKLOADS["tiny"],
        Workload("small", 1_000, 20, 8, 4, 2, 2, 100, 5_000, seed=6),
        Workload("wide_2000", 300, 2_000, 30, 70, 2, 1, 100, 1_000, seed=7),
        WORKLOADS["binary"],
        Workload("regression", 10_000, 20, 12, 0, 0, 0, 100, 10_000, seed=8),
        WORKLOADS["tall_multiclass"],
        Workload("categorical", 20_000, 10, 9, 0, 18, 1, 100, 10_000, 9, 5),
        Workload("large", 500_000, 30, 12, 6, 2, 3, 100, 100_000, seed=10),
    ]
}


def tall_multiclass():
    """60,000 x 40, 5 classes: 15 informative, 10 redundant, 15 noise columns."""
    return WORKLOADS["tall_multiclass"].draw()[:2]


def binary():
    """10,000 x 20, 2 classes: 8 informative, 4 redundant, 8 noise columns."""
    return WORKLOADS["binary"].draw()[:2]


def tall_regression():
    """60,000 x 40, a noisy linear target of 20 columns; the other 20 are noise."""
    return WORKLOADS["tall_regression"].draw()[:2]


def wide():
    """300 x 5,000, 2 classes: 30 informative, 170 redundant, 4,800 noise columns."""
    return WORKLOADS["wide"].draw()[:2]


def tiny():
    """150 x 4, 3 classes: 3 informative columns and 1 redundant."""
    return WORKLOADS["tiny"].draw()[:2]
