"""Compare the search for models with others: test scores at the same budget.

    python benchmarks/search_quality.py --data DIR [--budget 60] [--folds 3]
        [--sets small,large,unseen,NAME] [--systems ours,flaml] [--store FILE.jsonl]
        [--out FILE.md]

Each system gets the same training rows of each outer fold, the same seconds and two
cores, and is scored on the test rows. What is done is kept in the store, a line for
each fit, and not done again. Systems that are not installed are left out, so that
systems with environments of their own can share a store. All folds of both budgets
take a day: ``results/search_quality_records.jsonl`` has those that are done.

Small sets are scored by balanced accuracy for classes and by R2 for numbers, large
ones, of 7,000 rows and more, by log loss and R2; that is also what each system is told
to optimize. Of ``electricity`` the last third of the rows is predicted from the first
two, and the recordings of ``anuran-calls`` are not divided: our search is told so,
which the other systems have no option for.

``--sets unseen`` are tables of other packages on which nothing here was tuned, as they
are: all systems get the same frames with texts, dates and missing values. Boosting and
forest with defaults get categories instead of strings, without columns of more than 200
different strings. They are scored like large sets.
"""

import argparse
import json
import os
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import balanced_accuracy_score, log_loss, r2_score
from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold

from machine import describe_machine, markdown_table
from manyminds.datasets import DataFolder, load_dataset
from package_tables import PACKAGE_TABLES, read_package_table

SMALL = (
    "credit-g", "vehicle", "segment", "sonar", "splice", "vowel", "oil-spill", "colon",
    "madelon", "housing", "kin8nm", "auto-price",
)  # fmt: skip
LARGE = (
    "avila", "bank-marketing", "connect-4", "credit-default", "dry-bean", "electricity",
    "esl-marketing", "hr-job-change", "htru2", "letter", "online-shoppers",
    "polish-bankruptcy-1y", "anuran-calls", "ailerons", "elevators", "house-16H",
    "fried",
)  # fmt: skip
HALVES = {"small": SMALL, "large": LARGE, "unseen": tuple(PACKAGE_TABLES)}
GROUPED, TIMED = {"anuran-calls": "RecordID"}, ("electricity",)
MAX_LEVELS = 200  # strings of a column, for systems that take categories alone
SEED = 0


def main():
    """Do what is not done yet, then print and write the tables."""
    options = parse_arguments()
    done = read_store(options.store)
    folder = DataFolder(options.data) if options.data else None
    if "ours" in options.systems:
        warm_up()
    for name in options.sets:
        if name in PACKAGE_TABLES:
            task = read_unseen(name, options.folds)
        else:
            task = read_task(folder.load(name), name, options.folds)
        for fold, (train, test) in enumerate(task.folds[: options.only]):
            for system in options.systems:
                key = (system, name, fold, options.budget)
                if key not in done:
                    result = try_system(system, task, train, test, options.budget)
                    if result is None:
                        continue
                    done[key] = result
                    append(options.store, key, result)
                    print(*key, result, flush=True)
    text = write_report(done, options)
    print(text)
    if options.out:
        options.out.write_text(text, encoding="utf-8")


def parse_arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", help="folder of data sets")
    parser.add_argument("--budget", type=float, default=60.0, help="seconds for a fit")
    parser.add_argument("--folds", type=int, default=3, help="outer folds")
    parser.add_argument("--only", type=int, help="so many of the outer folds")
    parser.add_argument("--sets", type=read_sets, default=(*SMALL, *LARGE))
    parser.add_argument("--systems", type=words, default=tuple(SYSTEMS))
    parser.add_argument("--store", type=Path, default=Path("search_quality.jsonl"))
    parser.add_argument("--out", type=Path, help="also write the tables to this file")
    return parser.parse_args()


def words(text):
    """A list with commas."""
    return tuple(word for word in text.split(",") if word)


