"""Check the honest score: small training sets, large test sets, many searches.

    python benchmarks/search_honesty.py [--data DIR] [--trials 12] [--repeats 6]
        [--rows 200] [--groups a,b] [--jobs 2] [--store FILE.jsonl] [--out FILE.md]

Each search has some hundred rows, and all other rows are test rows: so the true score
of what it chooses is known to a fraction of a point. Tables are generated: rare
classes, imbalance, errors with heavy tails, noise, and plain ones. With a folder of
data sets, rows of real ones are drawn too. The honest score should be right on average;
the naive one, by which the model was chosen, stands next to it. Searches are as long as
``--trials`` says, of learners that are quick, so that results do not depend on how busy
the machine is. Two kinds of tables have rows that depend on each other: visits of
patients, and a series. Searches that know it (told) and that do not are both scored on
new patients and on the future: ``--groups "patients told,patients not told,series
told,series not told"``. What is done is kept in the store, a line for each search, and
not done again. About 10 minutes on two cores; ``--repeats 2`` takes a third of that.
"""

import argparse
import warnings
from functools import partial
from itertools import product
from multiprocessing import Pool
from pathlib import Path
from zlib import crc32

import numpy as np
import pandas as pd

from machine import describe_machine, markdown_table
from manyminds.datasets import DataFolder
from manyminds.search import (
    ComplexModelSearchClassifier,
    ComplexModelSearchRegressor,
    default_space,
)
from manyminds.search.evaluation.metrics import predict_class_probabilities
from search_quality import append, read_store, words

# Name of a group: kind of table, metric.
GROUPS = {
    "balanced": ("balanced", "accuracy"),
    "noise": ("noise", "accuracy"),
    "rare classes, accuracy": ("rare", "accuracy"),
    "rare classes, balanced accuracy": ("rare", "balanced_accuracy"),
    "rare classes, log loss": ("rare", "log_loss"),
    "imbalance 1 : 15, balanced accuracy": ("imbalance", "balanced_accuracy"),
    "imbalance 1 : 15, AUC": ("imbalance", "auc"),
    "numbers, RMSE": ("normal", "rmse"),
    "heavy tails, RMSE": ("heavy", "rmse"),
    "heavy tails, R2": ("heavy", "r2"),
    "patients told": ("patients", "accuracy"),
    "patients not told": ("patients", "accuracy"),
    "series told": ("series", "rmse"),
    "series not told": ("series", "rmse"),
    "real sets": ("real", "auto"),
}
N_VISITS = 5  # of a patient
N_AHEAD, N_FUTURES = 33, 60  # rows of a future, and futures of a series
REAL = (
    "banana", "car", "ringnorm", "satimage", "spambase", "titanic", "waveform",
    "abalone", "bank8FM", "kin8nm", "puma8NH",
)  # fmt: skip
LEARNERS = (
    "logistic", "nb", "lda", "knn_cv", "nrbf", "elm", "ssv_tree",
    "rf", "ridge", "elastic_net",
)  # fmt: skip
MAX_TESTED = 5_000


def main():
    """Run what is not done yet, then print and write the table."""
    options = parse_arguments()
    done = read_store(options.store)
    planned = [key for key in list_keys(options) if key not in done]
    with Pool(options.jobs) as pool:
        results = pool.imap(partial(search_once, folder=options.data), planned)
        for key, result in zip(planned, results, strict=True):
            done[key] = result
            append(options.store, key, result)
            print(*key, result, flush=True)
    text = write_report(done, options)
    print(text)
    if options.out:
        options.out.write_text(text, encoding="utf-8")


def parse_arguments():
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", help="folder of data sets, for the real ones")
    parser.add_argument("--trials", type=int, default=12, help="chains a search")
    parser.add_argument("--repeats", type=int, default=6)
    parser.add_argument("--rows", type=int, default=200, help="rows to search on")
    parser.add_argument("--groups", type=words, default=tuple(GROUPS))
    parser.add_argument("--jobs", type=int, default=2, help="searches at a time")
    parser.add_argument("--store", type=Path, default=Path("search_honesty.jsonl"))
    parser.add_argument("--out", type=Path, help="also write the table to this file")
    return parser.parse_args()


def list_keys(options):
    """List the searches: group, data set, repeat, trials, rows."""
    keys = []
    for group, repeat in product(options.groups, range(options.repeats)):
        names = REAL if group == "real sets" else (GROUPS[group][0],)
        if group == "real sets":  # each repeat has sets of its own
            names = names[repeat :: options.repeats] if options.data else ()
        keys += [(group, name, repeat, options.trials, options.rows) for name in names]
    return keys


