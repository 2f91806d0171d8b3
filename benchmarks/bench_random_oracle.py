"""Time ensembles with random oracles: ``forest_family.py`` tells what oracles cost.

python benchmarks/bench_random_oracle.py [part of a name]
"""

from manyminds.ensemble import (
    AdaBoostR2Regressor,
    BaggingRegressor,
    IteratedBaggingRegressor,
    RandomOracleRegressor,
)
from manyminds.trees import REPTreeRegressor
from timing import run_all
from workloads import WORKLOADS

ROWS = 5_000
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


if __name__ == "__main__":
    run_all(dict(globals()))
