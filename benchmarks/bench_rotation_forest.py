"""Time our rotation forest, and aeon's beside it if it is installed.

python benchmarks/bench_rotation_forest.py [part of a name, e.g. fit]

The ratio is aeon's time divided by ours, for the same number of trees on two threads.
Calls of both take turns, so that whatever else the machine does meets both alike.
"""

import statistics
import time

import numpy as np
from sklearn.datasets import make_classification

from manyminds.ensemble.forests.rotations.rotation_forest import (
    RotationForestClassifier,
    RotationForestRegressor,
)
from timing import run_all

OPTIONS = {"n_estimators": 50, "n_jobs": 2, "random_state": 0}
N_CALLS = 5


def oblique():
    """2,000 rows to learn from, 2,000 to ask about; 50 numeric columns, 3 classes."""
    X, y = make_classification(
        4000, 50, n_informative=15, n_redundant=10, n_classes=3, random_state=0
    )
    return X[:2000], y[:2000], X[2000:], y[2000:]


def bench_rotation_forest_classifier_fit(benchmark):
    X, y, _, _ = oblique()
    benchmark(RotationForestClassifier(**OPTIONS).fit, X, y)


def bench_rotation_forest_classifier_predict(benchmark):
    X, y, X_new, _ = oblique()
    benchmark(RotationForestClassifier(**OPTIONS).fit(X, y).predict, X_new)


def bench_rotation_forest_regressor_fit(benchmark):
    X, y, _, _ = oblique()
    benchmark(RotationForestRegressor(**OPTIONS).fit, X, X[:, 0] * y)


def bench_against_aeon(benchmark):
    try:
        from aeon.classification.sklearn import RotationForestClassifier as Theirs
    except ImportError:
        print("left out: install aeon to compare")
        return
    X, y, X_new, y_new = oblique()
    ours, theirs = RotationForestClassifier(**OPTIONS), Theirs(**OPTIONS)
    ours.fit(X[:200], y[:200])  # to compile
    seconds = np.array(
        [[_time(m, X, y) for m in (ours, theirs)] for _ in range(N_CALLS)]
    )
    medians = [statistics.median(column) for column in seconds.T]
    scores = [100 * model.score(X_new, y_new) for model in (ours, theirs)]
    print(
        f"\n  fit: ours {medians[0]:.2f} s, aeon {medians[1]:.2f} s, "
        f"ratio {medians[1] / medians[0]:.1f}x (best calls: "
        f"{seconds[:, 1].min() / seconds[:, 0].min():.1f}x)\n"
        f"  accuracy on new rows: ours {scores[0]:.1f} %, aeon {scores[1]:.1f} %"
    )


def _time(model, X, y):
    start = time.perf_counter()
    model.fit(X, y)
    return time.perf_counter() - start


if __name__ == "__main__":
    run_all(dict(globals()))
