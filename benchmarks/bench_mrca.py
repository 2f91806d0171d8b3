"""Time multi-resolution complexity analysis beside the direct way to compute it.

python benchmarks/bench_mrca.py [part of a name, e.g. direct]

The direct way holds the matrix of all distances, partitions each row for the radii,
and goes through the matrix once for each of 15 radii: what the definitions say, in
NumPy and SciPy. Calls of both take turns, so that whatever else the machine does meets
both alike. The rows are as many, and as wide, as those of the letter data: 20,000 x 16,
26 classes.
"""

import resource
import statistics
import sys
import time

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.datasets import make_classification

from manyminds.analysis.complexity.mrca import MultiResolutionComplexity
from timing import run_all

N_CALLS = 3
MANY = 100_000


def letters(n_samples=20_000):
    """Rows of 16 numbers in 26 classes, standardized."""
    X, y = make_classification(
        n_samples, 16, n_informative=12, n_classes=26, class_sep=1.5, random_state=0
    )
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def profile_directly(X, y, n_radii=15, smallest=0.05, largest=0.45):
    """Compute imbalance profiles as they are defined."""
    distances = cdist(X, X)
    ranks = [int(share * (len(X) - 1)) for share in (smallest, largest)]
    near = np.partition(distances, ranks, axis=1)[:, ranks]
    radii = np.linspace(*near.mean(axis=0), n_radii)
    is_same = y[:, None] == y
    profiles = np.empty((len(X), n_radii))
    for j, radius in enumerate(radii):
        is_near = distances <= radius
        share = (is_near & is_same).sum(axis=1) / is_near.sum(axis=1)
        profiles[:, j] = 2.0 * share - 1.0
    return profiles


def bench_imbalance(benchmark):
    X, y = letters(5_000)
    benchmark(MultiResolutionComplexity(n_jobs=2).fit, X, y)


def bench_linear_boundary_global(benchmark):
    X, y = letters(2_000)
    model = MultiResolutionComplexity("linear_boundary", covariance="global", n_jobs=2)
    benchmark(model.fit, X, y)


def bench_linear_boundary_local(benchmark):
    X, y = letters(2_000)
    benchmark(MultiResolutionComplexity("linear_boundary", n_jobs=2).fit, X, y)


def bench_against_direct(benchmark):
    X, y = letters()
    ours = MultiResolutionComplexity(n_jobs=2)
    ours.fit(X[:500], y[:500])  # to compile
    before = _peak_mb()
    ours.fit(X, y)
    rise = _peak_mb() - before
    seconds = np.array([_time_both(ours, X, y) for _ in range(N_CALLS)])
    medians = [statistics.median(column) for column in seconds.T]
    unequal = np.abs(ours.profiles_ - profile_directly(X, y)).max()
    print(
        f"\n  20,000 x 16, 26 classes: ours {medians[0]:.2f} s on two threads, direct "
        f"{medians[1]:.1f} s, ratio {medians[1] / medians[0]:.1f}x\n"
        f"  memory: ours {rise:.0f} MB more, direct {8 * len(X) ** 2 / 2**20:.0f} MB "
        f"for the distances alone; largest difference of profiles {unequal:.1e}"
    )


def bench_many_rows(benchmark):
    X, y = letters(MANY)
    model = MultiResolutionComplexity(n_jobs=2)
    model.fit(X[:500], y[:500])
    before, start = _peak_mb(), time.perf_counter()
    model.fit(X, y)
    spent, rise = time.perf_counter() - start, _peak_mb() - before
    print(f"{MANY:,} rows: {spent:.1f} s on two threads, {rise:.0f} MB more memory")


def _time_both(ours, X, y):
    start = time.perf_counter()
    ours.fit(X, y)
    middle = time.perf_counter()
    profile_directly(X, y)
    return middle - start, time.perf_counter() - middle


def _peak_mb():
    per_mb = 2**20 if sys.platform == "darwin" else 2**10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / per_mb


if __name__ == "__main__":
    run_all(dict(globals()))
