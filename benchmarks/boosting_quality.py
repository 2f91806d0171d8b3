"""Compare the defaults of libraries of gradient boosting on many data sets.

    python benchmarks/boosting_quality.py --data DIR [--sets 36 | --sets a,b]
        [--libraries NAMES] [--ours "max_iter=200,learning_rate=0.05"] [--repeats 5]
        [--records FILE.jsonl] [--out FILE.md] [--figure FILE.svg]

Each library gets the same rows of repeated two-fold cross-validation, and two threads.
Log loss for classes, RMSE for numbers. Every fit is a line of the records, written as
it ends: a second run fits what is missing, and the report is made of the records. A fit
that failed is tried again. ``--ours`` may be given several times; with none, the
defaults of ours are run.

Sets are chosen by a rule, not by hand: see ``choose_sets``.
"""

import argparse
import ast
import json
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.model_selection import KFold, StratifiedKFold

import boosting_peers
from boosting_peers import find_categories, log_loss
from boosting_speed import is_ours_there
from machine import describe_machine, markdown_table
from manyminds.analysis import compare_methods, critical_difference, win_tie_loss
from manyminds.datasets import DataFolder
from peers import root_mean_square
from side_by_side import OURS, list_packages, names_among, save

MIN_ROWS, MAX_ROWS, MAX_COLUMNS = 200, 60_000, 500
MIN_CLASS_ROWS = 4  # rows of rarer classes are left out: both halves need every class
MAX_LEVELS = 255  # of a category in scikit-learn: rarer levels are merged
N_SETS = 36
LOSS = {"classification": "log loss", "regression": "RMSE"}


class Defaults:
    """Mixed into a peer: the library as shipped, but for threads, seed and messages."""

    extra = {}

    def options(self):
        return dict(self.extra)


class ManyMinds(Defaults, boosting_peers.ManyMinds):
    note = "pandas' categories"


class ScikitLearn(Defaults, boosting_peers.ScikitLearn):
    note = "pandas' categories; levels beyond the 254 most frequent are merged"

    def fit(self, X, y):
        self.levels = {name: list_frequent(X[name]) for name in find_categories(X)}
        super().fit(self.merge(X), y)

    def predict(self, X):
        return super().predict(self.merge(X))

    def merge(self, X):
        """Merge the levels that are too many; a frame without any is not copied."""
        merged = {
            name: merge_levels(X[name], levels)
            for name, levels in self.levels.items()
            if levels is not None
        }
        return X.assign(**merged)


class LightGBM(Defaults, boosting_peers.LightGBM):
    note = "pandas' categories"


class XGBoost(Defaults, boosting_peers.XGBoost):
    extra = {"enable_categorical": True}
    note = "pandas' categories"

    def remark(self):
        return self.note


class CatBoost(Defaults, boosting_peers.CatBoost):
    note = "categories as strings, one of them for missing values"

    def fit(self, X, y):
        self.names = find_categories(X)
        self.model = self.make(**self.technical(), cat_features=self.names)
        self.model.fit(self.to_strings(X), y)

    def predict(self, X):
        return super().predict(self.to_strings(X))

    def to_strings(self, X):
        """Return X with strings in place of categories."""
        texts = {name: X[name].astype(object).fillna("") for name in self.names}
        return X.assign(**{name: text.astype(str) for name, text in texts.items()})


PEERS = {
    "manyminds": ManyMinds,
    "scikit-learn": ScikitLearn,
    "lightgbm": LightGBM,
    "xgboost": XGBoost,
    "catboost": CatBoost,
}


def list_frequent(column):
    """The levels that scikit-learn keeps; None if it can take all of them."""
    if len(column.cat.categories) <= MAX_LEVELS:
        return None
    return column.value_counts().index[: MAX_LEVELS - 1].tolist()


def merge_levels(column, levels):
    """Replace all but some levels of a categorical column by one."""
    known = column.isin(levels) | column.isna()
    merged = column.astype(object).where(known, "(others)")
    return pd.Categorical(merged, categories=[*levels, "(others)"])


