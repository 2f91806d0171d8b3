"""Time random cluster ensembles compared with a loop over scikit-learn's k-means.

    python benchmarks/cluster_speed.py --out benchmarks/results/cluster_speed.md

Parts: "loop" (5,000 x 40, 200 clusterings of 10 clusters; both ways end with the same
average linkage), "landmarks" (8,000 rows by all pairs and by landmarks: do they agree?)
and "many" (50,000 rows, with the peak of memory, in a process of its own).
"""

import argparse
import re
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score

from machine import describe_machine, markdown_table
from manyminds.datasets.generators import make_waveform
from manyminds.ensemble import RandomClusterEnsemble
from manyminds.feature_selection import RCESelector

N_MEMBERS, N_BASE, N_CLUSTERS = 200, 10, 3


def make_ensemble(n_jobs=2, **options):
    return RandomClusterEnsemble(
        n_estimators=N_MEMBERS,
        base_clusters=N_BASE,
        scale=None,
        n_jobs=n_jobs,
        **{"random_state": 0, "n_clusters": N_CLUSTERS, **options},
    )


def cluster_by_loop(X, dense, seed=0):
    """The same ensemble by a loop; pairs are counted at once or by one product."""
    rng = np.random.default_rng(seed)
    n_rows, n_columns = X.shape
    together = np.zeros((n_rows, n_rows), dtype=np.float32)
    marks = np.zeros((n_rows, 0 if dense else N_MEMBERS * N_BASE), dtype=np.float32)
    for q in range(N_MEMBERS):
        drawn = rng.integers(n_rows, size=n_rows)
        columns = rng.choice(n_columns, 6, replace=False)
        model = KMeans(N_BASE, n_init=1, random_state=q).fit(X[drawn][:, columns])
        rows, first = np.unique(drawn, return_index=True)
        label = model.labels_[first]
        if dense:
            together[np.ix_(rows, rows)] += label[:, None] == label
        else:
            marks[rows, q * N_BASE + label] = 1.0
    if not dense:
        together = marks @ marks.T
    distance = 1.0 - together / N_MEMBERS
    np.fill_diagonal(distance, 0.0)
    tree = linkage(squareform(distance, checks=False), "average")
    return fcluster(tree, N_CLUSTERS, "maxclust")


def timed(function, repeats):
    """Return the shortest time of some calls, and the result of the last one."""
    seconds = []
    for _ in range(repeats):
        begun = time.perf_counter()
        result = function()
        seconds.append(time.perf_counter() - begun)
    return min(seconds), result


def compare_with_loop(repeats):
    X, y = make_waveform(5000, n_irrelevant=19, random_state=0)
    make_ensemble().fit(X[:200])
    RCESelector(make_ensemble()).fit(X[:200])
    ways = {
        "ours": lambda: make_ensemble().fit(X).labels_,
        "ours, pairs divided by all members": lambda: (
            make_ensemble(normalize="n_estimators").fit(X).labels_
        ),
        "ours, with importances of the columns": lambda: (
            RCESelector(make_ensemble(), n_jobs=2).fit(X).labels_
        ),
        "loop, dense co-association": lambda: cluster_by_loop(X, True),
        "loop, co-association by one product": lambda: cluster_by_loop(X, False),
    }
    found = {}
    for name, call in ways.items():
        found[name] = timed(call, 1 if name.startswith("loop") else repeats)
    ours = found["ours"][0]
    return [
        [
            name,
            f"{seconds:.2f} s",
            f"{seconds / ours:.1f}x",
            f"{adjusted_rand_score(y, labels):.3f}",
        ]
        for name, (seconds, labels) in found.items()
    ]


def make_groups(n_rows, seed=0):
    """Draw five groups in ten of 40 columns; the others are noise."""
    rng = np.random.default_rng(seed)
    y = rng.integers(5, size=n_rows)
    X = rng.normal(size=(n_rows, 40))
    X[:, :10] += 4.0 * rng.normal(size=(5, 10))[y]
    return X, y


def compare_landmarks(X, y):
    options = {"n_clusters": len(np.unique(y))}
    exact = make_ensemble(n_landmarks=None, **options).fit(X)
    other = make_ensemble(n_landmarks=None, random_state=1, **options).fit(X).labels_
    rows = [["all pairs, another seed", _share(exact.labels_, other, y)]]
    for n_landmarks in (500, 1000, 2500, 5000):
        some = make_ensemble(n_landmarks=n_landmarks, **options).fit(X).labels_
        rows.append([f"{n_landmarks:,} landmarks", _share(exact.labels_, some, y)])
    rows = [[name, *values] for name, values in rows]
    own = f"{adjusted_rand_score(exact.labels_, y):.3f}"
    return [["all pairs", "1.000", own], *rows]


def _share(exact, some, y):
    return [
        f"{adjusted_rand_score(exact, some):.3f}",
        f"{adjusted_rand_score(y, some):.3f}",
    ]


def read_peak():
    """Return the peak of this process's memory in kilobytes, on Linux."""
    status = Path("/proc/self/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+)", status)[1])


def cluster_many():
    """Cluster 50,000 rows; print seconds and megabytes. Runs in its own process."""
    X, y = make_waveform(50_000, n_irrelevant=19, random_state=0)
    make_ensemble().fit(X[:200])
    before = read_peak()
    seconds, model = timed(lambda: make_ensemble().fit(X), 1)
    peak = read_peak()
    accuracy = adjusted_rand_score(y, model.labels_)
    print(
        f"50,000 x 40, {N_MEMBERS} clusterings, 5,000 landmarks: {seconds:.1f} s on "
        f"two threads, {(peak - before) / 1024:.0f} MB more memory at the peak (all "
        f"pairs would take 20,000 MB), adjusted Rand index with the classes "
        f"{accuracy:.3f}."
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--parts", default="loop,landmarks,many")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    if options.parts == "many_here":
        return cluster_many()
    text = ["# Speed of random cluster ensembles", ""]
    text += [describe_machine(["manyminds", "numpy", "scipy", "scikit-learn"]), ""]
    parts = options.parts.split(",")
    if "loop" in parts:
        text += [
            "## Beside a loop over scikit-learn's KMeans",
            "",
            f"5,000 x 40 waves, {N_MEMBERS} clusterings of {N_BASE} clusters, one "
            "start of k-means++ each, average linkage by SciPy at the end of all. Two "
            "cores, KMeans with its own threads. Ours is the best of "
            f"{options.repeats} runs, a loop of one.",
            "",
            markdown_table(
                ["way", "time", "to ours", "adjusted Rand index"],
                compare_with_loop(options.repeats),
            ),
            "",
        ]
    if "landmarks" in parts:
        for name, table in (
            ("waves", make_waveform(8000, n_irrelevant=19, random_state=0)),
            ("five groups in ten of 40 columns", make_groups(8000)),
        ):
            text += [
                f"## Landmarks beside all pairs, 8,000 rows, {name}",
                "",
                markdown_table(
                    ["rows linked", "agreement with all pairs", "with the classes"],
                    compare_landmarks(*table),
                ),
                "",
            ]
    if "many" in parts:
        command = [sys.executable, __file__, "--parts", "many_here"]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        text += ["## Many rows", "", done.stdout.strip(), ""]
    text = "\n".join(text)
    print(text)
    if options.out:
        options.out.write_text(text)


if __name__ == "__main__":
    main()