def search_once(key, folder):
    """Search on some rows; return what it expects, and what comes of the others."""
    group, name, repeat, n_trials, n_rows = key
    rng = np.random.default_rng([repeat, crc32(name.encode())])
    X, y, classes = draw_table(rng, name, n_rows + MAX_TESTED, folder, n_rows)
    metric = GROUPS[group][1]
    if metric == "auto":
        metric = "accuracy" if classes else "r2"
    kind = ComplexModelSearchClassifier if classes else ComplexModelSearchRegressor
    space = default_space("classification" if classes else "regression")
    names = [one.name for one in space.learner if one.name in LEARNERS]
    search = kind(
        None, n_trials=n_trials, metric=metric, space=space.only("learner", *names),
        random_state=repeat,
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        search.fit(X[:n_rows], y[:n_rows], **list_known(group, n_rows))
        test = score_rows(search, X[n_rows:], y[n_rows:])
    honest = search.honest_score_
    return {
        "test": test, "honest": honest.score, "low": honest.low, "high": honest.high,
        "naive": honest.naive, "is_loss": search._measure.sign < 0,
        "n_chains": len(search.leaderboard_),
        "committee": search.committee_ is not None,
    }  # fmt: skip


def list_known(group, n_rows):
    """Return what a search is told about its rows."""
    if group == "patients told":
        return {"groups": np.arange(n_rows) // N_VISITS}
    return {"time": np.arange(n_rows)} if group == "series told" else {}


def score_rows(search, X, y):
    """Score a search on rows of classes that it knows."""
    classes = getattr(search, "classes_", None)
    if classes is None:
        return float(search._measure.show(search._measure(search.predict(X), y)))
    known = np.isin(y, classes)
    made = predict_class_probabilities(search, X[known], classes)
    codes = np.searchsorted(classes, y[known])
    return float(search._measure.show(search._measure(made, codes)))


def draw_table(rng, name, n_rows, folder, n_searched):
    """Return columns, target, and whether it has classes."""
    if name == "patients":
        return *draw_patients(rng, n_rows), True
    if name == "series":
        return *draw_series(rng, n_searched), False
    if name in REAL:
        data = DataFolder(folder).load(name)
        rows = rng.permutation(data.n_samples)[:n_rows]
        return data.X.iloc[rows], data.y[rows], data.task == "classification"
    X = rng.normal(size=(n_rows, 10))
    if name in ("normal", "heavy"):
        noise = (
            rng.standard_t(2.5, n_rows) if name == "heavy" else rng.normal(size=n_rows)
        )
        return X, 2 * X[:, 0] + X[:, 1] * X[:, 2] + noise, False
    shares = {
        "balanced": np.ones(2), "noise": np.ones(2), "imbalance": np.array([15.0, 1.0]),
        "rare": 1.0 / np.arange(1, 25),
    }[name]  # fmt: skip
    y = rng.choice(len(shares), n_rows, p=shares / shares.sum())
    if name == "noise":  # shares that differ by chance are nothing to learn from
        return X, np.arange(n_rows) % 2, True
    X[:, :4] += 1.2 * rng.normal(size=(len(shares), 4))[y]
    return X, y, True


def draw_patients(rng, n_rows):
    """Draw visits: those of a patient look alike, and share what no column shows."""
    patient = np.arange(n_rows) // N_VISITS
    n_patients = patient[-1] + 1
    X = rng.normal(size=(n_patients, 5))[patient] + 0.2 * rng.normal(size=(n_rows, 5))
    hidden = 1.5 * rng.normal(size=n_patients)[patient]
    return X, (X[:, 0] + hidden + 0.3 * rng.normal(size=n_rows) > 0).astype(int)


def draw_series(rng, n_rows):
    """Draw a series whose level wanders, and many futures of it.

    Time is a column: by it, the level between two known rows can be interpolated.
    """
    n_drawn = n_rows + N_FUTURES * N_AHEAD
    time = np.arange(n_drawn)
    time[n_rows:] = n_rows + np.arange(N_FUTURES * N_AHEAD) % N_AHEAD
    step, level = rng.normal(size=n_drawn), np.zeros(n_drawn)
    for row in range(1, n_drawn):
        before = level[row - 1] if time[row] != n_rows else level[n_rows - 1]
        level[row] = 0.9 * before + np.sqrt(1 - 0.9**2) * step[row]
    X = rng.normal(size=(n_drawn, 3))
    y = X[:, 0] + level + 0.3 * rng.normal(size=n_drawn)
    return np.column_stack([X, time]), y


def write_report(done, options):
    """Return the table of bias and coverage by groups."""
    keys = [key for key in list_keys(options) if key in done]
    table = pd.DataFrame([{"group": key[0], **done[key]} for key in keys])
    sign, scale = np.where(table["is_loss"], -1.0, 1.0), table["test"].abs()
    scale = np.where(table["is_loss"], scale, 1.0)
    for name in ("honest", "naive"):
        table[f"{name} bias"] = 100 * sign * (table[name] - table["test"]) / scale
    table["held"] = table["test"].between(table["low"], table["high"])
    lines = [
        describe_group(name, table[table["group"] == name])
        for name in options.groups
        if (table["group"] == name).any()
    ]
    known = ~table["group"].str.endswith("not told")
    lines.append(describe_group("all but those not told", table[known]))
    header = ["group", "searches", "honest", "s.e.", "naive", "s.e.", "interval held"]
    parts = [
        "# Is the honest score right?",
        describe_machine(["manyminds", "scikit-learn", "optuna"]),
        f"{options.rows} rows to search on, {options.trials} chains of quick learners, "
        f"{options.repeats} draws; {MAX_TESTED:,} other rows, or as many as a real set "
        "has, are test rows: of patients, 1,000 new ones; of a series, 60 futures of "
        "the next 33 rows. Honest and naive: mean of the score less the test score, "
        "in points (times 100), of losses in percent of the test score; above 0 is "
        "too good. Last column: how often the interval of 95 % held the test score.",
        markdown_table(header, lines),
    ]
    return "\n\n".join(parts) + "\n"


def describe_group(name, rows):
    """Return a line of the table."""
    line = [name, str(len(rows))]
    for column in ("honest bias", "naive bias"):
        error = rows[column].std(ddof=1) / np.sqrt(len(rows))
        line += [f"{rows[column].mean():+.2f}", f"{error:.2f}"]
    return [*line, f"{rows['held'].mean():.0%}"]


if __name__ == "__main__":
    main()