def main():
    """Fit what is not recorded yet, then print and write the report."""
    options = parse_arguments()
    methods = list_methods(options)
    folder = DataFolder(options.data)
    names = choose_sets(folder, options.sets)
    records = read_records(options.records)
    for name in names:
        run_set(folder, name, methods, records, options)
    text = write_report(names, methods, records, options)
    save(options.out, text)
    print(text)


def parse_arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--data", required=True, help="folder of data sets with an INDEX.csv")
    add("--sets", default=str(N_SETS), help="how many, or names, separated by commas")
    add("--libraries", type=names_among(PEERS), default=list(PEERS))
    add("--ours", action="append", type=parse_settings, help="settings of ours to try")
    add("--repeats", type=int, default=5, help="of two-fold cross-validation")
    add("--threads", type=int, default=2)
    add("--records", type=Path, default=Path("boosting_quality.jsonl"))
    add("--out", type=Path, help="also write the report to this file")
    add("--figure", type=Path, help="write the critical-difference diagram here")
    return parser.parse_args()


def parse_settings(text):
    """Parse ``max_iter=200,learning_rate=0.05`` into a dict."""
    try:
        call = ast.parse(f"dict({text})", mode="eval").body
        return {one.arg: ast.literal_eval(one.value) for one in call.keywords}
    except (SyntaxError, ValueError):
        raise argparse.ArgumentTypeError(f"not settings: {text!r}") from None


def list_methods(options):
    """Return by label which peer to run, and with which further settings."""
    methods = {name: (PEERS[name], {}) for name in options.libraries}
    if OURS in methods and not is_ours_there():
        print("manyminds has no gradient boosting yet: left out", file=sys.stderr)
        del methods[OURS]
    elif OURS in methods and options.ours:
        del methods[OURS]
        tried = {f"{OURS} {write_settings(one)}": one for one in options.ours}
        ours = {label: (PEERS[OURS], settings) for label, settings in tried.items()}
        methods = {**ours, **methods}
    return methods


def write_settings(settings):
    return ", ".join(f"{key}={value!r}" for key, value in settings.items())


