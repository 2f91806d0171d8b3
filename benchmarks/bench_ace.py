"""Time ACE beside a plain version with scikit-learn's forests, and beside BorutaPy.

python benchmarks/bench_ace.py [part of a name, e.g. plain]

The plain version does less: forests on columns and contrasts, the t-test on their gain;
no out-of-bag choice of features, no masking, no residuals. BorutaPy is timed if it is
installed, with as many trees in all. All on one thread, taking turns.
"""

import statistics
import time

import numpy as np
from scipy.stats import ttest_rel
from sklearn.ensemble import RandomForestRegressor as PeerForest

from manyminds.feature_selection import ACESelector
from timing import run_all

N_TREES, N_REPLICATES, N_TURNS = 50, 5, 3


def table():
    """2,000 rows, 30 columns: two matter, two are close to these, the rest is noise."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 30))
    X[:, 2:4] = X[:, :2] + 0.3 * rng.normal(size=(2000, 2))
    return X, X[:, 0] + X[:, 1] + 0.5 * rng.normal(size=2000)


def make_ours(max_iter):
    return ACESelector(
        N_TREES, n_replicates=N_REPLICATES, max_iter=max_iter, random_state=0, n_jobs=1
    )


def select_plainly(X, y):
    """Return the columns whose gain is above that of the contrasts."""
    rng, m = np.random.default_rng(0), X.shape[1]
    scores = []
    for seed in range(N_REPLICATES):
        wide = np.hstack([X, rng.permuted(X, axis=0)])
        forest = PeerForest(
            N_TREES, max_features="sqrt", min_samples_leaf=5, random_state=seed
        )
        scores.append(forest.fit(wide, y).feature_importances_)
    scores = np.array(scores)
    limits = np.percentile(scores[:, m:], 95, axis=1)
    tests = [ttest_rel(one, limits, alternative="greater") for one in scores[:, :m].T]
    return np.flatnonzero([m * test.pvalue < 0.05 for test in tests])


def bench_all_rounds(benchmark):
    benchmark(lambda: make_ours(10).fit(*table()))


def bench_ratio_to_plain_version(benchmark):
    """One round of ours, with masking, beside importances alone."""
    X, y = table()
    _compare(lambda: make_ours(1).fit(X, y), lambda: select_plainly(X, y))


def bench_ratio_to_boruta_py(benchmark):
    """All rounds of ours beside 100 rounds of BorutaPy, forests of 50 trees."""
    try:
        from boruta import BorutaPy
    except ImportError:
        print("BorutaPy is not installed")
        return
    X, y = table()
    forest = PeerForest(N_TREES, max_features="sqrt", min_samples_leaf=5, n_jobs=1)
    _compare(
        lambda: make_ours(10).fit(X, y),
        lambda: BorutaPy(forest, max_iter=100, random_state=0).fit(X, y),
        n_turns=1,
    )


def _compare(ours, theirs, n_turns=N_TURNS):
    """Print how many times as long theirs takes, the median over turns."""
    ours()  # compiles
    ratios = []
    for _ in range(n_turns):
        mine, peer = _spend(ours), _spend(theirs)
        ratios.append(peer / mine)
    print(f"{statistics.median(ratios):12.1f} times faster, median of {n_turns}")


def _spend(call):
    start = time.process_time()
    call()
    return time.process_time() - start


if __name__ == "__main__":
    run_all(dict(globals()))
