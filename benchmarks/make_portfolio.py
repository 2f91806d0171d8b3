"""Evaluate a grid of pipelines on many data sets; choose those to try first.

    python benchmarks/make_portfolio.py --data DIR --records FILE.jsonl [--run]
        [--minutes 30] [--boosters lightgbm,xgboost] [--patience 20]
        [--portfolio src/manyminds/search/study/portfolio.json]
        [--out benchmarks/results/portfolio.md]

With ``--run``, each pipeline is fitted to three folds of each set, and a line of the
records is written as it ends: a second run does what is missing. Rows beyond 10,000 are
sampled. A pipeline that takes longer than its patience (seconds of all folds) on a set
counts as the worst there. Then the records are read, the portfolio of each task is
chosen, and judged on each set by a portfolio chosen without that set.

Regret of a pipeline on a set: (loss - best) / (median - best), between 0 and 1, where
best and median are those of all pipelines of the grid on this set. The loss is the
RMSE, or both log loss and error of classes, whose regrets are averaged.
"""

import argparse
import json
import signal
import time
import warnings
from pathlib import Path

import numpy as np
from scipy.sparse import issparse
from sklearn.model_selection import KFold, StratifiedKFold

from machine import describe_machine
from manyminds.datasets import DataFolder
from manyminds.search import Problem, default_space
from manyminds.search.study.proposals import add_task_defaults
from manyminds.utils.tables import take_rows
from portfolio_choice import LENGTH, Table, choose_portfolio
from portfolio_grid import list_candidates
from portfolio_report import write_report

MIN_ROWS, MAX_ROWS, MAX_COLUMNS = 60, 10_000, 2_000
MIN_CLASS_ROWS = 6
N_FOLDS = 3
SMALLEST = 1e-4  # probability: a forest's 0 is no infinite loss


def main():
    """Run what is missing, if asked to; choose, judge and write."""
    options = parse()
    if options.run:
        run(options)
    records = read_records(options.records)
    boosters = [name for name in options.boosters.split(",") if name]
    tables = {
        task: Table.from_records(
            [one for one in records if one["task"] == task],
            list_candidates(task, boosters),
        )
        for task in ("classification", "regression")
    }
    portfolio = {
        task: choose_portfolio(table, LENGTH) for task, table in tables.items()
    }
    if options.portfolio:
        text = json.dumps(portfolio, indent=1)
        Path(options.portfolio).write_text(text + "\n", encoding="utf-8")
    machine = describe_machine(["manyminds", "scikit-learn", "numpy"])
    report = write_report(tables, portfolio, machine)
    print(report)
    if options.out:
        Path(options.out).write_text(report, encoding="utf-8")


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--data", required=True)
    add("--records", required=True)
    add("--run", action="store_true")
    add("--minutes", type=float, default=30.0)
    add("--patience", type=float, default=20.0)
    add("--boosters", default="")
    add("--portfolio")
    add("--out")
    return parser.parse_args()


# ------------------------------------------------------------------ records


def read_records(path):
    """Read the lines of a file of records, if there is one."""
    path = Path(path)
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [json.loads(line) for line in lines]


def run(options):
    """Evaluate what is not recorded yet, set by set, until the time is over."""
    end = time.monotonic() + 60.0 * options.minutes
    known = {
        (one["set"], json.dumps(one["pipeline"]))
        for one in read_records(options.records)
    }
    boosters = [name for name in options.boosters.split(",") if name]
    folder = DataFolder(options.data)
    for name in list_sets(folder):
        data = None
        task = task_of(folder, name)
        for pipeline in list_candidates(task, boosters):
            if (name, json.dumps(pipeline)) in known:
                continue
            if time.monotonic() > end:
                return
            data = data or Problems(folder.load(name))
            record = data.evaluate(pipeline, options.patience)
            record = {"task": task, "set": name, "pipeline": pipeline, **record}
            with open(options.records, "a", encoding="utf-8") as file:
                file.write(json.dumps(record) + "\n")