def read_sets(text):
    """Names of sets, or of halves of them."""
    return tuple(name for word in words(text) for name in HALVES.get(word, (word,)))


def warm_up():
    """Compile our loops once; they are kept on disk, as other libraries' are."""
    for name in ("wdbc", "tic-tac-toe", "diabetes-progression"):
        data = load_dataset(name)
        metric = "log_loss" if data.task == "classification" else "r2"
        fit_ours(Problem(data.X, data.y, data.task, metric, []), data.X, data.y, 5.0)


class Problem:
    """A table, its target, the metric and the outer folds."""

    def __init__(self, X, y, task, metric, folds, groups=None, time=None):
        self.X, self.y, self.task, self.metric, self.folds = X, y, task, metric, folds
        self.groups, self.time = groups, time

    @property
    def has_classes(self):
        return self.task == "classification"


def read_task(data, name, n_folds):
    """The same test rows for all systems."""
    X, y, groups, rows = data.X, data.y, None, np.arange(data.n_samples)
    metric = "balanced_accuracy" if name in SMALL else "log_loss"
    metric = metric if data.task == "classification" else "r2"
    if name in GROUPED:
        groups = X[GROUPED[name]].to_numpy()
        X = X.drop(columns=GROUPED[name])
        folds = list(GroupKFold(n_folds).split(X, y, groups))
    elif name in TIMED:  # the last third, once
        cut = 2 * len(rows) // 3
        folds = [(rows[:cut], rows[cut:])]
    else:
        folds = draw_folds(y, data.task, n_folds)
    time = rows if name in TIMED else None
    return Problem(X, y, data.task, metric, folds, groups, time)


def read_unseen(name, n_folds):
    """A table of another package."""
    X, y, task = read_package_table(name)
    metric = "log_loss" if task == "classification" else "r2"
    return Problem(X, y, task, metric, draw_folds(y, task, n_folds))


def draw_folds(y, task, n_folds):
    """Random folds, of equal shares of the classes."""
    kind = StratifiedKFold if task == "classification" else KFold
    splits = kind(n_folds, shuffle=True, random_state=SEED)
    return list(splits.split(np.zeros((len(y), 1)), y))


def try_system(system, task, train, test, budget):
    """Fit a system, and score it on the test rows."""
    X, y = task.X.iloc[train], task.y[train]
    X_test, y_test = task.X.iloc[test], task.y[test]
    part = Problem(X, y, task.task, task.metric, [])
    part.groups = None if task.groups is None else task.groups[train]
    part.time = None if task.time is None else task.time[train]
    start = time.perf_counter()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model, more = SYSTEMS[system](part, X, y, budget)
            fitted = time.perf_counter()
            found = predict(model, X_test, part)
    except ImportError as error:
        print(f"{system} is left out: {error}")
        return None
    scores = {"test": score(found, y_test, part)}
    seconds = {
        "seconds": round(fitted - start, 1),
        "predict": round(time.perf_counter() - fitted, 2),
    }
    return scores | seconds | more


def predict(model, X, task):
    """Probabilities with names of classes, classes or numbers, as the metric needs."""
    if task.metric != "log_loss":
        return np.asarray(model.predict(X))
    made = model.predict_proba(X)
    if not hasattr(made, "columns"):
        made = pd.DataFrame(made, columns=model.classes_)
    return made


def score(found, y, task):
    """More is better."""
    if task.metric == "balanced_accuracy":
        return float(balanced_accuracy_score(y, found))
    if task.metric == "r2":
        return float(r2_score(y, found))
    classes = np.unique(np.concatenate([np.asarray(found.columns), np.unique(y)]))
    found = found.reindex(columns=classes, fill_value=0.0).to_numpy(dtype=np.float64)
    found = np.clip(found, 1e-7, None)
    found /= found.sum(axis=1, keepdims=True)
    return -float(log_loss(y, found, labels=classes))


# ------------------------------------------------------------------ systems


