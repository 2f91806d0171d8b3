"""Time FCBF and CFS on wide tables; FCBF beside the package fcbf if it is installed.

python benchmarks/bench_fcbf.py [part of a name, e.g. wide]

Ratios are the peer's time divided by ours, on the same codes, calls taking turns. The
textbook loop, which computes each symmetrical uncertainty by itself in NumPy, is a peer
that is always there. Memory is the rise of the process's peak during the call.
"""

import resource
import time

import numpy as np

from manyminds.feature_selection.filters.cfs import CFSSelector
from manyminds.feature_selection.filters.discretization import make_code_table
from manyminds.feature_selection.filters.fcbf import FCBFSelector
from timing import run_all

N_CALLS = 3


def wide(n_samples=500, n_features=100_000, seed=0):
    """Numbers of which one in fifty says something about the two classes."""
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=n_samples)
    X = rng.normal(size=(n_samples, n_features))
    n_relevant = n_features // 50
    X[:, :n_relevant] += rng.uniform(0.2, 1.0, size=n_relevant) * y[:, None]
    return X, y


def coded(n_samples=500, n_features=300):
    """The same as codes of four levels."""
    X, y = wide(n_samples, n_features)
    codes = make_code_table(X, None, y, "quantile", 4).codes.T.astype(np.int64)
    return np.ascontiguousarray(codes), y


def bench_fcbf_wide(benchmark):
    X, y = wide()
    FCBFSelector(n_jobs=2).fit(X[:, :2000], y)  # to compile
    before, start = _peak(), time.perf_counter()
    selector = FCBFSelector(n_jobs=2).fit(X, y)
    seconds = time.perf_counter() - start
    print(
        f"\n  500 x 100,000: {seconds:.1f} s, {selector.support_.sum()} kept of "
        f"{(selector.scores_ > 0).sum()} relevant; peak memory +{_peak() - before:.0f} "
        f"MB beside {X.nbytes / 2**20:.0f} MB of data"
    )


def bench_fcbf_wide_quantiles(benchmark):
    X, y = wide(n_features=20_000)
    benchmark(FCBFSelector(discretize="quantile", n_bins=4, n_jobs=2).fit, X, y)


def bench_cfs_wide(benchmark):
    X, y = wide(n_features=20_000)
    benchmark(CFSSelector(n_jobs=2).fit, X, y)


def bench_fcbf_against_textbook(benchmark):
    X, y = coded()
    _compare("textbook loop", _filter_by_the_book, X, y)


def bench_fcbf_against_package(benchmark):
    try:
        import pandas as pd
        from fcbf import fcbf
    except ImportError:
        print("left out: install fcbf to compare")
        return

    def call(X, y):
        names = [str(j) for j in range(X.shape[1])]
        frame = pd.DataFrame(X, columns=names)
        kept, *_ = fcbf(frame, pd.Series(y, name="class"), su_threshold=1e-10)
        return [int(name) for name in kept]

    _compare("fcbf", call, *coded(n_features=100))


def _compare(name, theirs, X, y):
    ours = FCBFSelector(discretize=None, n_jobs=2)
    ours.fit(X, y)  # to compile
    seconds = np.empty((N_CALLS, 2))
    for call in range(N_CALLS):
        start = time.perf_counter()
        kept = theirs(X, y)
        middle = time.perf_counter()
        ours.fit(X, y)
        seconds[call] = middle - start, time.perf_counter() - middle
    peer, mine = np.median(seconds, axis=0)
    same = sorted(kept) == ours.get_support(indices=True).tolist()
    print(
        f"\n  {X.shape[0]} x {X.shape[1]} codes: ours {1e3 * mine:.1f} ms, {name} "
        f"{1e3 * peer:.0f} ms, ratio {peer / mine:.0f}x; "
        f"{'the same' if same else 'not the same'} {ours.support_.sum()} features"
    )


def _filter_by_the_book(X, y):
    scores = np.array([_uncertainty(x, y) for x in X.T])
    order = np.argsort(-scores, kind="stable")
    left, kept = [j for j in order if scores[j] > 1e-10], []
    while left:
        best = left.pop(0)
        kept.append(int(best))
        left = [j for j in left if _uncertainty(X[:, j], X[:, best]) < scores[j]]
    return kept


def _uncertainty(x, y):
    table = np.zeros((x.max() + 1, y.max() + 1))
    np.add.at(table, (x, y), 1.0 / len(x))
    h_x, h_y, h_xy = (_entropy(p) for p in (table.sum(1), table.sum(0), table.ravel()))
    return 2.0 * (h_x + h_y - h_xy) / (h_x + h_y) if h_x + h_y > 0.0 else 0.0


def _entropy(share):
    share = share[share > 0.0]
    return -(share * np.log2(share)).sum()


def _peak():
    """Peak memory of the process in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    run_all(dict(globals()))