def choose_sets(folder, wanted):
    """Choose sets by size: as many of each of four kinds, evenly from small to large.

    The kinds are classification and regression, with numbers alone or with categories
    or missing values. Sets with several targets are left out, and those below 200 or
    above 60,000 rows or above 500 columns.
    """
    if not wanted.isdigit():
        return [name.strip() for name in wanted.split(",")]
    index = folder.index
    index = index[index["rows"].between(MIN_ROWS, MAX_ROWS)]
    index = index[index["features"] <= MAX_COLUMNS]
    index = index[~index["classes_or_regression"].str.endswith("labels")]
    is_mixed = (index["categorical"].astype(int) > 0) | (
        index["missing"].astype(int) > 0
    )
    kinds = [index["classes_or_regression"] == "regression", is_mixed]
    chosen = []
    for _, some in index.groupby(kinds):
        n = min(len(some), -(-int(wanted) // 4))
        places = np.linspace(0, len(some) - 1, n).round().astype(int)
        chosen += some.sort_values("rows", kind="stable").index[places].tolist()
    return sorted(chosen, key=lambda name: index.loc[name, "rows"])


def read_records(file):
    """Return the records by set, label, repeat and fold; failures are left out."""
    records = {}
    if file.exists():
        for line in file.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            if "loss" in record:
                records[key_of(record)] = record
    return records


def key_of(record):
    return tuple(record[part] for part in ("set", "method", "repeat", "fold"))


def run_set(folder, name, methods, records, options):
    """Run the folds of a set that are not recorded."""
    planned = [
        (name, method, repeat, fold)
        for repeat in range(options.repeats)
        for fold in range(2)
        for method in methods
    ]
    missing = [key for key in planned if key not in records]
    if not missing:
        return
    X, y, task = load_rows(folder, name)
    halves = {}
    for key in missing:
        _, method, repeat, fold = key
        if repeat not in halves:
            halves[repeat] = split_rows(X, y, task, repeat)
        record = dict(zip(("set", "method", "repeat", "fold"), key, strict=True))
        record |= {"task": task, "rows": len(y)}
        record |= run_fold(X, y, task, halves[repeat][fold], methods[method], options)
        if "loss" in record:
            records[key] = record
        append(options.records, record)


def load_rows(folder, name):
    """Return the columns of a set, its target (classes as 0, 1, ...) and its task."""
    data = folder.load(name)
    X = data.X if isinstance(data.X, pd.DataFrame) else pd.DataFrame(data.X.toarray())
    X = X.set_axis([f"x{j}" for j in range(X.shape[1])], axis=1)
    if data.task == "regression":
        return X, np.asarray(data.y, dtype=np.float64), data.task
    labels = pd.Series(data.y)
    is_kept = labels.groupby(labels).transform("size") >= MIN_CLASS_ROWS
    y = pd.factorize(labels[is_kept], sort=True)[0]
    return X[is_kept.to_numpy()].reset_index(drop=True), y, data.task


def split_rows(X, y, task, repeat):
    """Return the two folds of a repeat: training and test rows."""
    split = StratifiedKFold if task == "classification" else KFold
    return list(split(2, shuffle=True, random_state=repeat).split(X, y))


def run_fold(X, y, task, fold, method, options):
    """Fit and score once; a failure is a record, too."""
    train, test = fold
    peer_class, settings = method
    peer = peer_class(task, None, options.threads)
    peer.extra = {**peer.extra, **settings}
    X_train, X_test = X.iloc[train], X.iloc[test]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if peer_class is ManyMinds:  # what is compiled is not part of the time
                few = slice(None, None, max(1, len(train) // 300))
                peer.fit(X_train[few], y[train][few])
            start = time.perf_counter()
            peer.fit(X_train, y[train])
            fitted = time.perf_counter()
            output = np.asarray(peer.predict(X_test))
            predicted = time.perf_counter()
    except Exception as error:  # any failure of a library is a line in the report
        first_line = str(error).strip().split("\n")[0]
        return {"error": f"{type(error).__name__}: {first_line[:200]}"}
    return {
        "loss": peer.score(y[test], output),
        "constant": score_constant(y[train], y[test], task),
        "fit_seconds": fitted - start,
        "predict_seconds": predicted - fitted,
    }


def score_constant(y_train, y_test, task):
    """The loss of a prediction that does not look at the columns."""
    if task == "regression":
        return root_mean_square(y_test - y_train.mean())
    share = np.bincount(y_train, minlength=y_test.max() + 1) / len(y_train)
    return log_loss(y_test, np.tile(share, (len(y_test), 1)))


def append(file, record):
    """Write a record, and show it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    line = json.dumps(record)
    with file.open("a", encoding="utf-8") as lines:
        lines.write(line + "\n")
    print(line, file=sys.stderr, flush=True)


def write_report(names, methods, records, options):
    """All tables as one Markdown text."""
    peers = [peer for peer, _ in methods.values()]
    n_folds = 2 * options.repeats
    folds = collect_folds(names, methods, records, options.repeats)
    complete = {name: found for name, found in folds.items() if found is not None}
    parts = [
        "# Quality of gradient boosting",
        describe_machine(list_packages(peers)),
        f"Defaults of each library on {len(complete)} sets, {options.repeats} times "
        f"two-fold cross-validation, {options.threads} threads. "
        f"{describe_choice(options)} Rows of classes with fewer than "
        f"{MIN_CLASS_ROWS} rows are left out.",
        settings_table(methods),
        f"Wins are of {next(iter(methods))}, by the corrected resampled t-test at 5 %. "
        "A difference is that of mean losses over the mean of both, then in percent of "
        "the loss of a constant prediction; below zero, it is in favor of the first "
        "method. Seconds are sums over sets of the mean of a fold.",
    ]
    if len(complete) < len(names):
        lost = ", ".join(name for name in names if name not in complete)
        parts.append(f"Not complete, and left out: {lost}.")
    groups = {"All sets": complete}
    for task in LOSS:
        some = {name: one for name, one in complete.items() if one["task"] == task}
        groups[f"{task.capitalize()}, {LOSS[task]}"] = some
    for title, some in groups.items():
        if some:
            parts += [f"## {title} ({len(some)} sets)", *compare(some, list(methods))]
    if complete:
        parts += [f"## Losses, means of {n_folds} folds", loss_table(complete, methods)]
    if options.figure and len(complete) > 1:
        draw_figure(complete, list(methods), options.figure)
    return "\n\n".join(parts) + "\n"


def describe_choice(options):
    """How the sets were chosen, in words."""
    if not options.sets.isdigit():
        return "Sets were named by hand."
    return f"Sets by a rule: {' '.join(choose_sets.__doc__.split())}"


def collect_folds(names, methods, records, repeats):
    """Return the figures of each set as arrays (methods, folds); None if some lack."""
    folds = {}
    for name in names:
        keys = [
            [(name, method, r, f) for r in range(repeats) for f in range(2)]
            for method in methods
        ]
        if not all(key in records for row in keys for key in row):
            folds[name] = None
            continue
        found = [[records[key] for key in row] for row in keys]
        folds[name] = {"task": found[0][0]["task"], "rows": found[0][0]["rows"]}
        for part in ("loss", "constant", "fit_seconds", "predict_seconds"):
            folds[name][part] = np.array([[one[part] for one in row] for row in found])
    return folds


def settings_table(methods):
    rows = []
    for label, (peer, settings) in methods.items():
        shown = write_settings({**peer.extra, **settings}) or "defaults"
        rows.append([label, shown, peer.note or "-"])
    return markdown_table(["library", "settings", "categories"], rows)


def compare(folds, methods):
    """Ranks with their critical difference, and the first method beside the others."""
    parts = [compare_to_first(folds, methods)]
    if len(folds) > 1 and len(methods) > 1:
        found = compare_methods(mean_losses(folds, methods), higher_is_better=False)
        parts.append(f"```\n{found}\n```")
    return parts


def mean_losses(folds, methods):
    """A table of mean losses, one row per set."""
    losses = [one["loss"].mean(axis=1) for one in folds.values()]
    return pd.DataFrame(losses, index=list(folds), columns=methods)


def compare_to_first(folds, methods):
    """The first method, ours if it is there, beside each of the others."""
    first = methods[0]
    losses = np.stack([one["loss"] for one in folds.values()])  # sets, methods, folds
    constant = np.stack([one["constant"].mean(axis=1) for one in folds.values()])
    seconds = {
        part: sum(one[part].mean(axis=1) for one in folds.values())
        for part in ("fit_seconds", "predict_seconds")
    }
    mean, rows = losses.mean(axis=2), []
    for k, method in enumerate(methods):
        counts = win_tie_loss(
            losses[:, 0], losses[:, k], higher_is_better=False,
            test="corrected", test_share=0.5,
        )  # fmt: skip
        difference = mean[:, 0] - mean[:, k]
        middle = np.maximum((mean[:, 0] + mean[:, k]) / 2.0, np.finfo(float).tiny)
        beside = [
            f"{counts.wins} / {counts.ties} / {counts.losses}",
            f"{np.mean(difference < 0):.0%}",
            f"{100 * np.mean(difference / middle):+.2f} %",
            f"{100 * np.mean(difference / constant[:, 0]):+.3f} %",
        ]
        times = [f"{seconds[part][k]:.2f}" for part in seconds]
        rows.append([method, *(["-"] * 4 if k == 0 else beside), *times])
    header = [
        f"{first} beside", "wins / ties / losses", "better on", "difference",
        "of constant's", "fit s", "predict s",
    ]  # fmt: skip
    return markdown_table(header, rows)


def loss_table(folds, methods):
    """Mean loss of each method on each set; the best is bold."""
    rows = []
    for name, one in folds.items():
        mean = one["loss"].mean(axis=1)
        cells = [f"{value:.4g}" for value in mean]
        cells[mean.argmin()] = f"**{cells[mean.argmin()]}**"
        rows.append([name, f"{one['rows']:,}", LOSS[one["task"]], *cells])
    return markdown_table(["set", "rows", "loss", *methods], rows)


def draw_figure(folds, methods, file):
    """Draw the critical-difference diagram of all sets."""
    import matplotlib

    matplotlib.use("agg")
    from manyminds.analysis import plot_critical_difference

    found = critical_difference(mean_losses(folds, methods), higher_is_better=False)
    file.parent.mkdir(parents=True, exist_ok=True)
    plot_critical_difference(found).figure.savefig(file)


if __name__ == "__main__":
    main()