def fit_ours(task, X, y, budget):
    from manyminds.search import (
        ComplexModelSearchClassifier,
        ComplexModelSearchRegressor,
    )

    kind = (
        ComplexModelSearchClassifier
        if task.has_classes
        else ComplexModelSearchRegressor
    )
    search = kind(budget, metric=task.metric, n_jobs=2, random_state=SEED)
    search.fit(X, y, groups=task.groups, time=task.time)
    sign = -1.0 if task.metric == "log_loss" else 1.0
    more = {
        "honest": sign * float(search.honest_score_.score),
        "chosen": sign * float(search.honest_score_.naive),
        "n_chains": len(search.trace_),
        "n_complete": len(search.leaderboard_),
        "members": len(search.weights_),
    }
    return search, more


def fit_flaml(task, X, y, budget):
    from flaml import AutoML

    metric = {
        "balanced_accuracy": lose_balanced_accuracy, "log_loss": "log_loss", "r2": "r2",
    }[task.metric]  # fmt: skip
    automl = AutoML()
    automl.fit(
        X,
        y,
        task=task.task,
        time_budget=budget,
        metric=metric,
        n_jobs=2,
        seed=SEED,
        verbose=0,
        log_file_name="",
    )
    return automl, {}


def lose_balanced_accuracy(
    X_val, y_val, estimator, labels, X_train, y_train, *args, **kwargs
):
    """FLAML has no name for the balanced error."""
    loss = 1.0 - balanced_accuracy_score(y_val, estimator.predict(X_val))
    return loss, {"loss": loss}


def fit_autogluon(task, X, y, budget, presets="medium_quality"):
    from autogluon.tabular import TabularPredictor

    folder = tempfile.mkdtemp()
    predictor = TabularPredictor(
        "target_of_all", eval_metric=task.metric, path=folder, verbosity=0
    )
    predictor.fit(
        X.assign(target_of_all=y), time_limit=budget, presets=presets, num_cpus=2
    )
    return predictor, {}


def fit_autogluon_best(task, X, y, budget):
    return fit_autogluon(task, X, y, budget, presets="best_quality")


def fit_boosting(task, X, y, budget):
    from sklearn.ensemble import (
        HistGradientBoostingClassifier,
        HistGradientBoostingRegressor,
    )

    kind = (
        HistGradientBoostingClassifier
        if task.has_classes
        else HistGradientBoostingRegressor
    )
    model = kind(categorical_features="from_dtype", random_state=SEED)
    return WithCategories(model).fit(X, y), {}


def fit_forest(task, X, y, budget):
    from manyminds.ensemble import RandomForestClassifier, RandomForestRegressor

    kind = RandomForestClassifier if task.has_classes else RandomForestRegressor
    return WithCategories(kind(n_jobs=2, random_state=SEED)).fit(X, y), {}


class WithCategories:
    """A model of categories, for a table with columns of strings."""

    def __init__(self, model):
        self.model = model

    def fit(self, X, y):
        texts = X.select_dtypes(["object", "string", "datetime"])
        self.levels = {
            name: pd.CategoricalDtype(sorted(texts[name].dropna().astype(str).unique()))
            for name in texts
        }
        self.long = [
            name for name, t in self.levels.items() if len(t.categories) > MAX_LEVELS
        ]
        self.model.fit(self.convert(X), y)
        self.classes_ = getattr(self.model, "classes_", None)
        return self

    def convert(self, X):
        new = {name: X[name].astype(dtype) for name, dtype in self.levels.items()}
        made = X.assign(**new).drop(columns=self.long)
        return made if made.shape[1] else made.assign(nothing=0.0)

    def predict(self, X):
        return self.model.predict(self.convert(X))

    def predict_proba(self, X):
        return self.model.predict_proba(self.convert(X))