def list_sets(folder):
    """List sets of moderate size, first those of middle size, then larger, smaller.

    Tasks alternate, so that a run of any length has seen both.
    """
    index = folder.index
    names = [
        name
        for name, row in index.iterrows()
        if row["rows"] >= MIN_ROWS
        and row["features"] <= MAX_COLUMNS
        and "labels" not in str(row["classes_or_regression"])
    ]

    def place(name):
        n_rows = min(int(index.loc[name, "rows"]), MAX_ROWS)
        group = 0 if 400 <= n_rows <= 5_000 else 1 if n_rows > 5_000 else 2
        cells = n_rows * int(index.loc[name, "features"])
        return group, cells if group < 2 else -cells

    ranked = sorted(names, key=place)
    tasks = {"classification": [], "regression": []}
    for name in ranked:
        tasks[task_of(folder, name)].append(name)
    spread = {
        name: number / len(some)
        for some in tasks.values()
        for number, name in enumerate(some)
    }
    return sorted(names, key=lambda name: spread[name])


def task_of(folder, name):
    """Return the task of a set of the folder."""
    kind = str(folder.index.loc[name, "classes_or_regression"])
    return "regression" if kind == "regression" else "classification"


# ------------------------------------------------------------------ evaluation


class Problems:
    """The folds of a data set, on which pipelines are evaluated."""

    def __init__(self, data):
        rng = np.random.default_rng(0)
        X, y = data.X, np.asarray(data.y)
        rows = np.arange(len(y))
        self.task = data.task
        if self.task == "classification":
            y = np.unique(y, return_inverse=True)[1]
            rows = rows[np.bincount(y)[y] >= MIN_CLASS_ROWS]
        if len(rows) > MAX_ROWS:
            rows = np.sort(rng.choice(rows, MAX_ROWS, replace=False))
        X, y = take_rows(X, rows), y[rows]
        if self.task == "classification":
            y = np.unique(y, return_inverse=True)[1]
        kind = StratifiedKFold if self.task == "classification" else KFold
        folds = kind(N_FOLDS, shuffle=True, random_state=0)
        self.folds = list(folds.split(np.zeros(len(y)), y))
        self.problem = Problem.of(X, y, self.task, "log_loss")
        has_names = self.problem.n_categorical or self.problem.n_dates
        if hasattr(X, "to_numpy") and not has_names and not issparse(X):
            X = X.to_numpy()
        self.X, self.y = X, y
        self.space = default_space(self.task).suiting(self.problem)

    def evaluate(self, pipeline, patience):
        """Return losses and seconds of a pipeline, or why there are none."""
        learners = [one.name for one in self.space.learner]
        if pipeline["learner"] not in learners:
            return {"state": "unsuitable"}
        full = self.space.complete(
            add_task_defaults(pipeline, self.problem), self.problem
        )
        if any(full.get(key) != value for key, value in pipeline.items()):
            return {"state": "unsuitable"}
        record = {"state": "complete", "loss": [], "error": [], "seconds": []}
        record |= {"rows": len(self.y), "columns": int(self.X.shape[1])}
        signal.signal(signal.SIGALRM, _raise_timeout)
        signal.setitimer(signal.ITIMER_REAL, 3.0 * patience)  # the machine may be busy
        try:
            for train, test in self.folds:
                self._add_fold(record, full, train, test)
                if min(record["seconds"]) * N_FOLDS > patience:
                    record["state"] = "slow"
                    break
        except TimeoutError:
            record["state"] = "slow"
        except Exception as error:
            record |= {"state": "failed", "reason": f"{type(error).__name__}: {error}"}
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
        return record

    def _add_fold(self, record, pipeline, train, test):
        """Fit outside a fold and add the losses inside."""
        model = self.space.build(pipeline, self.problem)
        X_train, X_test = take_rows(self.X, train), take_rows(self.X, test)
        y, started = self.y[test], time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.fit(X_train, self.y[train])
            record["seconds"].append(round(time.process_time() - started, 4))
            if self.task == "regression":
                residuals = np.asarray(model.predict(X_test)).ravel() - y
                loss = error = np.sqrt(np.mean(residuals**2)) / np.std(self.y)
            else:
                P = model.predict_proba(X_test)
                own = np.zeros(len(y))
                seen = np.isin(y, model.classes_)
                own[seen] = P[seen, np.searchsorted(model.classes_, y[seen])]
                loss = -np.log(np.clip(own, SMALLEST, 1.0)).mean()
                error = np.mean(model.classes_[P.argmax(axis=1)] != y)
        if not np.isfinite(loss):
            raise ValueError("a loss that is not finite")
        record["loss"].append(round(float(loss), 6))
        record["error"].append(round(float(error), 6))


def _raise_timeout(*_):
    raise TimeoutError


if __name__ == "__main__":
    main()
