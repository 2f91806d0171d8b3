"""Measure the checks of tables: rows unlike those of training, and pitfalls.

    python benchmarks/table_checks.py DATA [--out FILE.md]

DATA is a folder of data sets. Novelty: a `NoveltyCheck` of two thirds of the rows, at
most 20,000, is applied to the others as they are; with one numeric column, drawn at
random, shifted by 3 and by 10 standard deviations; with each numeric column permuted on
its own; and with the numeric columns interchanged in a circle. Three splits each.
Pitfalls: `find_pitfalls` on 60 clean tables that are drawn, where none is wanted, and
on all data sets of up to 50,000 rows and 1,000 columns. About 3 minutes on one core.
"""

import argparse
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd

from machine import describe_machine, markdown_table
from manyminds.analysis import NoveltyCheck, find_pitfalls
from manyminds.datasets import DataFolder, from_frame

NAMES = """
    abalone housing cpu auto-mpg kin8nm bodyfat vowel sonar segment letter iris wine
    glass dry-bean htru2 credit-g electricity arrhythmia house-16H ionosphere satimage
    spambase
""".split()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    folder = DataFolder(arguments.data)
    lines = ["# Checks of tables", "", __doc__.split("\n\n", 2)[2]]
    lines += [describe_machine(["numpy", "scikit-learn"]), ""]
    lines += ["## Share of rows flagged as unlike those of training", ""]
    lines += [list_novelty(folder), "", "## Pitfalls", ""]
    n_clean = sum(len(find_pitfalls(draw_clean(seed))) for seed in range(60))
    lines += [f"Found in 60 clean tables: {n_clean}.", ""]
    lines += list_pitfalls(folder, pd.read_csv(arguments.data / "INDEX.csv"))
    text = "\n".join(lines) + "\n"
    print(text)
    if arguments.out:
        arguments.out.write_text(text, encoding="utf-8")


def list_novelty(folder):
    rows = []
    for name in NAMES:
        X = folder.load(name).X
        rows.append([name, *np.mean([flag(X, seed) for seed in range(3)], axis=0)])
    rows.append(["mean", *np.mean([row[1:] for row in rows], axis=0)])
    header = ["data set", "like", "+3 std", "+10 std", "permuted", "interchanged"]
    cells = [[row[0], *(f"{share:.1%}" for share in row[1:])] for row in rows]
    return markdown_table(header, cells)


def flag(X, seed):
    """Return the shares of rows that are flagged: like, shifted, permuted, mixed up."""
    rng = np.random.default_rng(seed)
    rows = rng.permutation(len(X))[:20_000]
    third = len(rows) * 2 // 3
    train, test = X.iloc[rows[:third]], X.iloc[rows[third:]]
    check = NoveltyCheck.fit(train)
    numeric = [c for c in X if X[c].dtype.kind == "f" and train[c].nunique() > 2]
    shifted = {3: [], 10: []}
    for name in rng.choice(numeric, 5):
        for size in shifted:
            moved = test.assign(**{name: test[name] + size * train[name].std()})
            shifted[size].append(share(check, moved))
    permuted = test.assign(**{c: rng.permutation(test[c]) for c in numeric})
    mixed = test.copy()
    mixed[numeric] = test[[*numeric[1:], numeric[0]]].to_numpy()
    moved = [np.mean(shares) for shares in shifted.values()]
    return [share(check, test), *moved, share(check, permuted), share(check, mixed)]


def share(check, X):
    return check.find_unlike(X).unlike.mean()


def draw_clean(seed):
    """Draw a table of numbers, counts, categories and dates without pitfalls."""
    rng = np.random.default_rng(seed)
    n, p = int(rng.integers(60, 3_000)), int(rng.integers(2, 25))
    X = rng.normal(size=(n, p)) @ (np.eye(p) + 0.25 * rng.normal(size=(p, p)))
    columns = {f"c{j}": draw_column(X[:, j], rng) for j in range(p)}
    y = X[:, 0] + X[:, -1] ** 2 / 2 + rng.choice([0.3, 1, 3]) * rng.normal(size=n)
    if seed % 2:
        y = np.array(list("abcde"))[pd.qcut(y, int(rng.integers(2, 6)), labels=False)]
    return from_frame(pd.DataFrame({**columns, "y": y}), target="y")


def draw_column(x, rng):
    kind, n = int(rng.integers(8)), len(x)
    if kind == 0:
        return np.exp(x)
    if kind == 1:
        return np.round(x * rng.integers(1, 50))
    if kind == 2:
        return rng.poisson(np.exp(np.clip(x, -3, 3))).astype(float)
    if kind == 3:
        return [f"level {v:.0f}" for v in np.clip(3 * x, -60, 60)]
    if kind == 4:
        return np.where(rng.random(n) < 0.2, np.nan, x)
    if kind == 5:
        return rng.integers(1, 10**6, n).astype(float)
    if kind == 6:
        days = pd.to_timedelta(rng.integers(0, 1_000, n), unit="D")
        return pd.Timestamp("2020-01-01") + days
    return x


def list_pitfalls(folder, index):
    lines, n_sets, slowest = [], 0, 0.0
    small = index[(index["rows"] <= 50_000) & (index["features"] <= 1_000)]
    for name in small["name"]:
        data = folder.load(name)
        started = time.perf_counter()
        found = find_pitfalls(data)
        slowest = max(slowest, time.perf_counter() - started)
        n_sets += 1
        for one in found:
            mark = "serious" if one.is_serious else "noted"
            lines.append(f"- {name}, {mark}: {one.command}")
    head = f"In {n_sets} data sets, at most {slowest:.1f} s for one:"
    return [head, "", *lines]


if __name__ == "__main__":
    main()
