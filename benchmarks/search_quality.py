"""Compare the search for models with others: test scores at the same budget.

    python benchmarks/search_quality.py --data DIR [--budget 60] [--folds 3]
        [--sets a,b] [--systems ours,flaml] [--store FILE.jsonl] [--out FILE.md]

Each system gets the same training rows of each outer fold, the same seconds and two
cores, and is scored on the test rows. What is done is kept in the store, a line for
each fit, and not done again. Systems that are not installed are left out.

Test scores are balanced accuracy for classes, and R2 for numbers. Of our own search,
the honest and the naive score are kept beside the test score: the honest one should be
right on average.
"""

import argparse
import json
import os
import tempfile
import time
import warnings
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import balanced_accuracy_score, r2_score
from sklearn.model_selection import KFold, StratifiedKFold

from machine import describe_machine, markdown_table
from manyminds.datasets import DataFolder, load_dataset

SETS = (
    "credit-g", "vehicle", "segment", "sonar", "splice", "vowel", "oil-spill", "colon",
    "madelon", "housing", "kin8nm", "auto-price",
)  # fmt: skip
METRIC = {"classification": "balanced_accuracy", "regression": "r2"}
SEED = 0


def main():
    """Do what is not done yet, then print and write the tables."""
    options = parse_arguments()
    done = read_store(options.store)
    folder = DataFolder(options.data)
    planned = product(("ours",), options.sets, range(options.folds), [options.budget])
    if "ours" in options.systems and not done.keys() >= set(planned):
        warm_up()
    for name in options.sets:
        data = folder.load(name)
        for fold, (train, test) in enumerate(outer_folds(data, options.folds)):
            for system in options.systems:
                key = (system, name, fold, options.budget)
                if key not in done:
                    done[key] = try_system(system, data, train, test, options.budget)
                    if done[key] is None:
                        continue
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
    parser.add_argument("--budget", type=float, default=60.0, help="seconds for a fit")
    parser.add_argument("--folds", type=int, default=3, help="outer folds")
    parser.add_argument("--sets", type=words, default=SETS)
    parser.add_argument("--systems", type=words, default=tuple(SYSTEMS))
    parser.add_argument("--store", type=Path, default=Path("search_quality.jsonl"))
    parser.add_argument("--out", type=Path, help="also write the tables to this file")
    return parser.parse_args()


def words(text):
    """A list with commas."""
    return tuple(word for word in text.split(",") if word)


def warm_up():
    """Compile our loops once; they are kept on disk, as other libraries' are."""
    for name in ("wdbc", "tic-tac-toe", "diabetes-progression"):
        data = load_dataset(name)
        fit_ours(data.X, data.y, data.X, data.task, 20.0)


def outer_folds(data, n_folds):
    """The same test rows for all systems."""
    kind = StratifiedKFold if data.task == "classification" else KFold
    splits = kind(n_folds, shuffle=True, random_state=SEED)
    return list(splits.split(np.zeros((data.n_samples, 1)), data.y))


def try_system(system, data, train, test, budget):
    """Fit a system, and score it on the test rows."""
    X, y = data.X.iloc[train], data.y[train]
    X_test, y_test = data.X.iloc[test], data.y[test]
    start = time.perf_counter()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            answers, more = SYSTEMS[system](X, y, X_test, data.task, budget)
    except ImportError as error:
        print(f"{system} is left out: {error}")
        return None
    seconds = time.perf_counter() - start
    score = balanced_accuracy_score if data.task == "classification" else r2_score
    return {"test": float(score(y_test, answers)), "seconds": round(seconds, 1), **more}


# ------------------------------------------------------------------ systems


def fit_ours(X, y, X_test, task, budget):
    from manyminds.search import (
        ComplexModelSearchClassifier,
        ComplexModelSearchRegressor,
    )

    classes = task == "classification"
    kind = ComplexModelSearchClassifier if classes else ComplexModelSearchRegressor
    search = kind(budget, metric=METRIC[task], n_jobs=2, random_state=SEED).fit(X, y)
    more = {
        "honest": float(search.honest_score_.score),
        "naive": float(search.leaderboard_["score"].iloc[0]),
        "chosen": float(search.honest_score_.naive),
        "n_chains": len(search.leaderboard_),
        "committee": search.committee_ is not None,
    }
    return search.predict(X_test), more


