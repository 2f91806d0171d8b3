"""Measure the forest family against other ways to get the same: ratios and accuracies.

    python benchmarks/forest_family.py [--out FILE.md]

Calls of both sides take turns, so that whatever else the machine does meets both alike;
medians count. Two threads everywhere. A library that is missing is left out.
"""

import argparse
import statistics
from pathlib import Path
from time import perf_counter

from bench_local_trees import LocalTreesOverSklearn, draw_rows
from bench_random_oracle import numbers
from bench_rotation_forest import oblique
from machine import describe_machine, markdown_table
from manyminds.ensemble import (
    BaggingRegressor,
    ForestOfLocalTreesClassifier,
    RandomOracleRegressor,
    RotationForestClassifier,
    RpBoostClassifier,
)
from manyminds.trees import REPTreeRegressor
from workloads import binary

SEED = {"n_jobs": 2, "random_state": 0}
HEADER = ["what", "seconds", "beside it", "seconds", "ratio", "goal", "scores, in %"]


def main():
    """Measure, print and write."""
    options = parse_arguments()
    rows = [row for measure in MEASURES if (row := measure())]
    parts = [
        "# The forest family beside others",
        describe_machine(["manyminds", "scikit-learn", "aeon"]),
        markdown_table(HEADER, rows),
    ]
    text = "\n\n".join(parts) + "\n"
    print(text)
    if options.out:
        options.out.write_text(text, encoding="utf-8")


def parse_arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, help="also write the table to this file")
    return parser.parse_args()


def take_turns(pair, X, y, n_turns=5):
    """Median seconds of the fits of two models, one call to compile left out."""
    turns = []
    for _ in range(n_turns + 1):
        turns.append([])
        for model in pair:
            start = perf_counter()
            model.fit(X, y)
            turns[-1].append(perf_counter() - start)
    return [statistics.median(column) for column in zip(*turns[1:])]


def say(names, seconds, goal, scores=""):
    """One line of the table."""
    mine, peer = seconds
    return [
        names[0], f"{mine:.2f}", names[1], f"{peer:.2f}", f"{peer / mine:.2f}", goal,
        scores,
    ]  # fmt: skip


def measure_local_trees():
    X, y, X_new, y_new = draw_rows()
    pair = ForestOfLocalTreesClassifier(**SEED), LocalTreesOverSklearn()
    seconds = take_turns(pair, X, y)
    scores = [f"{100 * (m.predict(X_new) == y_new).mean():.1f}" for m in pair]
    names = (
        "forest of 10 local trees, 20,000 x 50",
        "over scikit-learn's trees",
    )
    return say(names, seconds, "4 or more", " / ".join(scores))


def measure_rotation_forest():
    try:
        from aeon.classification.sklearn import RotationForestClassifier as Theirs
    except ImportError:
        print("aeon is not installed: its rotation forest is left out")
        return None
    seconds, scores = [], []
    for seed in range(5):
        X, y, X_new, y_new = oblique(seed)
        options = {"n_estimators": 50, "n_jobs": 2, "random_state": seed}
        pair = RotationForestClassifier(**options), Theirs(**options)
        seconds.append(take_turns(pair, X, y, 1))
        scores.append([100 * model.score(X_new, y_new) for model in pair])
    seconds = [statistics.median(column) for column in zip(*seconds)]
    means = [f"{statistics.mean(column):.1f}" for column in zip(*scores)]
    names = "rotation forest of 50 trees, 2,000 x 50", "aeon's"
    return say(names, seconds, "5 or more", " / ".join(means) + " of 5 sets")


def measure_oracles():
    X, y = numbers()
    tree = REPTreeRegressor()
    pair = [
        BaggingRegressor(one, n_estimators=100, **SEED)
        for one in (RandomOracleRegressor(tree), tree)
    ]
    seconds = take_turns(pair, X, y)
    names = "100 bagged REP trees with oracles, 5,000 x 40", "without oracles"
    return say(names, seconds, "0.83 or more")


def measure_threads():
    X, y = binary()
    pair = [
        RpBoostClassifier(n_estimators=100, n_jobs=n, random_state=0) for n in (2, 1)
    ]
    seconds = take_turns(pair, X, y)
    names = "RpBoost, 100 rounds, 10,000 x 20, two threads", "one thread"
    return say(names, seconds, "")


MEASURES = [
    measure_local_trees,
    measure_rotation_forest,
    measure_oracles,
    measure_threads,
]

if __name__ == "__main__":
    main()
