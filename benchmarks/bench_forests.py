"""Time fit and predict of our forests on the named workloads.

python benchmarks/bench_forests.py [part of a name, e.g. tiny]
"""

from manyminds.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from timing import run_all
from workloads import binary, tall_multiclass, tall_regression, tiny, wide

TWO_THREADS = {"n_jobs": 2, "random_state": 0}


def bench_random_forest_classifier_fit_tiny(benchmark):
    benchmark(RandomForestClassifier(**TWO_THREADS).fit, *tiny())


def bench_random_forest_classifier_predict_tiny(benchmark):
    X, y = tiny()
    benchmark(RandomForestClassifier(**TWO_THREADS).fit(X, y).predict, X)


def bench_random_forest_classifier_fit_binary(benchmark):
    benchmark(RandomForestClassifier(**TWO_THREADS).fit, *binary())


def bench_random_forest_classifier_predict_binary(benchmark):
    X, y = binary()
    benchmark(RandomForestClassifier(**TWO_THREADS).fit(X, y).predict, X)


def bench_random_forest_classifier_fit_wide(benchmark):
    benchmark(RandomForestClassifier(200, **TWO_THREADS).fit, *wide())


def bench_random_forest_classifier_fit_tall(benchmark):
    benchmark(RandomForestClassifier(**TWO_THREADS).fit, *tall_multiclass())


def bench_random_forest_regressor_fit_tall(benchmark):
    benchmark(RandomForestRegressor(50, **TWO_THREADS).fit, *tall_regression())


def bench_extra_trees_classifier_fit_binary(benchmark):
    benchmark(ExtraTreesClassifier(**TWO_THREADS).fit, *binary())


def bench_extra_trees_regressor_fit_tall(benchmark):
    benchmark(ExtraTreesRegressor(50, **TWO_THREADS).fit, *tall_regression())


if __name__ == "__main__":
    run_all(dict(globals()))
