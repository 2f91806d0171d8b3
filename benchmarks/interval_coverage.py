"""Measure the coverage and size of prediction intervals and sets on test rows.

    python benchmarks/interval_coverage.py DATA [--out FILE.md] [--no-search]

DATA is a folder of data sets. Each is split in halves several times: a forest of ours
(50 trees, columns as numbers) is trained on one, at most 1,500 rows, and its intervals
or sets are counted on at most 2,000 rows of the other. Beside each other:

- ours: out-of-fold predictions of five folds around the forest of all training rows,
  `ConformalIntervals` and `ConformalSets`;
- MAPIE, split: `SplitConformalRegressor` and `SplitConformalClassifier` (LAC), the
  forest trained on two thirds of the rows and conformalized on one third;
- MAPIE, CV+: `CrossConformalRegressor(method="plus", cv=5)` and
  `CrossConformalClassifier(conformity_score="lac", cv=5)`, all five forests;
- search: ``ComplexModelSearch...(n_trials=3)``, with its own choice of folds and model.

Sizes are mean widths over the standard deviation of the target, or mean numbers of
classes. MAPIE is needed, in an environment of its own; without it, ours are measured
alone. About 10 minutes on one core.
"""

import argparse
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_predict

from machine import describe_machine, markdown_table
from manyminds.analysis import ConformalIntervals, ConformalSets
from manyminds.datasets import DataFolder
from manyminds.ensemble import RandomForestClassifier, RandomForestRegressor
from manyminds.search import ComplexModelSearchClassifier, ComplexModelSearchRegressor

NUMBERS = """
    pollution auto-price servo cpu bodyfat auto-mpg housing strike abalone kin8nm
    house-16H
""".split()
CLASSES = """
    wine sonar glass ecoli vowel credit-g vehicle yeast segment satimage letter
""".split()
SEARCHED = """
    auto-price cpu auto-mpg housing strike wine glass vowel credit-g yeast
""".split()
METHODS = ("ours", "MAPIE, split", "MAPIE, CV+", "search")
COLUMNS = "name repeat n_train is_class method level covered size seconds".split()
LEVELS = (0.8, 0.9, 0.95)
MAX_TRAIN, MAX_TEST = 1_500, 2_000


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--no-search", action="store_true")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    started, records, failures = time.perf_counter(), [], {}
    for name in [*NUMBERS, *CLASSES]:
        table = read(arguments.data, name)
        n_rows = len(table[1])
        n_repeats = 20 if n_rows < 400 else 8 if n_rows < 1500 else 4
        for repeat in range(n_repeats):
            searched = name in SEARCHED and repeat < 4 and not arguments.no_search
            for one in measure(name, table, repeat, searched, failures):
                records.append(one)
        print(name, f"{time.perf_counter() - started:.0f} s", flush=True)
    frame = pd.DataFrame(records, columns=COLUMNS)
    text = report(frame, failures, time.perf_counter() - started)
    print(text)
    if arguments.out:
        arguments.out.write_text(text, encoding="utf-8")


def measure(name, table, repeat, searched, failures):
    """Yield one record for each method and level."""
    X, y, is_class = table
    train, test = split(len(y), repeat)
    methods = dict(list_methods())
    if searched:
        methods["search"] = search
    for method, cover in methods.items():
        begun = time.perf_counter()
        try:
            found = cover(X[train], y[train], X[test], is_class, repeat)
        except ValueError as error:
            reason = str(error).replace("\n", " ")[:80]
            failures.setdefault((name, method, reason), []).append(repeat)
            continue
        seconds = time.perf_counter() - begun
        for level, inside in zip(LEVELS, found):
            measured = count(inside, y, test, is_class)
            yield name, repeat, len(train), is_class, method, level, *measured, seconds


def read(folder, name):
    data = DataFolder(folder).load(name)
    table = {}
    for column in data.X:
        values = data.X[column]
        if isinstance(values.dtype, pd.CategoricalDtype):
            values = values.cat.codes.astype(float)
        table[column] = values.fillna(values.median())
    is_class = data.task == "classification"
    y = np.unique(data.y, return_inverse=True)[1] if is_class else np.asarray(data.y)
    return pd.DataFrame(table).to_numpy(dtype=np.float64), y, is_class


def split(n_rows, seed):
    order = np.random.default_rng(seed).permutation(n_rows)
    half = n_rows // 2
    return order[:half][:MAX_TRAIN], order[half:][:MAX_TEST]


def count(inside, y, test, is_class):
    """Return coverage and mean size of intervals (low, high) or of sets."""
    if is_class:
        sets, classes = inside
        place = np.searchsorted(classes, y[test])
        known = np.isin(y[test], classes)
        place = np.minimum(place, len(classes) - 1)
        return (sets[np.arange(len(test)), place] & known).mean(), sets.sum(1).mean()
    low, high = inside
    return ((y[test] >= low) & (y[test] <= high)).mean(), (high - low).mean() / y.std()


def make_forest(is_class, seed):
    kind = RandomForestClassifier if is_class else RandomForestRegressor
    return kind(50, random_state=seed)


