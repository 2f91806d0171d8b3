"""Time selection by the gains of a forest, beside the forest itself.

python benchmarks/bench_forest_relevance.py [part of a name, e.g. shadow]
"""

from manyminds.datasets.generators import make_madelon_like
from manyminds.ensemble import RandomForestClassifier
from manyminds.ensemble.forests.weighted_draws.ci_ws import CIWSForestClassifier
from manyminds.feature_selection.embedded.forest_gain import ForestGainSelector
from manyminds.feature_selection.embedded.forest_gain_test import ForestGainTestSelector
from timing import run_all

OPTIONS = {"n_estimators": 100, "n_jobs": 1, "random_state": 0}


def madelon():
    """2,000 rows, 500 columns, of which 20 say something, 2 classes."""
    return make_madelon_like(2000, random_state=0)


def bench_blind_forest(benchmark):
    forest = RandomForestClassifier(criterion="entropy", max_features=1, **OPTIONS)
    benchmark(forest.fit, *madelon())


def bench_forest_gain(benchmark):
    benchmark(ForestGainSelector(**OPTIONS).fit, *madelon())


def bench_forest_test_midpoint(benchmark):
    benchmark(
        ForestGainTestSelector(expected_gain="midpoint", **OPTIONS).fit, *madelon()
    )


def bench_forest_test_exact(benchmark):
    benchmark(ForestGainTestSelector(expected_gain="exact", **OPTIONS).fit, *madelon())


def bench_forest_test_shadow(benchmark):
    benchmark(ForestGainTestSelector(expected_gain="shadow", **OPTIONS).fit, *madelon())


def bench_weighted_draws(benchmark):
    benchmark(CIWSForestClassifier(**OPTIONS).fit, *madelon())


if __name__ == "__main__":
    run_all(dict(globals()))
