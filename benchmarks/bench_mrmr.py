"""Time mRMR beside its peers, and its fast ensemble beside a single search.

python benchmarks/bench_mrmr.py [part of a name, e.g. wide] [slow]

With "slow", peers that take minutes on the wide table are called there as well.

Peers that are not installed are left out: mrmrs (with polars), scikit-lego,
mrmr_selection and fast-select. Calls take turns, so that all of them meet the same
machine; slow peers are called once.
"""

import sys
import time

import numpy as np
from sklearn.datasets import make_classification

from manyminds.feature_selection.filters.mrmr import MRMRSelector

SECONDS = 4.0  # a call that takes longer is not repeated


def numbers(n_samples, n_features):
    """Columns of numbers, fifty of which have to do with two classes."""
    return make_classification(
        n_samples, n_features, n_informative=20, n_redundant=30, random_state=0
    )


def levels(n_samples, n_features):
    """The same in three levels each."""
    X, y = numbers(n_samples, n_features)
    half = X.std(axis=0) / 2.0
    return (X > X.mean(axis=0) - half).astype(float) + (X > X.mean(axis=0) + half), y


def sweep(X, k):
    """The bare cost: as many products of all columns with one as a search needs."""
    Z = X - X.mean(axis=0)
    for j in range(k):
        Z[:, j].copy() @ Z


def call_mrmrs(X, y, k):
    import polars as pl
    from mrmrs import mrmr

    frame, target = pl.from_numpy(X), pl.Series("y", y)
    return lambda: [
        int(found.name.removeprefix("column_"))
        for found in mrmr(frame, target, k, "classification")
    ]


def call_scikit_lego(X, y, k):
    from sklego.feature_selection import MaximumRelevanceMinimumRedundancy

    selector = MaximumRelevanceMinimumRedundancy(k, kind="classification")
    return lambda: list(selector.fit(X, y).selected_features_)


def call_mrmr_selection(X, y, k):
    import pandas as pd
    from mrmr import mrmr_classif

    frame, target = pd.DataFrame(X), pd.Series(y)
    return lambda: mrmr_classif(frame, target, k, n_jobs=2, show_progress=False)


def call_fast_select(X, y, k):
    from fast_select import mRMR

    selector = mRMR(k, method="MID", backend="cpu")
    codes = X.astype(np.int32)
    return lambda: list(selector.fit(codes, y).top_features_)


def ours(X, y, k, **options):
    selector = MRMRSelector(k, n_jobs=2, **options)
    return lambda: list(selector.fit(X, y).selected_)


def compare_f(n_samples, n_features, k):
    """F and correlation: ours, the bare sweeps, and three peers.

    mrmrs and mrmr_selection take no correlation below 0.001.
    """
    X, y = numbers(n_samples, n_features)
    floored = ours(X, y, k, redundancy_floor=0.001)
    calls = {
        "manyminds": floored,
        "without floor": ours(X, y, k),
        "bare sweeps": lambda: sweep(X, k),
    }
    peers = {"mrmrs": call_mrmrs}
    if n_features <= 1000 or "slow" in sys.argv:
        peers["scikit-lego"] = call_scikit_lego
        peers["mrmr_selection"] = call_mrmr_selection
    take_turns({**calls, **find_peers(peers, X, y, k)})


def compare_square():
    compare_f(1000, 1000, 20)


def compare_wide():
    compare_f(500, 20_000, 50)


def compare_information():
    """Mutual information in difference form: ours beside fast-select."""
    for n_samples, n_features in ((1000, 1000), (200, 5000)):
        X, y = levels(n_samples, n_features)
        options = {
            "relevance": "mutual_information",
            "criterion": "difference",
            "discretize": None,
        }
        calls = {"manyminds": ours(X, y, 20, **options)}
        peers = {"fast-select": call_fast_select}
        take_turns({**calls, **find_peers(peers, X, y, 20)})


def compare_ensembles():
    """A fast ensemble of twenty, and its baselines, beside a single search."""
    for n_samples, n_features in ((1000, 1000), (500, 20_000)):
        X, y = numbers(n_samples, n_features)
        kinds = ("none", "fast", "inner", "full")
        take_turns({kind: ours(X, y, 20, ensemble=kind) for kind in kinds})


def find_peers(peers, X, y, k):
    """Make the calls of those peers that are installed."""
    found = {}
    for name, make in peers.items():
        try:
            found[name] = make(X, y, k)
        except ImportError as error:
            print(f"  {name} is left out: {error}")
    return found


def take_turns(calls, n_turns=7):
    """Print the shortest time of each call, its ratio to the first, its choice."""
    best, chosen = dict.fromkeys(calls, np.inf), {}
    for turn in range(n_turns + 1):  # the first turn compiles
        for name, call in calls.items():
            if turn > 1 and best[name] > SECONDS:
                continue
            start = time.perf_counter()
            chosen[name] = call()
            if turn > 0 or name != "manyminds":
                best[name] = min(best[name], time.perf_counter() - start)
    first = next(iter(calls))
    for name, seconds in best.items():
        alike = [one for one in chosen if chosen[one] and chosen[one] == chosen[name]]
        ratio, alike = seconds / best[first], ", ".join(alike)
        print(
            f"  {name:16s}{1e3 * seconds:12.1f} ms  x {ratio:8.2f}  chosen by {alike}"
        )


if __name__ == "__main__":
    part = sys.argv[1] if len(sys.argv) > 1 else ""
    for name in ("square", "wide", "information", "ensembles"):
        if part in name:
            print(name)
            globals()[f"compare_{name}"]()
