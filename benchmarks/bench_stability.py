"""Time measures of stability, and Boruta beside BorutaPy if it is installed.

python benchmarks/bench_stability.py [part of a name, e.g. nogueira]

The ratio is BorutaPy's time divided by ours, for the same rounds of the same number of
trees on two threads, by gain, as BorutaPy has it; its forest is scikit-learn's. Calls
of both take turns, so that whatever else the machine does meets both alike.
"""

import statistics
import time

import numpy as np
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier as TheirForest

from manyminds.ensemble import RandomForestClassifier
from manyminds.feature_selection.embedded.boruta import BorutaSelector
from manyminds.feature_selection.embedded.permutation_test import (
    PermutationTestSelector,
)
from manyminds.feature_selection.stability import (
    jaccard_stability,
    lustgarten_stability,
    nogueira_stability,
)
from timing import run_all

N_TREES = 100
N_ROUNDS = 20
N_CALLS = 5


def selections(share):
    """1,000 selections of 100,000 features, each taken with a chance of ``share``."""
    rng = np.random.default_rng(0)
    return rng.random((1_000, 100_000), dtype=np.float32) < share


def many_columns():
    """500 rows of 60 columns, 10 of them of use; 2 classes."""
    return make_classification(
        500, 60, n_informative=6, n_redundant=4, random_state=0, shuffle=False
    )


def bench_nogueira_of_many(benchmark):
    benchmark(nogueira_stability, selections(0.1))


def bench_lustgarten_of_many(benchmark):
    benchmark(lustgarten_stability, selections(0.1))


def bench_jaccard_of_many_large(benchmark):
    benchmark(jaccard_stability, selections(0.1))


def bench_jaccard_of_many_small(benchmark):
    benchmark(jaccard_stability, selections(0.001))


def bench_permutation_test(benchmark):
    X, y = many_columns()
    options = {"n_permutations": 20, "random_state": 0, "n_jobs": 2}
    benchmark(PermutationTestSelector(**options).fit, X, y)


def bench_boruta_against_borutapy(benchmark):
    try:
        from boruta import BorutaPy
    except ImportError:
        print("left out: install Boruta to compare")
        return
    X, y = many_columns()
    ours = BorutaSelector(
        RandomForestClassifier(N_TREES, n_jobs=2),
        importance="gain",
        correction="two_step",
        max_iter=N_ROUNDS,
        random_state=0,
    )
    theirs = BorutaPy(
        TheirForest(n_jobs=2),
        n_estimators=N_TREES,
        max_iter=N_ROUNDS + 1,  # it counts from one, and stops before the last
        random_state=0,
    )
    ours.fit(X, y)  # to compile
    seconds = np.array(
        [[_time(model, X, y) for model in (ours, theirs)] for _ in range(N_CALLS)]
    )
    medians = [statistics.median(column) for column in seconds.T]
    kept = [int(model.support_.sum()) for model in (ours, theirs)]
    print(
        f"\n  fit: ours {medians[0]:.2f} s, BorutaPy {medians[1]:.2f} s, "
        f"ratio {medians[1] / medians[0]:.1f}x (best calls: "
        f"{seconds[:, 1].min() / seconds[:, 0].min():.1f}x)\n"
        f"  kept: ours {kept[0]}, BorutaPy {kept[1]}, both "
        f"{int((ours.support_ & theirs.support_).sum())}; rounds: ours {ours.n_iter_}"
    )


def _time(model, X, y):
    start = time.perf_counter()
    model.fit(X, y)
    return time.perf_counter() - start


if __name__ == "__main__":
    run_all(dict(globals()))
