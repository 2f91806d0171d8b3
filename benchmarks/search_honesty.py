"""Check the honest score: small training sets, large test sets, many searches.

    python benchmarks/search_honesty.py --data DIR [--budget 15] [--repeats 2]
        [--rows 300] [--sets a,b] [--store FILE.jsonl] [--out FILE.md]

Of each set some hundred rows are drawn to search on, and all others are test rows: so
the true quality of what a search comes home with is known to a fraction of a point. The
honest score should be right on average; the naive one, by which the model was chosen,
is beside it. What is done is kept in the store, a line for each search, and not done
again.

Scores are accuracy for classes, and R2 for numbers, in points of a hundred.
"""

import argparse
import warnings
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import accuracy_score, r2_score
from sklearn.model_selection import train_test_split

from machine import describe_machine, markdown_table
from manyminds.datasets import DataFolder
from manyminds.search import ComplexModelSearch, ComplexModelSearchRegressor
from search_quality import append, read_store, tell_honesty, warm_up, words

SETS = (
    "banana", "car", "dna", "mfeat-zernike", "ringnorm", "satimage", "spambase",
    "titanic", "waveform", "abalone", "bank8FM", "kin8nm", "puma8NH", "winequality-red",
)  # fmt: skip
MOST_TESTED = 5_000


def main():
    """Do what is not done yet, then print and write the tables."""
    options = parse_arguments()
    done = read_store(options.store)
    folder = DataFolder(options.data)
    keys = product(("ours",), options.sets, range(options.repeats))
    planned = {(*key, options.budget, options.rows) for key in keys}
    if not done.keys() >= planned:
        warm_up()
    for name in options.sets:
        data = folder.load(name)
        for repeat in range(options.repeats):
            key = ("ours", name, repeat, options.budget, options.rows)
            if key not in done:
                done[key] = search_once(data, options.rows, repeat, options.budget)
                append(options.store, key, done[key])
                print(*key, done[key], flush=True)
    text = write_report(done, options)
    print(text)
    if options.out:
        options.out.write_text(text, encoding="utf-8")


def parse_arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True, help="folder of data sets")
    parser.add_argument("--budget", type=float, default=15.0, help="seconds a search")
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--rows", type=int, default=300, help="rows to search on")
    parser.add_argument("--sets", type=words, default=SETS)
    parser.add_argument("--store", type=Path, default=Path("search_honesty.jsonl"))
    parser.add_argument("--out", type=Path, help="also write the tables to this file")
    return parser.parse_args()


def search_once(data, n_rows, repeat, budget):
    """Search on some rows; tell what it expects, and what comes of the others."""
    classes = data.task == "classification"
    train, test = train_test_split(
        np.arange(data.n_samples),
        train_size=n_rows,
        random_state=repeat,
        stratify=data.y if classes else None,
    )
    test = test[:MOST_TESTED]
    kind = ComplexModelSearch if classes else ComplexModelSearchRegressor
    search = kind(
        budget, metric="auto" if classes else "r2", n_jobs=2, random_state=repeat
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        search.fit(data.X.iloc[train], data.y[train])
        said = search.predict(data.X.iloc[test])
    score = accuracy_score if classes else r2_score
    return {
        "test": float(score(data.y[test], said)),
        "honest": float(search.honest_score_.score),
        "low": float(search.honest_score_.low),
        "high": float(search.honest_score_.high),
        "chosen": float(search.honest_score_.naive),
        "n_chains": len(search.leaderboard_),
        "committee": search.committee_ is not None,
    }


def write_report(done, options):
    """Tables by set and over all."""
    rows = [
        {"system": key[0], "set": key[1], **result}
        for key, result in done.items()
        if key[3:] == (options.budget, options.rows) and key[1] in options.sets
    ]
    table = pd.DataFrame(rows)
    means = table.groupby("set")[["test", "honest", "chosen"]].mean().mul(100.0)
    lines = [
        [name, *(f"{value:.2f}" for value in means.loc[name])]
        for name in options.sets
        if name in means.index
    ]
    inside = table["test"].between(table["low"], table["high"]).mean()
    parts = [
        "# Is the honest score right?",
        describe_machine(["manyminds", "scikit-learn", "optuna"]),
        f"{options.rows} rows to search on, {options.budget:g} seconds, two cores, "
        f"{options.repeats} draws of each set; all other rows, {MOST_TESTED:,} at "
        "most, are test rows. Accuracy (classes) or R2 (numbers), times 100.",
        markdown_table(["data set", "test", "honest", "naive"], lines),
        tell_honesty(table),
        f"The 95 % interval held the test score in {inside:.0%} of the searches.",
    ]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    main()
