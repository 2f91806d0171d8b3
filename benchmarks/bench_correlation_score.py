"""Time correlation scores, and beside them what they are meant to save.

python benchmarks/bench_correlation_score.py [part of a name, e.g. subsets]

Ratios are the other way's time divided by ours, calls taking turns.
"""

import statistics
import time

import numpy as np
from sklearn.datasets import make_classification
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import cross_val_score

from manyminds.analysis import SubsetScorer, correlation_score, draw_subsets
from manyminds.ensemble import RandomForestClassifier
from timing import run_all

N_CALLS = 5


def table(n_rows=5000, n_columns=50, n_redundant=0):
    """So many rows and columns, 4 classes; some columns are linear in others."""
    return make_classification(
        n_rows,
        n_columns,
        n_informative=min(15, n_columns),
        n_redundant=n_redundant,
        n_classes=4,
        random_state=0,
    )


def bench_r2(benchmark):
    benchmark(correlation_score, *table())


def bench_r2_of_dependent_columns(benchmark):
    benchmark(correlation_score, *table(n_redundant=10))


def bench_wilks(benchmark):
    benchmark(correlation_score, *table(), "wilks")


def bench_cross_validated_r2(benchmark):
    benchmark(correlation_score, *table(), "cross_validated_r2")


def bench_uncertainty(benchmark):
    benchmark(correlation_score, *table(2000, 5), "uncertainty")


def bench_distance(benchmark):
    benchmark(correlation_score, *table(2000, 50), "distance")


def bench_wide_r2(benchmark):
    benchmark(correlation_score, *table(100, 5000))


def bench_thousand_subsets(benchmark):
    scorer, subsets = SubsetScorer(*table()), draw_subsets(50, 10, 1000, random_state=0)
    benchmark(scorer.score, subsets)


def bench_subsets_against_one_by_one(benchmark):
    X, y = table()
    subsets = draw_subsets(50, 10, 100, random_state=0)
    print()
    _compare(
        "100 subsets, sums included, against scores one by one",
        lambda: SubsetScorer(X, y).score(subsets),
        lambda: [correlation_score(X[:, one], y) for one in subsets],
    )


def bench_against_linear_regression(benchmark):
    X, y = table()
    Y = np.eye(4)[y]
    print()
    _compare(
        "R² against scikit-learn's linear regression of the labels",
        lambda: correlation_score(X, y),
        lambda: LinearRegression().fit(X, Y).score(X, Y),
    )


def bench_against_cross_validation(benchmark):
    X, y = table(1000, 10)
    forest = RandomForestClassifier(100, random_state=0)
    print()
    _compare(
        "R² against ten-fold cross-validation of our random forest",
        lambda: correlation_score(X, y),
        lambda: cross_val_score(forest, X, y, cv=10),
    )


def _compare(title, ours, theirs):
    seconds = []
    for _ in range(N_CALLS + 1):  # the first call compiles
        seconds.append([_time(ours), _time(theirs)])
    mine, other = (statistics.median(column) for column in zip(*seconds[1:]))
    print(
        f"  {title}: ours {1e3 * mine:.2f} ms, the other {1e3 * other:.2f} ms, "
        f"ratio {other / mine:.1f}x"
    )


def _time(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


if __name__ == "__main__":
    run_all(dict(globals()))
