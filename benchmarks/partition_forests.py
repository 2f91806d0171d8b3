"""Compare forests over partitions of a table with the forest of the whole table.

    python benchmarks/partition_forests.py --out benchmarks/results/partition_forests.md

All have 100 trees, spread evenly over the partitions, and 20 columns, of which 10 have
a say; accuracy is that on 2,000 new rows. Each figure is the mean of some tables.
"""

import argparse
from pathlib import Path

import numpy as np
from sklearn.datasets import make_classification

from machine import describe_machine, markdown_table
from manyminds.ensemble import RandomForestClassifier, merge_forests

N_TREES, N_NEW = 100, 2000
PARTITIONS = (1, 4, 16)


def draw(n_rows, seed):
    """Return a table and its target, the new rows last."""
    return make_classification(
        n_rows + N_NEW, 20, n_informative=10, n_clusters_per_class=4, flip_y=0.02,
        random_state=seed,
    )  # fmt: skip


def fit_partitions(X, y, parts, seed):
    """Return one forest of the forests of all partitions."""
    counts = np.diff(np.linspace(0, N_TREES, len(parts) + 1).round().astype(int))
    return merge_forests(
        [
            RandomForestClassifier(count, random_state=1000 * seed + k, n_jobs=1).fit(
                X[rows], y[rows]
            )
            for k, (count, rows) in enumerate(zip(counts.tolist(), parts))
        ]
    )


def measure(n_rows, n_tables):
    """Return accuracy by number of partitions, and over 4 sorted by a column."""
    found = np.empty((n_tables, len(PARTITIONS) + 1))
    for seed in range(n_tables):
        X, y = draw(n_rows, seed)
        train, new = (X[:n_rows], y[:n_rows]), (X[n_rows:], y[n_rows:])
        order = np.argsort(train[0][:, 0])
        ways = [np.array_split(np.arange(n_rows), n) for n in PARTITIONS]
        for k, parts in enumerate([*ways, np.array_split(order, 4)]):
            found[seed, k] = fit_partitions(*train, parts, seed).score(*new)
    return [f"{n_rows:,} ({n_tables} tables)", *(f"{v:.3f}" for v in found.mean(0))]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    rows = [measure(2000, 20), measure(20_000, 10)]
    header = ["rows", "all in one", "4 partitions", "16 partitions", "4, by a column"]
    text = "\n".join(
        [
            "# Forests over partitions",
            "",
            describe_machine(["manyminds", "scikit-learn"]),
            "",
            __doc__.split("\n\n")[2].strip(),
            "Partitions are random but in the last column: rows sorted by a column.",
            "",
            markdown_table(header, rows),
            "",
        ]
    )
    print(text)
    if options.out:
        options.out.write_text(text)


if __name__ == "__main__":
    main()
