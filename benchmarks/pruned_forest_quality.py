"""Does a pruned forest pay? Log loss, accuracy and time beside forests of all sizes.

    python benchmarks/pruned_forest_quality.py --data FOLDER [--out FILE.md]
        [--splits 5] [--trees 200] [--sets NAMES]

Repeated stratified hold-out, 70 % of at most 3,000 rows for fits. The whole forest is
what a search puts at the end of a chain; a pruned one holds 30 % of the training rows
out, and keeps a fifth of the trees. The control is a forest that never grew more trees
than the pruned one keeps, on all training rows: pruning pays only if it beats both.
"""

import argparse
import time
from pathlib import Path

import numpy as np
from sklearn.metrics import accuracy_score, log_loss
from sklearn.model_selection import train_test_split

from machine import describe_machine, markdown_table
from manyminds.analysis import wilcoxon_signed_rank
from manyminds.datasets.folder import DataFolder
from manyminds.ensemble import (
    FitselectClassifier,
    PrunedClassifier,
    RandomForestClassifier,
)

SETS = (
    "car", "credit-g", "diabetes", "glass", "haberman", "ionosphere", "segment",
    "sonar", "spambase", "vehicle", "vowel", "waveform", "wdbc", "yeast",
)  # fmt: skip
MAX_ROWS = 3_000
SHARE = 0.2


def main():
    """Measure and print, or write a page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--trees", type=int, default=200)
    parser.add_argument("--sets", type=lambda text: text.split(","), default=SETS)
    options = parser.parse_args()
    folder = DataFolder(options.data)
    means = {
        name: measure(folder.load(name), options.splits, options.trees)
        for name in options.sets
    }
    page = "\n\n".join(
        [
            describe_machine(["numpy", "scikit-learn", "manyminds"]),
            f"{options.trees} trees, {options.splits} splits, {len(means)} data sets",
            report(means, 0, "log loss", "{:.3f}"),
            report(means, 1, "accuracy", "{:.3f}"),
            report(means, 2, "milliseconds to predict 1,000 rows", "{:.2f}"),
            report(means, 3, "trees that predict", "{:.0f}"),
            compare(means),
        ]
    )
    print(page)
    if options.out is not None:
        options.out.write_text(page + "\n")


def make_models(n_trees, seed):
    """Return the models by name."""
    n_kept = round(SHARE * n_trees)
    forest = RandomForestClassifier(n_trees)
    return {
        "whole": RandomForestClassifier(n_trees, random_state=seed),
        "pruned": PrunedClassifier(
            forest, size=n_kept, voting="soft", random_state=seed
        ),
        "best size": PrunedClassifier(forest, voting="soft", random_state=seed),
        "Fitselect": FitselectClassifier(
            n_estimators=n_trees, step=10, random_state=seed
        ),
        "small": RandomForestClassifier(n_kept, random_state=seed),
    }


def measure(data, n_splits, n_trees):
    """Return the mean log loss, accuracy and time of each model."""
    X, y = data.X, np.asarray(data.y).astype(str)
    found = {}
    for seed in range(n_splits):
        rows = np.random.default_rng(seed).permutation(len(y))[:MAX_ROWS]
        counts = dict(zip(*np.unique(y[rows], return_counts=True)))
        rows = rows[[counts[label] >= 5 for label in y[rows]]]
        train, test = train_test_split(
            rows, test_size=0.3, stratify=y[rows], random_state=seed
        )
        for name, model in make_models(n_trees, seed).items():
            model.fit(X.iloc[train], y[train])
            found.setdefault(name, []).append(rate(model, X.iloc[test], y[test]))
    return {name: np.mean(some, axis=0) for name, some in found.items()}


def rate(model, X, y):
    """Return log loss, accuracy, milliseconds for 1,000 rows, and trees."""
    p = model.predict_proba(X)
    seconds = np.inf
    for _ in range(3):
        begun = time.perf_counter()
        model.predict_proba(X)
        seconds = min(seconds, time.perf_counter() - begun)
    p = np.clip(p, 1e-3, 1.0)  # votes of few trees are often 0
    p /= p.sum(axis=1, keepdims=True)
    accuracy = accuracy_score(y, model.classes_[p.argmax(axis=1)])
    loss = log_loss(y, p, labels=model.classes_)
    kept = getattr(model, "selected_members_", None)
    n_trees = model.n_estimators if kept is None else len(kept)
    return loss, accuracy, 1e6 * seconds / len(y), n_trees


def report(means, k, title, form):
    """Return a table of one measure by data set and model."""
    names = list(next(iter(means.values())))
    rows = [
        [data, *(form.format(of[name][k]) for name in names)]
        for data, of in means.items()
    ]
    average = [np.mean([of[name][k] for of in means.values()]) for name in names]
    rows.append(["mean", *(form.format(one) for one in average)])
    return f"{title}\n\n{markdown_table(['data set', *names], rows)}"


def compare(means):
    """Return a table of differences from the whole and from the small forest."""
    rows = []
    for name in ("pruned", "best size", "Fitselect"):
        for other in ("whole", "small"):
            for k, measure_name, sign in ((0, "log loss", -1.0), (1, "accuracy", 1.0)):
                ours, theirs = (
                    np.array([of[one][k] for of in means.values()])
                    for one in (name, other)
                )
                gain = sign * (ours - theirs)
                p = wilcoxon_signed_rank(ours, theirs).p_value
                rows.append(
                    [f"{name} against {other}", measure_name, f"{gain.mean():+.4f}",
                     f"{np.sum(gain > 0)} of {len(gain)}", f"{p:.3f}"]
                )  # fmt: skip
    head = ["comparison", "measure", "mean gain", "better on", "p (Wilcoxon)"]
    return "Gains: positive is better\n\n" + markdown_table(head, rows)


if __name__ == "__main__":
    main()
