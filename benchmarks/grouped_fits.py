"""Do groups of rows, or times, pay inside of fits, where rows are held out as well?

    python benchmarks/grouped_fits.py --data DIR [--out FILE.md]

Learners as the search uses them, with defaults, on folds of other groups or of later
rows. Told, boosting stops on other groups, nets choose their epoch and temperature by
them, and neighbors their number; not told, by rows drawn at random. Probabilities are
scaled by a temperature at last, as those of a search are. Groups are the
speakers of ``vowel``, the countries of ``strike``, the recordings of ``anuran-calls``,
and made-up patients; ``electricity`` and a made-up series are cut by time. The control
has groups drawn at random, which tell nothing. Scores are R2 or negated log loss of all
test rows.
"""

import argparse
import warnings
from pathlib import Path

import numpy as np
import pandas as pd

from machine import describe_machine, markdown_table
from manyminds.datasets import DataFolder
from manyminds.search import Problem, default_space
from manyminds.search.evaluation import evaluator, row_arguments
from manyminds.search.evaluation.folds import make_folds
from manyminds.search.evaluation.metrics import PredictionScorer
from search_honesty import N_VISITS, draw_patients, draw_series

GROUPED = {
    "vowel": "Speaker_Number", "strike": "country", "anuran-calls": "RecordID",
}  # fmt: skip
LEARNERS = ("gb", "extra_gb", "real_mlp", "knn_cv")
N_FOLDS, SEED = 3, 0
evaluator.MIN_CALIBRATED = 0
row_arguments.UNTOLD = ()
MAX_ROWS = 8_000  # of electricity


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True, help="folder of data sets")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    lines = []
    for name, X, y, dependent in list_tables(DataFolder(options.data)):
        for learner in LEARNERS:
            plain, told = (
                score(X, y, dependent, learner, is_told) for is_told in (0, 1)
            )
            lines.append([name, learner, f"{plain:.4f}", f"{told:.4f}"])
            print(*lines[-1], flush=True)
    text = "\n\n".join(
        [
            "# Groups and times inside of fits",
            describe_machine(["manyminds", "numpy", "scikit-learn"]),
            "    python benchmarks/grouped_fits.py --data DIR",
            "R2, or log loss negated, on other groups or later times, by whether "
            "fits are told of them.",
            markdown_table(["data set", "learner", "not told", "told"], lines) + "\n",
        ]
    )
    if options.out:
        options.out.write_text(text, encoding="utf-8")


def list_tables(folder):
    """Yield name, table, target, and groups or times of each set."""
    rng = np.random.default_rng(SEED)
    for name, column in GROUPED.items():
        data = folder.load(name)
        X, codes = data.X.drop(columns=[column]), pd.factorize(data.X[column])[0]
        yield name, X, np.asarray(data.y), {"groups": codes}
        if name == "anuran-calls":
            control = rng.permutation(codes)
            yield (
                f"{name}, groups at random",
                X,
                np.asarray(data.y),
                {"groups": control},
            )
    X, y = draw_patients(rng, 600)
    yield "patients", X, y, {"groups": np.arange(600) // N_VISITS}
    data = folder.load("electricity")
    X = data.X.iloc[:MAX_ROWS]
    yield "electricity", X, np.asarray(data.y)[:MAX_ROWS], {"time": np.arange(MAX_ROWS)}
    X, y = draw_series(rng, 600)
    yield "series", X[:600], y[:600], {"time": np.arange(600)}


def score(X, y, dependent, learner, is_told):
    """Score the pooled predictions of all folds."""
    is_numbers = np.issubdtype(np.asarray(y).dtype, np.floating)
    task, metric = (
        ("regression", "r2") if is_numbers else ("classification", "log_loss")
    )
    codes = y if is_numbers else np.unique(y, return_inverse=True)[1]
    problem = Problem.of(X, codes, task, metric)
    space = default_space(task).suiting(problem)
    measure = PredictionScorer(metric, task, np.unique(codes))
    folds = make_folds(N_FOLDS, X, codes, task, SEED, **dependent)
    known = dependent if is_told else {}
    evaluate = evaluator.Evaluator(X, codes, folds, space, problem, measure, **known)
    found = evaluate(space.complete({"learner": learner}, problem))
    if found.reason:
        warnings.warn(f"{learner}: {found.reason}", stacklevel=1)
    return found.score


if __name__ == "__main__":
    main()
