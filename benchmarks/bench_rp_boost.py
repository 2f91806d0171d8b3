"""Time RpBoost on the named workloads, and the parts of its stump search.

python benchmarks/bench_rp_boost.py [part of a name, e.g. tiny]
"""

import numpy as np

from manyminds.ensemble.boosting.rp_boost import RpBoostClassifier
from manyminds.kernels.stumps import find_stump, mark_cuts, project
from timing import run_all
from workloads import binary, tiny

HUNDRED = {"n_estimators": 100, "random_state": 0}


def bench_fit_tiny(benchmark):
    benchmark(RpBoostClassifier(**HUNDRED).fit, *tiny())


def bench_fit_binary(benchmark):
    benchmark(RpBoostClassifier(**HUNDRED).fit, *binary())


def bench_fit_binary_two_threads(benchmark):
    benchmark(RpBoostClassifier(n_jobs=2, **HUNDRED).fit, *binary())


def bench_fit_binary_without_projection(benchmark):
    benchmark(RpBoostClassifier(projection=None, **HUNDRED).fit, *binary())


def bench_predict_binary(benchmark):
    X, y = binary()
    benchmark(RpBoostClassifier(**HUNDRED).fit(X, y).predict, X)


def _one_round():
    """Return the table, and directions, values and order of one round on it."""
    X, y = binary()
    directions = np.random.default_rng(0).normal(size=(X.shape[1], X.shape[1]))
    table = np.ascontiguousarray(X.T)
    values = np.empty((len(directions), len(X)))
    project(table, directions, values)
    order = np.argsort(values, axis=1).astype(np.uint32)
    return table, directions, values, order, y - y.mean()


def bench_project_one_round(benchmark):
    table, directions, values, _, _ = _one_round()
    benchmark(project, table, directions, values)


def bench_project_one_round_by_blas(benchmark):
    table, directions, _, _, _ = _one_round()
    benchmark(np.matmul, directions, table)


def bench_sort_one_round(benchmark):
    benchmark(np.argsort, _one_round()[2], 1)


def bench_search_one_round(benchmark):
    _, _, values, order, pull = _one_round()
    may_cut = np.empty(order.shape, dtype=bool)
    mark_cuts(values, order, may_cut)
    benchmark(find_stump, order, may_cut, pull)


def bench_search_one_round_by_numpy(benchmark):
    _, _, values, order, pull = _one_round()
    is_cut = np.diff(np.take_along_axis(values, order.astype(np.intp), axis=1)) > 0.0

    def search():
        below = np.cumsum(pull[order], axis=1)[:, :-1]
        s = np.where(is_cut, pull.sum() - 2.0 * below, 0.0)
        return np.unravel_index(np.abs(s).argmax(), s.shape)

    benchmark(search)


if __name__ == "__main__":
    run_all(dict(globals()))
