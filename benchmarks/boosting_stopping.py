"""Compare boosting with early stopping in the search with fixed numbers of rounds.

    python benchmarks/boosting_stopping.py --data DIR [--sets a,b] [--out FILE.md]

The fixed settings are those that searches had before: the defaults with 100 rounds, and
a setting that did well with 250. "single" and "mean" stop on the same folds: the model
of all rows alone, and its mean with those of the folds, as searches have it from 5,000
rows on; "random" is the mean with random thresholds, the learner `extra_gb`;
"symmetric" that of symmetric trees, and "symmetric, random" that of both, the learner
`symmetric_gb`. Log loss, or RMSE over the standard deviation of the target, and CPU
seconds of a fit; means over three folds.
"""

import argparse
import time
from pathlib import Path

import numpy as np

from machine import describe_machine, markdown_table
from make_portfolio import Problems
from manyminds.datasets import DataFolder
from manyminds.ensemble import GradientBoostingClassifier, GradientBoostingRegressor
from manyminds.search.space.boosting_learners import (
    BOOSTING,
    EXTRA_BOOSTING,
    SYMMETRIC_BOOSTING,
    make_extra_gb,
    make_gb,
    make_symmetric_gb,
)
from manyminds.utils.tables import take_rows

SETS = (
    "housing,credit-g,vehicle,winequality-red,splice,abalone,spambase,cpu-small,"
    "online-shoppers,ailerons,elevators,hr-job-change,kin8nm,house-16H,dry-bean,"
    "credit-default,bank-marketing"
)
FIXED = {
    "100 rounds": {"learning_rate": 0.1, "max_iter": 100, "max_features": 1.0},
    "250 rounds": {
        "learning_rate": 0.05, "max_iter": 250, "max_leaf_nodes": 12,
        "min_samples_leaf": 8, "max_features": 0.4,
    },
}  # fmt: skip

LEARNERS = {
    "random": (make_extra_gb, EXTRA_BOOSTING, {}),
    "symmetric": (
        make_symmetric_gb,
        SYMMETRIC_BOOSTING,
        {"random_thresholds": False, "max_features": 1.0},
    ),
    "symmetric, random": (make_symmetric_gb, SYMMETRIC_BOOSTING, {}),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True)
    parser.add_argument("--sets", default=SETS)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    folder, rows = DataFolder(options.data), []
    for name in options.sets.split(","):
        data = Problems(folder.load(name))
        rows.append(
            [name, len(data.y), *(measure(data, kind) for kind in list_kinds())]
        )
        print(rows[-1], flush=True)
    text = "\n\n".join(
        [
            "# Boosting that stops early",
            describe_machine(["manyminds", "numpy"]),
            "Log loss, or RMSE over the standard deviation of the target, and CPU "
            "seconds of a fit; means over three folds.",
            markdown_table(["set", "rows", *list_kinds()], rows),
        ]
    )
    print(text)
    if options.out:
        options.out.write_text(text + "\n", encoding="utf-8")


def list_kinds():
    return [*FIXED, "single", "mean", *LEARNERS]


def make(data, kind):
    """Make an unfitted model."""
    if kind not in FIXED:
        make_one, parameters, changed = LEARNERS.get(kind, (make_gb, BOOSTING, {}))
        values = {name: one.default for name, one in parameters.items()}
        model = make_one(data.problem, **values | changed)
        refit = "replay" if kind == "single" else "average"
        return model.set_params(refit=refit)
    classes = data.problem.n_classes
    model = GradientBoostingClassifier if classes else GradientBoostingRegressor
    return model(**FIXED[kind], l2_regularization=1e-6, random_state=0)


def measure(data, kind):
    """Return mean loss and seconds over the folds."""
    losses, seconds = [], []
    for train, test in data.folds:
        model, started = make(data, kind), time.process_time()
        model.fit(take_rows(data.X, train), data.y[train])
        seconds.append(time.process_time() - started)
        losses.append(measure_loss(model, take_rows(data.X, test), data.y[test]))
    scale = 1.0 if data.problem.n_classes else np.std(data.y)
    return f"{np.mean(losses) / scale:.4f} ({np.mean(seconds):.2f} s)"


def measure_loss(model, X, y):
    """Return the log loss or the RMSE."""
    if not hasattr(model, "classes_"):
        return np.sqrt(np.mean((model.predict(X) - y) ** 2))
    own = model.predict_proba(X)[np.arange(len(y)), np.searchsorted(model.classes_, y)]
    return -np.log(np.maximum(own, 1e-15)).mean()


if __name__ == "__main__":
    main()