SYSTEMS = {
    "ours": fit_ours,
    "flaml": fit_flaml,
    "autogluon": fit_autogluon,
    "autogluon_best": fit_autogluon_best,
    "hist_gradient_boosting": fit_boosting,
    "our_forest": fit_forest,
}


# ------------------------------------------------------------------ what came of it


def read_store(file):
    """What has been done: results by system, set, fold and budget."""
    if not file.exists():
        return {}
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    return {tuple(line["key"]): line["result"] for line in lines}


def append(file, key, result):
    """Add a line, on disk before the next fit."""
    with file.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps({"key": key, "result": result}) + "\n")
        stream.flush()
        os.fsync(stream.fileno())


def write_report(done, options):
    """Tables of scores, ranks, wins and honesty, for each half."""
    packages = [
        "manyminds", "scikit-learn", "flaml", "autogluon.tabular", "lightgbm",
        "xgboost", "catboost", "torch", "fastai",
    ]  # fmt: skip
    rows = [
        {"system": system, "set": name, "fold": fold, **result}
        for (system, name, fold, budget), result in done.items()
        if budget == options.budget and name in options.sets
        if system in options.systems
    ]
    parts = [
        "# The search for models beside others",
        describe_machine(packages),
        f"{options.budget:g} seconds and two cores for each fit. `autogluon` runs the "
        "preset medium_quality, `autogluon_best` best_quality.",
    ]
    for half, names in HALVES.items():
        here = pd.DataFrame([row for row in rows if row["set"] in names])
        if len(here):
            parts += write_half(half, here, options)
    return "\n\n".join(parts) + "\n"


def write_half(half, table, options):
    """The table of one half, over the folds that all systems have done."""
    n_systems = table["system"].nunique()
    full = table.groupby(["set", "fold"])["system"].transform("nunique") == n_systems
    table = table[full]
    scores = table.pivot_table(index="set", columns="system", values="test")
    scores = scores.reindex(
        index=[name for name in options.sets if name in scores.index],
        columns=[name for name in options.systems if name in scores.columns],
    )
    ranks = scores.round(4).rank(axis=1, ascending=False)
    wins = (ranks.eq(ranks.min(axis=1), axis=0)).sum()
    lines = [[name, *(f"{v:.4f}" for v in row)] for name, row in scores.iterrows()]
    lines.append(["mean rank", *(f"{rank:.2f}" for rank in ranks.mean())])
    lines.append(["wins", *(str(count) for count in wins)])
    for what in ("seconds", "predict"):
        mean = table.groupby("system")[what].mean()
        names = scores.columns
        shown = ["-" if np.isnan(mean[one]) else f"{mean[one]:.1f}" for one in names]
        lines.append([f"mean {what}", *shown])
    metric = "balanced accuracy" if half == "small" else "log loss, negated,"
    n_folds = table.groupby("set")["fold"].nunique()
    about = (
        f"{metric} for classes and R2 for numbers, on test rows; "
        f"{n_folds.min()} to {n_folds.max()} outer folds of each set."
    )
    parts = [f"## {half.capitalize()} sets", about[0].upper() + about[1:]]
    parts.append(markdown_table(["data set", *scores.columns], lines))
    return [*parts, describe_honesty(table, half)]


def describe_honesty(table, half):
    """How far the honest and the naive score are from the test score."""
    ours = table[table["system"] == "ours"]
    if not len(ours):
        return ""
    lines = []
    for name, label in (("honest", "honest"), ("chosen", "naive")):
        gap = 100 * (ours[name] - ours["test"])
        error = gap.std(ddof=1) / np.sqrt(max(1, len(gap)))
        lines.append(
            [label, f"{gap.mean():+.2f}", f"{error:.2f}", f"{gap.abs().mean():.2f}"]
        )
    header = ["score less test score, hundredths", "mean", "s.e.", "mean size"]
    return f"Of {len(ours)} searches:\n\n" + markdown_table(header, lines)


if __name__ == "__main__":
    main()
