"""Time local relevance: the matrix, the second forest, dynamic integration.

python benchmarks/bench_local_relevance.py [part of a name, e.g. gains]

The ratios divide by the time of the plain forest that all of them build on. Calls take
turns, so that whatever else the machine does meets all alike.
"""

import statistics
import time

from sklearn.datasets import make_classification

from manyminds.ensemble.local.dynamic_integration import (
    DynamicIntegrationClassifier,
)
from manyminds.ensemble.local.local_gains import make_uniform_forest
from manyminds.ensemble.local.rf_local import RFLocalClassifier
from manyminds.feature_selection.embedded.local_relevance import relevance_matrix
from timing import run_all

N_CALLS = 7


def rows(n_features=50):
    """2,000 rows to learn from, 2,000 to ask about; numeric columns, 2 classes."""
    X, y = make_classification(
        4000, n_features, n_informative=15, n_redundant=10, random_state=0
    )
    return X[:2000], y[:2000], X[2000:]


def bench_relevance_matrix(benchmark):
    X, y, _ = rows()
    benchmark(relevance_matrix, make_uniform_forest(random_state=0).fit(X, y), X, y)


def bench_rf_local_fit(benchmark):
    X, y, _ = rows()
    benchmark(RFLocalClassifier(random_state=0).fit, X, y)


def bench_rf_local_predict(benchmark):
    X, y, X_new = rows()
    benchmark(RFLocalClassifier(random_state=0).fit(X, y).predict, X_new)


def bench_dynamic_integration_predict(benchmark):
    X, y, X_new = rows()
    benchmark(DynamicIntegrationClassifier(random_state=0).fit(X, y).predict, X_new)


def bench_against_the_plain_forest(benchmark):
    print()
    for n_features in (50, 500):
        X, y, _ = rows(n_features)
        forest = make_uniform_forest(random_state=0).fit(X, y)
        calls = {
            "plain forest": lambda X=X, y=y: make_uniform_forest(random_state=0).fit(
                X, y
            ),
            "matrix": lambda X=X, y=y, forest=forest: relevance_matrix(forest, X, y),
            "RF LOCAL": lambda X=X, y=y: RFLocalClassifier(random_state=0).fit(X, y),
        }
        seconds = {name: [] for name in calls}
        for _ in range(N_CALLS):
            for name, call in calls.items():
                seconds[name].append(_time(call))
        plain = statistics.median(seconds["plain forest"])
        for name, found in seconds.items():
            median = statistics.median(found)
            ratio = f"{median / plain:.1f}x the plain forest"
            print(f"  {n_features} features, {name}: {median:.3f} s, {ratio}")


def _time(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


if __name__ == "__main__":
    run_all(dict(globals()))