def fit_flaml(X, y, X_test, task, budget):
    from flaml import AutoML

    classes = task == "classification"
    automl = AutoML()
    automl.fit(
        X,
        y,
        task=task,
        time_budget=budget,
        metric=lose_balanced_accuracy if classes else "r2",
        n_jobs=2,
        seed=SEED,
        verbose=0,
        log_file_name="",
    )
    return automl.predict(X_test), {}


def lose_balanced_accuracy(
    X_val, y_val, estimator, labels, X_train, y_train, *args, **kwargs
):
    """FLAML has no name for the balanced error."""
    loss = 1.0 - balanced_accuracy_score(y_val, estimator.predict(X_val))
    return loss, {"loss": loss}


def fit_autogluon(X, y, X_test, task, budget):
    from autogluon.tabular import TabularPredictor

    table = X.assign(target_of_all=y)
    metric = METRIC[task]
    with tempfile.TemporaryDirectory() as folder:
        predictor = TabularPredictor(
            "target_of_all", eval_metric=metric, path=folder, verbosity=0
        )
        predictor.fit(table, time_limit=budget, presets="medium_quality", num_cpus=2)
        return predictor.predict(X_test).to_numpy(), {}


def fit_boosting(X, y, X_test, task, budget):
    from sklearn.ensemble import (
        HistGradientBoostingClassifier,
        HistGradientBoostingRegressor,
    )

    classes = task == "classification"
    kind = HistGradientBoostingClassifier if classes else HistGradientBoostingRegressor
    model = kind(categorical_features="from_dtype", random_state=SEED)
    return model.fit(X, y).predict(X_test), {}


def fit_forest(X, y, X_test, task, budget):
    from manyminds.ensemble import RandomForestClassifier, RandomForestRegressor

    classes = task == "classification"
    kind = RandomForestClassifier if classes else RandomForestRegressor
    return kind(n_jobs=2, random_state=SEED).fit(X, y).predict(X_test), {}


SYSTEMS = {
    "ours": fit_ours,
    "flaml": fit_flaml,
    "autogluon": fit_autogluon,
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
    """Tables of scores, ranks, wins and honesty."""
    rows = [
        {"system": system, "set": name, "fold": fold, **result}
        for (system, name, fold, budget), result in done.items()
        if budget == options.budget and result is not None
        if name in options.sets and system in options.systems
    ]
    table = pd.DataFrame(rows)
    scores = table.pivot_table(index="set", columns="system", values="test")
    scores = scores.reindex(
        index=[name for name in options.sets if name in scores.index],
        columns=[name for name in options.systems if name in scores.columns],
    )
    ranks = scores.round(4).rank(axis=1, ascending=False)
    wins = (ranks.eq(ranks.min(axis=1), axis=0)).sum()
    lines = [
        [name, *(f"{100 * v:.2f}" for v in row)] for name, row in scores.iterrows()
    ]
    lines.append(["mean rank", *(f"{rank:.2f}" for rank in ranks.mean())])
    lines.append(["wins", *(str(count) for count in wins)])
    seconds = table.groupby("system")["seconds"].mean()
    lines.append(["mean seconds", *(f"{seconds[name]:.0f}" for name in scores.columns)])
    packages = [
        "manyminds", "scikit-learn", "flaml", "autogluon.tabular", "lightgbm",
        "xgboost", "catboost", "torch", "fastai",
    ]  # fmt: skip
    parts = [
        "# The search for models beside others",
        describe_machine(packages),
        f"{options.budget:g} seconds and two cores for each fit, {options.folds} outer "
        "folds; balanced accuracy (classes) or R2 (numbers) on test rows, times 100. "
        "AutoGluon runs its medium preset; no set has more than 8,192 rows.",
        markdown_table(["data set", *scores.columns], lines),
    ]
    return "\n\n".join([*parts, tell_honesty(table)]) + "\n"


def tell_honesty(table):
    """How far the honest and the naive score are from the test score."""
    ours = table[table["system"] == "ours"]
    if not len(ours):
        return ""
    lines = []
    for name, label in (("honest", "honest"), ("chosen", "naive")):
        gap = 100 * (ours[name] - ours["test"])
        error = gap.std(ddof=1) / np.sqrt(len(gap))
        lines.append(
            [label, f"{gap.mean():+.2f}", f"{error:.2f}", f"{gap.abs().mean():.2f}"]
        )
    header = ["score less test score, points", "mean", "standard error", "mean size"]
    return f"Of {len(ours)} searches:\n\n" + markdown_table(header, lines)


if __name__ == "__main__":
    main()
