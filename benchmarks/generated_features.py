"""Which generated columns pay before which learner? Held-out losses with and without.

    python benchmarks/generated_features.py --data FOLDER --records FILE.jsonl
        [--out FILE.md] [--sets NAMES] [--rows 10000]

Three folds of at most 10,000 rows. Each generator is fitted inside the fold, before
gradient boosting, a random forest (both read tables as they are) and a linear model of
scaled one-hot columns. A difference of two chains is judged by the losses of the same
held-out rows (log loss, squared error): its mean in standard errors, z. The control is
the same with a permuted target. What is measured is appended to the records; a second
run continues there.
"""

import argparse
import json
import time
import warnings
from pathlib import Path

import numpy as np
from scipy.stats import binomtest
from sklearn.linear_model import LogisticRegression, RidgeCV
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.pipeline import Pipeline

from machine import describe_machine, markdown_table
from manyminds.datasets.folder import DataFolder
from manyminds.ensemble import (
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from manyminds.experiments.preparation import prepare_table
from manyminds.preprocessing import (
    ArithmeticFeatures,
    CrossedCategories,
    GroupFeatures,
    TargetMeans,
)

SETS = (
    "balance-scale", "car", "winequality-red", "abalone", "credit-g", "tic-tac-toe",
    "spambase", "ringnorm", "page-blocks", "kin8nm", "puma8NH", "cpu-small",
    "nursery", "online-shoppers", "hr-job-change", "electricity", "bank-marketing",
    "elevators", "house-16H", "avila",
)  # fmt: skip
CONTROLS = ("abalone", "credit-g", "winequality-red", "car")
LEARNERS = ("boosting", "forest", "linear")
GENERATORS = {
    "arithmetic": ArithmeticFeatures,
    "groups": GroupFeatures,
    "crosses": CrossedCategories,
    "target means": TargetMeans,
}
N_FOLDS = 3
CLEAR = 3.0  # standard errors beyond which a difference counts


def main():
    """Measure what is not recorded yet, and write a page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--records", type=Path, required=True)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--sets", type=lambda text: text.split(","), default=SETS)
    parser.add_argument("--rows", type=int, default=10_000)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    folder, known = DataFolder(options.data), read_records(options.records)
    jobs = [(name, False) for name in options.sets]
    jobs += [(name, True) for name in CONTROLS if name in options.sets]
    plain = {}  # losses without generators, of sets that were needed
    for generator in GENERATORS:
        for name, permuted in jobs:
            for learner in LEARNERS:
                key = [name, permuted, learner, generator]
                if key in [one["key"] for one in known]:
                    continue
                table = take_table(folder.load(name), permuted, options.rows)
                record = {"key": key, **measure(table, learner, generator, plain, key)}
                with options.records.open("a") as file:
                    file.write(json.dumps(record) + "\n")
                known.append(record)
                print(record, flush=True)
    page = write_page(known)
    print(page)
    if options.out is not None:
        options.out.write_text(page + "\n")


def read_records(path):
    """Return the records of earlier runs."""
    lines = path.read_text().splitlines() if path.exists() else []
    return [json.loads(line) for line in lines]


def take_table(data, permuted, max_rows):
    """Return table, target and task of some rows; classes of few rows are left out."""
    rng = np.random.default_rng(0)
    rows = np.sort(rng.permutation(data.n_samples)[:max_rows])
    X, y = data.X.iloc[rows].reset_index(drop=True), np.asarray(data.y)[rows]
    if data.task == "classification":
        y = y.astype(str)
        counts = dict(zip(*np.unique(y, return_counts=True)))
        kept = np.array([counts[label] > 5 for label in y])
        X, y = X[kept].reset_index(drop=True), y[kept]
    return X, rng.permutation(y) if permuted else y, data.task


def measure(table, learner, generator, plain, key):
    """Return the difference that a generator makes, its z, columns and seconds."""
    X, y, task = table
    losses, n_new, seconds = np.full(len(y), np.nan), 0, 0.0
    for train, test in make_folds(task).split(X, y):
        part = X.iloc[train], y[train], X.iloc[test], y[test]
        made = fit_and_score(generator, learner, task, *part)
        losses[test] = np.nan if made[0] is None else made[0]
        n_new += made[1] / N_FOLDS
        seconds += made[2] / N_FOLDS
    found = {"columns": n_new, "seconds": seconds, "rows": len(y), "task": task}
    if not n_new:
        return {"percent": 0.0, "z": 0.0, **found}
    if tuple(key[:3]) not in plain:
        plain[tuple(key[:3])] = measure_plain(table, learner)
    reference = plain[tuple(key[:3])]
    losses = np.where(np.isnan(losses), reference, losses)
    return {**compare(reference, losses), **found}


def measure_plain(table, learner):
    """Return the losses of a learner without generator."""
    X, y, task = table
    losses = np.empty(len(y))
    for train, test in make_folds(task).split(X, y):
        part = X.iloc[train], y[train], X.iloc[test], y[test]
        losses[test] = fit_and_score(None, learner, task, *part)[0]
    return losses


def make_folds(task):
    """Return the splitter of a task."""
    kind = StratifiedKFold if task == "classification" else KFold
    return kind(N_FOLDS, shuffle=True, random_state=0)


def fit_and_score(name, learner, task, X, y, X_test, y_test):
    """Return held-out losses (None if nothing is generated), columns and seconds."""
    n_new, begun, seconds = 0, time.perf_counter(), 0.0
    if name is not None:
        generator = GENERATORS[name](task=task)
        n_columns = X.shape[1]
        X = generator.fit_transform(X, y)
        seconds = time.perf_counter() - begun
        n_new = X.shape[1] - n_columns
        if not n_new:
            return None, 0, seconds
        X_test = generator.transform(X_test)
    model = make_learner(learner, task).fit(X, y)
    if task == "regression":
        return (model.predict(X_test) - y_test) ** 2, n_new, seconds
    p = np.clip(model.predict_proba(X_test), 1e-3, 1.0)  # votes of a forest may be 0
    p /= p.sum(axis=1, keepdims=True)
    right = np.searchsorted(model.classes_, y_test)
    return -np.log(p[np.arange(len(p)), right]), n_new, seconds


def make_learner(name, task):
    """Return a learner, which takes tables."""
    classes = task == "classification"
    if name == "boosting":
        kind = GradientBoostingClassifier if classes else GradientBoostingRegressor
        return kind(random_state=0)
    if name == "forest":
        kind = RandomForestClassifier if classes else RandomForestRegressor
        return kind(random_state=0)
    line = LogisticRegression(max_iter=1000) if classes else RidgeCV()
    return Pipeline([("prepare", prepare_table(scale=True)), ("line", line)])


def compare(plain, losses):
    """Return the relative decrease of the mean loss in percent, and its z."""
    decrease = plain - losses
    error = decrease.std() / np.sqrt(len(decrease))
    return {
        "percent": float(100 * decrease.mean() / plain.mean()),
        "z": float(decrease.mean() / error) if error > 0 else 0.0,
    }


def write_page(records):
    """Return the tables of all records."""
    n_rows = max(one["rows"] for one in records)
    parts = [
        describe_machine(["numpy", "scikit-learn", "manyminds"]),
        f"{N_FOLDS} folds of at most {n_rows:,} rows. Decrease of the held-out loss "
        "in percent (more is better), in brackets its z; - where nothing is generated. "
        f"A difference is clear from {CLEAR:g} standard errors on.",
    ]
    for learner in LEARNERS:
        real = [one for one in records if one["key"][1:3] == [False, learner]]
        parts += [f"## Before {learner}", tabulate(real), summarize(real)]
    control = [one for one in records if one["key"][1]]
    if control:
        parts += ["## Control: permuted targets", tabulate(control), summarize(control)]
    return "\n\n".join(parts)


def tabulate(records):
    """Return a table of sets and generators."""
    found = {}
    for one in records:
        name, permuted, learner, generator = one["key"]
        row = found.setdefault(f"{name}, {learner}" if permuted else name, {})
        row[generator] = format_cell(one)
    rows = [
        [name, *(row.get(one, "not measured") for one in GENERATORS)]
        for name, row in found.items()
    ]
    return markdown_table(["data", *GENERATORS], rows)


def format_cell(found):
    """Return the decrease, z and the mean number of new columns."""
    if not found["columns"]:
        return "-"
    return f"{found['percent']:+.2f} ({found['z']:+.1f}), {found['columns']:.0f} new"


def summarize(records):
    """Return how often each generator is clearly better or worse, and a sign test."""
    rows = []
    for name in GENERATORS:
        found = [one for one in records if one["key"][3] == name]
        if not found:
            continue
        made = [one for one in found if one["columns"]]
        z = np.array([one["z"] for one in made])
        n_better, n_worse = int(np.sum(z > 0)), int(np.sum(z < 0))
        n_both = n_better + n_worse
        p = binomtest(n_better, n_both).pvalue if n_both else 1.0
        rows.append(
            [
                name,
                f"{len(made)} of {len(found)}",
                int(np.sum(z >= CLEAR)),
                int(np.sum(z <= -CLEAR)),
                f"{n_better} : {n_worse}",
                f"{p:.2f}",
                f"{np.mean([one['seconds'] for one in found]):.2f}",
            ]
        )
    header = [
        "generator", "generates on", "clearly better", "clearly worse",
        "better : worse", "p (sign test)", "seconds to fit",
    ]  # fmt: skip
    return markdown_table(header, rows)


if __name__ == "__main__":
    main()
