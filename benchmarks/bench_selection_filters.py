"""Time the filters of the challenge's size, and scikit-learn's beside them.

python benchmarks/bench_selection_filters.py [part of a name, e.g. sparse]

The ratio is scikit-learn's time divided by ours. Calls of both take turns, so that
whatever else the machine does meets both alike.
"""

import statistics
import time

import numpy as np
from scipy.sparse import random_array
from sklearn.feature_selection import VarianceThreshold, f_classif

from manyminds.feature_selection.filters.correlation import CorrelationSelector
from manyminds.feature_selection.filters.high_variance import HighVarianceSelector
from manyminds.feature_selection.filters.ssv import SSVSelector
from timing import run_all

N_CALLS = 5


def digits():
    """6,000 rows by 5,000 numeric columns, as in GISETTE."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(6000, 5000)), rng.integers(0, 2, size=6000)


def molecules():
    """1,150 rows by 100,000 columns of zeros and ones, one in a hundred stored."""
    X = random_array((1150, 100_000), density=0.01, format="csr", random_state=0)
    X.data[:] = 1.0
    return X, np.random.default_rng(0).integers(0, 2, size=1150)


def bench_ssv_ranking(benchmark):
    benchmark(SSVSelector().fit, *digits())


def bench_ssv_ranking_sparse(benchmark):
    benchmark(SSVSelector().fit, *molecules())


def bench_ssv_tree(benchmark):
    X, y = digits()
    benchmark(SSVSelector(method="tree", random_state=0).fit, X[:, :500], y)


def bench_correlation_sparse(benchmark):
    benchmark(CorrelationSelector().fit, *molecules())


def bench_correlation_against_scikit_learn(benchmark):
    X, y = digits()
    _compare(lambda: CorrelationSelector().fit(X, y), lambda: f_classif(X, y))


def bench_variance_against_scikit_learn(benchmark):
    X, _ = digits()
    ours, theirs = HighVarianceSelector(), VarianceThreshold()
    _compare(lambda: ours.fit(X), lambda: theirs.fit(X))


def _compare(ours, theirs):
    seconds = np.array([[_time(ours), _time(theirs)] for _ in range(N_CALLS)])
    one, other = (statistics.median(column) for column in seconds.T)
    print(f"ours {one:.3f} s, scikit-learn {other:.3f} s, ratio {other / one:.1f}x")


def _time(function):
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


if __name__ == "__main__":
    run_all(dict(globals()))
