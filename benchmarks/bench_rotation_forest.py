"""Time rotation forests: ``forest_family.py`` sets them beside aeon's.

python benchmarks/bench_rotation_forest.py [part of a name, e.g. fit]
"""

from sklearn.datasets import make_classification

from manyminds.ensemble.rotations.rotation_forest import (
    RotationForestClassifier,
    RotationForestRegressor,
)
from timing import run_all

OPTIONS = {"n_estimators": 50, "n_jobs": 2, "random_state": 0}


def oblique(seed=0):
    """2,000 rows to learn from, 2,000 to ask about; 50 numeric columns, 3 classes."""
    X, y = make_classification(
        4000, 50, n_informative=15, n_redundant=10, n_classes=3, random_state=seed
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


if __name__ == "__main__":
    run_all(dict(globals()))
