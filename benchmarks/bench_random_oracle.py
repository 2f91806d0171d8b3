"""Time bagging with random oracles against bagging without, and the other ensembles.

python benchmarks/bench_random_oracle.py [part of a name, or "ratio"]

"ratio" prints what an oracle costs: the time of 100 members with oracles over that of
100 without, measured in turns. The goal is 1.2 at most.
"""

import statistics
import sys
import time

from manyminds.ensemble import (
    AdaBoostR2Regressor,
    BaggingRegressor,
    IteratedBaggingRegressor,
    RandomOracleRegressor,
)
from manyminds.trees import DecisionTreeRegressor, REPTreeRegressor
from timing import run_all
from workloads import WORKLOADS

ROWS = 5_000
TREES = {
    "full trees": DecisionTreeRegressor(),
    "unpruned REP trees": REPTreeRegressor(prune=False),
    "pruned REP trees": REPTreeRegressor(),
}
SEED = {"random_state": 0}


def numbers():
    """5,000 of the rows of the workload ``tall_regression``: 40 columns."""
    X, y, _, _ = WORKLOADS["tall_regression"].draw()
    return X[:ROWS], y[:ROWS]


def bench_bagging_without_oracles(benchmark):
    benchmark(BaggingRegressor(REPTreeRegressor(), **SEED).fit, *numbers())


def bench_bagging_with_oracles(benchmark):
    oracle = RandomOracleRegressor(REPTreeRegressor())
    benchmark(BaggingRegressor(oracle, **SEED).fit, *numbers())


def bench_random_subspaces_with_oracles(benchmark):
    oracle = RandomOracleRegressor(REPTreeRegressor(prune=False))
    model = BaggingRegressor(oracle, bootstrap=False, max_features=0.5, **SEED)
    benchmark(model.fit, *numbers())


def bench_adaboost_r2_with_oracles(benchmark):
    oracle = RandomOracleRegressor(REPTreeRegressor())
    benchmark(AdaBoostR2Regressor(oracle, **SEED).fit, *numbers())


def bench_iterated_bagging_with_oracles(benchmark):
    oracle = RandomOracleRegressor(REPTreeRegressor())
    benchmark(IteratedBaggingRegressor(oracle, **SEED).fit, *numbers())


def measure(function, *args):
    """Return the processor's seconds of one call: other programs do not count."""
    start = time.process_time()
    function(*args)
    return time.process_time() - start


def print_ratios(n_turns=5):
    X, y = numbers()
    for name, tree in TREES.items():
        pair = [
            BaggingRegressor(one, **SEED) for one in (tree, RandomOracleRegressor(tree))
        ]
        for model in pair:
            model.fit(X[:100], y[:100])  # compile
        turns = [[measure(model.fit, X, y) for model in pair] for _ in range(n_turns)]
        asks = [[measure(model.predict, X) for model in pair] for _ in range(n_turns)]
        for what, found in (("fit", turns), ("predict", asks)):
            plain, oracle = (statistics.median(column) for column in zip(*found))
            print(
                f"{name:20s} {what:8s} {plain:7.3f} s without, {oracle:7.3f} s with "
                f"oracles: ratio {oracle / plain:.2f}"
            )


if __name__ == "__main__":
    if "ratio" in sys.argv[1:]:
        print_ratios()
    else:
        run_all(dict(globals()))
