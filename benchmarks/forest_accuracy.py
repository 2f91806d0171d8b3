"""Compare the accuracy of our forests with that of scikit-learn's on real data.

    python benchmarks/forest_accuracy.py [--data DIR] [--sets iris,housing]
                                         [--out FILE.md] [--n-jobs 2]

Five times two-fold cross-validation with the same folds and the same preparation
for both libraries, 100 trees, all other parameters at their defaults. The verdict
is on the mean difference over the sets; Wilcoxon's signed-rank test tells whether a
difference is more than chance.
"""

import argparse
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
from scipy.stats import wilcoxon
from sklearn.model_selection import RepeatedKFold, RepeatedStratifiedKFold

from machine import describe_machine, markdown_table
from shared_data import find_folder, preparation, read_set

SETS = {
    "classification": [
        "iris",
        "wine",
        "hepatitis",
        "sonar",
        "glass",
        "ionosphere",
        "soybean",
        "credit-a",
        "diabetes",
        "vehicle",
        "vowel",
        "credit-g",
        "segment",
        "spambase",
        "waveform",
        "satimage",
        "letter",
    ],
    "regression": [
        "auto-mpg",
        "pbc",
        "housing",
        "winequality-red",
        "abalone",
        "bank8FM",
        "cpu-act",
        "kin8nm",
        "puma8NH",
        "elevators",
    ],
}
FORESTS = ("RandomForest", "ExtraTrees")
GOALS = {"classification": 0.3, "regression": 1.0}  # points, per cent
OURS, REFERENCE = "manyminds.ensemble", "sklearn.ensemble"


def main():
    """Compare on each set, then write what came of it."""
    options = parse_arguments()
    folder = find_folder(options.data)
    parts = ["# Accuracy of forests", describe_machine(["manyminds", "scikit-learn"])]
    parts.append(explain(options))
    for task, names in SETS.items():
        names = [name for name in names if name in options.sets]
        if names:
            parts += compare_task(task, names, folder, options)
    text = "\n\n".join(parts) + "\n"
    print(text)
    if options.out:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(text, encoding="utf-8")


def parse_arguments():
    """The command line."""
    known = [name for names in SETS.values() for name in names]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--data", help="folder of the data sets")
    add("--sets", type=lambda text: text.split(","), default=known)
    add("--out", type=Path, help="also write the tables to this file")
    add("--n-jobs", type=int, default=2)
    add("--trees", type=int, default=100)
    add("--repeats", type=int, default=5)
    add("--max-rows", type=int, default=8000)
    options = parser.parse_args()
    if unknown := set(options.sets) - set(known):
        parser.error(f"unknown sets: {sorted(unknown)}; known: {', '.join(known)}")
    return options


def explain(options):
    """How to read the tables."""
    return (
        f"{options.repeats} x 2-fold cross-validation, {options.trees} trees, other "
        "parameters at their defaults, the same folds for both. Categories became "
        "one-hot columns and missing numbers the median of the training fold; "
        '"native" is manyminds on the unprepared table, where there are categories '
        f"or missing values. Of sets marked *, {options.max_rows:,} rows were drawn."
    )


def compare_task(task, names, folder, options):
    """Tables and verdicts of all sets of one task, for each kind of forest."""
    rows = {forest: [] for forest in FORESTS}
    for name in names:
        data = read_set(folder, name, task, options.max_rows)
        for forest in FORESTS:
            scores = compare_set(data, task, forest, options)
            rows[forest].append((data, scores))
            print(task, forest, name, scores, file=sys.stderr)
    parts = []
    for forest in FORESTS:
        parts.append(f"## {forest}, {task}")
        parts.append(table(task, rows[forest]))
        parts.append(verdict(task, [scores for _, scores in rows[forest]]))
    return parts


def compare_set(data, task, forest, options):
    """Mean score over the folds: ours, theirs and, where it differs, native."""
    kind = "Classifier" if task == "classification" else "Regressor"
    ours, theirs = (
        getattr(import_module(room), forest + kind) for room in (OURS, REFERENCE)
    )
    scores = {"ours": [], "theirs": [], "native": []}
    for fold, (train, test) in enumerate(folds(data, task, options.repeats)):
        parameters = {"n_jobs": options.n_jobs, "random_state": fold}
        ready = preparation(data).fit(data.X.iloc[train])
        X_train, X_test = (ready.transform(data.X.iloc[part]) for part in (train, test))
        y_train, y_test = data.y[train], data.y[test]
        for side, make in (("ours", ours), ("theirs", theirs)):
            model = make(options.trees, **parameters).fit(X_train, y_train)
            scores[side].append(score(task, y_test, model.predict(X_test)))
        if data.needs_preparation:
            model = ours(options.trees, **parameters).fit(data.X.iloc[train], y_train)
            predicted = model.predict(data.X.iloc[test])
            scores["native"].append(score(task, y_test, predicted))
    return {side: float(np.mean(values)) for side, values in scores.items() if values}


def folds(data, task, repeats):
    """Pairs of training and test rows, halves of the data."""
    splitter = RepeatedKFold if task == "regression" else RepeatedStratifiedKFold
    return splitter(n_splits=2, n_repeats=repeats, random_state=0).split(data.X, data.y)


def score(task, truth, predicted):
    """Accuracy in per cent, or the root of the mean squared error."""
    if task == "classification":
        return 100.0 * np.mean(truth == predicted)
    return np.sqrt(np.mean((truth - predicted) ** 2))


def difference(task, scores, side="ours"):
    """Points of accuracy above scikit-learn's, or per cent above its RMSE."""
    if task == "classification":
        return scores[side] - scores["theirs"]
    return 100.0 * (scores[side] / scores["theirs"] - 1.0)


def table(task, rows):
    """One line per set."""
    measure = "accuracy" if task == "classification" else "RMSE"
    header = ["set", "rows", "columns", f"manyminds {measure}", "scikit-learn"]
    header += ["difference", "native", "its difference"]
    return markdown_table(header, [table_row(task, *row) for row in rows])


def table_row(task, data, scores):
    """Figures of one set."""
    mark = " *" if len(data.X) < data.n_rows_stored else ""
    native = ["", ""]
    if "native" in scores:
        by_native = difference(task, scores, "native")
        native = [f"{scores['native']:.4g}", f"{by_native:+.2f}"]
    return [
        data.name + mark,
        f"{len(data.X):,}",
        data.X.shape[1],
        f"{scores['ours']:.4g}",
        f"{scores['theirs']:.4g}",
        f"{difference(task, scores):+.2f}",
        *native,
    ]


def verdict(task, scores):
    """Mean difference, its test over the sets, and whether the goal is met."""
    differences = np.array([difference(task, one) for one in scores])
    unit = "points of accuracy" if task == "classification" else "% of RMSE"
    mean, goal = differences.mean(), GOALS[task]
    met = "met" if abs(mean) <= goal else "NOT MET"
    better = "higher" if task == "classification" else "lower"
    return (
        f"Mean difference over {len(scores)} sets: {mean:+.3f} {unit} ({better} is "
        f"better for manyminds); {signed_rank(differences)}. "
        f"Goal: within {goal:g} {unit}: **{met}**."
    )


def signed_rank(differences):
    """Wilcoxon's p in words; without two differences there is no test."""
    if np.count_nonzero(differences) < 2:
        return "too few differences for Wilcoxon's test"
    return f"Wilcoxon's signed-rank p = {wilcoxon(differences).pvalue:.3f}"


if __name__ == "__main__":
    main()
