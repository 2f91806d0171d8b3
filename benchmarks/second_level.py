"""What a second level of learners brings, which read the predictions of the first.

    python benchmarks/second_level.py --data DIR [--sets NAME,NAME] [--folds 3]
        [--store FILE.jsonl] [--out FILE.md]

Five learners with their defaults are cross-validated on two thirds of the rows of a
set, by the code of a search, on as many folds as 300 seconds have. A final model is
chosen and fitted twice: from these alone, and from these and the second level above
them. Both are scored on the last third.

The null control is a target without any relation to the columns, of classes and of
numbers: whatever a second level gains out of fold there, it has from what the models of
other folds know of a fold. ``honest`` is the honest score: it should not be better than
the test score on average.
"""

import argparse
import json
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd

from machine import describe_machine, markdown_table
from manyminds.datasets import DataFolder
from manyminds.search import ComplexModelSearchClassifier, ComplexModelSearchRegressor
from manyminds.search.choice.final_model import choose_final_model
from manyminds.search.choice.second_level import search_second_level
from manyminds.search.study.trial_store import TrialStore
from search_quality import Problem, draw_folds, predict, read_task, score

SETS = (
    "noise of classes", "noise of numbers", "bank-marketing", "credit-default",
    "dry-bean", "hr-job-change", "htru2", "online-shoppers", "polish-bankruptcy-1y",
    "ailerons", "elevators", "house-16H",
)  # fmt: skip
LEARNERS = ("gb", "extra_gb", "symmetric_gb", "real_mlp", "rf")
N_NOISE, N_COLUMNS = 13_500, 10
N_CORES, SEED = 2, 0


def main():
    """Do what is not done yet, then print and write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True, help="folder of data sets")
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--folds", type=int, default=1, help="outer folds, of three")
    parser.add_argument("--store", type=Path, default=Path("second_level.jsonl"))
    parser.add_argument("--out", type=Path, help="also write the table to this file")
    options = parser.parse_args()
    lines = options.store.read_text().splitlines() if options.store.exists() else []
    done = [json.loads(line) for line in lines]
    folder = DataFolder(options.data)
    for fold in range(options.folds):
        for name in options.sets.split(","):
            if not any(one["set"] == name and one["fold"] == fold for one in done):
                result = {"set": name, "fold": fold, **measure(folder, name, fold)}
                done.append(result)
                print(result, flush=True)
                with options.store.open("a", encoding="utf-8") as stream:
                    stream.write(json.dumps(result) + "\n")
    text = write_report(done)
    print(text)
    if options.out:
        options.out.write_text(text, encoding="utf-8")


def read(folder, name, fold):
    """Return a task: of a set, or of noise."""
    if not name.startswith("noise"):
        return read_task(folder.load(name), name, 3)
    rng = np.random.default_rng(fold)
    X = pd.DataFrame(rng.normal(size=(N_NOISE, N_COLUMNS))).add_prefix("x")
    if name.endswith("numbers"):
        task, metric, y = "regression", "r2", rng.normal(size=N_NOISE)
    else:
        task, metric, y = "classification", "log_loss", rng.integers(2, size=N_NOISE)
    return Problem(X, y, task, metric, draw_folds(y, task, 3))


def measure(folder, name, fold):
    """Return scores without and with a second level, and what that takes."""
    task = read(folder, name, fold)
    train, test = task.folds[fold]
    X, y, X_test, y_test = (
        task.X.iloc[train], task.y[train], task.X.iloc[test], task.y[test]
    )  # fmt: skip
    kind = (
        ComplexModelSearchClassifier
        if task.has_classes
        else ComplexModelSearchRegressor
    )
    search = kind(300, metric=task.metric, random_state=SEED, n_jobs=N_CORES)
    if task.has_classes:
        search.task_ = "classification"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        X, y, seed, evaluator = search._prepare(X, y, None, None, None)
        store = TrialStore(None, "search", seed, evaluator.space, evaluator.problem)
        evaluate_first_level(store, evaluator)
        start = time.perf_counter()
        level = search_second_level(
            store, evaluator, np.inf, n_cores=N_CORES, alpha=0.0, at=0.0
        )
        seconds = time.perf_counter() - start
        seen, found = store.read(), {}
        for key, second in (("first", None), ("second", level)):
            records = [*seen.records, *(seen.stacked if second else ())]
            final = choose_final_model(
                records, store.predictions, evaluator, alpha=0.0, with_committee=True,
                seconds=np.inf, seed=seed, n_cores=N_CORES, second=second,
            )  # fmt: skip
            best, committee = final.fit(evaluator, X, y, None, N_CORES)
            model = best if committee is None else committee
            sign = -1.0 if task.metric == "log_loss" else 1.0
            found |= {
                f"{key}_test": score(predict(model, X_test, task), y_test, task),
                f"{key}_honest": sign * float(final.honest.score),
            }
    above = sum(one.weight for one in final.parts if one.inputs)
    return found | {"weight": float(above), "seconds": round(seconds, 1)}


def evaluate_first_level(store, evaluator):
    """Store a complete trial of each learner with its defaults."""
    top = evaluator.levels.top
    store.begin({}, [])
    for name in LEARNERS:
        pipeline = evaluator.space.complete({"learner": name}, evaluator.problem)
        store.enqueue(pipeline, "base", top)
        claim = store.claim("base")
        made = evaluator(claim.pipeline)
        store.report(claim, made, alpha=0.0, at=0.0, limit=np.inf)


def write_report(done):
    """The table of all that has been measured."""
    table = pd.DataFrame(done)
    lines = []
    for name, rows in table.groupby("set", sort=False):
        mean = rows.mean(numeric_only=True)
        gains = (
            mean["second_test"] - mean["first_test"],
            mean["second_honest"] - mean["first_honest"],
        )
        lines.append(
            [
                name,
                str(len(rows)),
                f"{mean['first_test']:.4f}",
                f"{mean['second_test']:.4f}",
                *(f"{gain:+.4f}" for gain in gains),
                f"{mean['second_honest'] - mean['second_test']:+.4f}",
                f"{100 * mean['weight']:.0f} %",
                f"{mean['seconds']:.0f}",
            ]
        )
    heads = [
        "data set", "folds", "first level", "both", "gain", "gain, honest",
        "honest less test", "weight", "seconds",
    ]  # fmt: skip
    parts = [
        "# A second level of learners",
        describe_machine(["manyminds", "scikit-learn", "numba"]),
        "Log loss, negated, for classes and R2 for numbers, on test rows. `both`: with "
        "learners that also read the out-of-fold predictions of a committee of the "
        "first level; `weight` is theirs in the final model, `seconds` is what they "
        "took on two cores.",
        markdown_table(heads, lines),
    ]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    main()