def list_methods():
    yield "ours", ours
    try:
        import mapie  # noqa: F401
    except ImportError:
        return
    yield "MAPIE, split", mapie_split
    yield "MAPIE, CV+", mapie_cross


def ours(X, y, new, is_class, seed):
    forest = make_forest(is_class, seed)
    kind = StratifiedKFold if is_class else KFold
    folds = kind(5, shuffle=True, random_state=seed)
    if not is_class:
        made = cross_val_predict(forest, X, y, cv=folds)
        predictions = forest.fit(X, y).predict(new)
        fitted = ConformalIntervals.calibrate(made, y)
        return [fitted.predict(predictions, level) for level in LEVELS]
    made = cross_val_predict(forest, X, y, cv=folds, method="predict_proba")
    shares = forest.fit(X, y).predict_proba(new)
    fitted = ConformalSets.calibrate(made, np.searchsorted(forest.classes_, y))
    return [(fitted.predict(shares, level), forest.classes_) for level in LEVELS]


def mapie_split(X, y, new, is_class, seed):
    from mapie.classification import SplitConformalClassifier
    from mapie.regression import SplitConformalRegressor

    forest, third = make_forest(is_class, seed), len(y) // 3
    kind = SplitConformalClassifier if is_class else SplitConformalRegressor
    options = {"conformity_score": "lac"} if is_class else {}
    model = kind(forest, confidence_level=list(LEVELS), prefit=False, **options)
    model.fit(X[third:], y[third:]).conformalize(X[:third], y[:third])
    return unpack(model, new, is_class, np.unique(y[third:]))


def mapie_cross(X, y, new, is_class, seed):
    from mapie.classification import CrossConformalClassifier
    from mapie.regression import CrossConformalRegressor

    forest = make_forest(is_class, seed)
    options = {"conformity_score": "lac"} if is_class else {"method": "plus"}
    kind = CrossConformalClassifier if is_class else CrossConformalRegressor
    options |= {"confidence_level": list(LEVELS), "cv": 5, "random_state": seed}
    model = kind(forest, **options).fit_conformalize(X, y)
    return unpack(model, new, is_class, np.unique(y))


def unpack(model, new, is_class, classes):
    if is_class:
        sets = model.predict_set(new)[1]
        return [(sets[:, :, place], classes) for place in range(len(LEVELS))]
    found = model.predict_interval(new)[1]
    return [(found[:, 0, place], found[:, 1, place]) for place in range(len(LEVELS))]


def search(X, y, new, is_class, seed):
    kind = ComplexModelSearchClassifier if is_class else ComplexModelSearchRegressor
    found = kind(None, n_trials=3, n_jobs=1, random_state=seed).fit(X, y)
    if is_class:
        return [(found.predict_set(new, level), found.classes_) for level in LEVELS]
    return [found.predict_interval(new, level) for level in LEVELS]


def report(records, failures, seconds):
    packages = describe_machine(["numpy", "scikit-learn", "mapie"])
    lines = ["# Coverage of prediction intervals and sets", ""]
    lines += [__doc__.split("\n\n", 2)[2], packages, "", f"{seconds:.0f} seconds.", ""]
    for is_class, what in ((False, "Intervals of numbers"), (True, "Sets of classes")):
        some = records[records.is_class == is_class]
        lines += [f"## {what}: means over the data sets", "", list_means(some), ""]
        lines += [f"## {what}: covered (size) at 90 %", "", list_sets(some), ""]
    lines += ["## Failures", ""]
    lines += [
        f"- {name}, {method}: {len(repeats)} times, {reason}"
        for (name, method, reason), repeats in failures.items()
    ] or ["None."]
    return "\n".join(lines) + "\n"


def list_means(some):
    ours = some[some.method == "ours"].set_index(["name", "repeat", "level"])["size"]
    header = "method,level,data sets,covered,furthest set,size,size / ours,seconds"
    rows = []
    for method in METHODS:
        for level in LEVELS:
            part = some[(some.method == method) & (some.level == level)]
            if not len(part):
                continue
            places = pd.MultiIndex.from_frame(part[["name", "repeat", "level"]])
            part = part.assign(ratio=part["size"].to_numpy() / ours.loc[places].values)
            of_set = part.groupby("name")[
                ["covered", "size", "ratio", "seconds"]
            ].mean()
            mean, gaps = of_set.mean(), (of_set.covered - level)
            furthest = gaps.abs().idxmax()
            rows.append(
                [
                    method,
                    f"{level:.0%}",
                    len(of_set),
                    f"{mean.covered:.1%}",
                    f"{furthest} {of_set.covered[furthest]:.1%}",
                    f"{mean['size']:.2f}",
                    f"{mean.ratio:.2f}",
                    f"{mean.seconds:.1f}",
                ]
            )
    return markdown_table(header.split(","), rows)


def list_sets(some):
    rows = []
    for name, part in some[some.level == 0.9].groupby("name", sort=False):
        cells = [name, int(part.n_train.iloc[0])]
        for method in METHODS:
            one = part[part.method == method]
            text = f"{one.covered.mean():.1%} ({one['size'].mean():.2f})"
            cells.append(text if len(one) else "")
        rows.append(cells)
    return markdown_table(["data set", "training rows", *METHODS], rows)


if __name__ == "__main__":
    main()
