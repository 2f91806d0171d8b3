"""Measure what the bookkeeping of experiments costs beside the fits.

    python benchmarks/experiment_overhead.py [--out FILE.md] [--folds 1000]
                                             [--records 100000]

Overhead per fold: the time of a run less that of its fits and scores, which each fold
records. Listing: all records of a plan from a store into Python objects, then means,
standard deviations and counts of each data set and method.
"""

import argparse
import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np
from joblib import parallel_config
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier

from machine import describe_machine, markdown_table
from manyminds.datasets import Dataset
from manyminds.experiments import CrossValidation, Plan, Record, Slot, open_store, run
from manyminds.experiments.summaries import tabulate


def main():
    """Measure, print and write."""
    options = parse_arguments()
    rows = [
        *(measure_overhead(options.folds, *way) for way in WAYS),
        *measure_listing(options.records),
    ]
    parts = [
        "# Cost of bookkeeping",
        describe_machine(["manyminds", "sqlalchemy", "joblib"]),
        markdown_table(["what, on SQLite", "measured", "goal"], rows),
    ]
    text = "\n\n".join(parts) + "\n"
    print(text)
    if options.out:
        options.out.write_text(text, encoding="utf-8")


WAYS = [("loky", 1), ("threading", 2), ("loky", 2)]


def parse_arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, help="also write the table to this file")
    parser.add_argument("--folds", type=int, default=1000)
    parser.add_argument("--records", type=int, default=100_000)
    return parser.parse_args()


def measure_overhead(n_folds, backend, n_jobs):
    """Run the quickest of classifiers; what is left is bookkeeping."""
    X, y = load_iris(return_X_y=True, as_frame=True)
    plan = Plan(
        "overhead",
        [Dataset("iris", X, y.to_numpy(), "classification")],
        {"constant": DummyClassifier()},
        splits=CrossValidation(10, n_folds // 10),
    )
    with tempfile.TemporaryDirectory() as folder, parallel_config(backend=backend):
        store = open_store(str(Path(folder) / "records.sqlite"))
        outcome = run(plan, store, n_jobs=n_jobs)
        store.close()
    fits = sum(record.seconds for record in outcome.records) / n_jobs
    overhead = 1000 * (outcome.seconds - fits) / len(outcome.records)
    how = "one after the other" if n_jobs == 1 else f"{n_jobs} {WORDS[backend]}"
    return [f"overhead per fold, {how}", f"{overhead:.1f} ms", "5 ms"]


WORDS = {"loky": "processes, their start included", "threading": "threads"}


def measure_listing(n_records):
    """Put many records into a store, then list and summarize them."""
    rng = np.random.default_rng(0)
    slots = [
        Slot(
            f"set {i // 2000}", f"method {i // 100 % 20}", i // 10 % 10, i % 10, f"k{i}"
        )
        for i in range(n_records)
    ]
    records = [
        Record(
            slot.key,
            slot.dataset,
            slot.method,
            slot.repeat,
            slot.fold,
            {"accuracy": accuracy, "roc_auc": accuracy},
            seconds=0.1,
            finished="2026-01-01T00:00:00+00:00",
            estimator="RandomForestClassifier(n_estimators=100, max_features='sqrt')",
            fingerprint="0" * 32,
            versions="manyminds 0.1.0, numpy 2.0.0, scipy 1.13.0, sklearn 1.6.0",
        )
        for slot, accuracy in zip(slots, rng.random(n_records))
    ]
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(str(Path(folder) / "records.sqlite"))
        started = perf_counter()
        store.put(records)
        store.enroll("many", slots)
        put = perf_counter() - started
        started = perf_counter()
        found = store.find(plan="many")
        listed = perf_counter() - started
        table = tabulate(found, "accuracy")
        both = perf_counter() - started
        store.close()
    assert len(found) == n_records and table["n"].sum() == n_records
    return [
        [f"{n_records:,} records put and enrolled at once", f"{put:.2f} s", ""],
        [f"{n_records:,} records listed", f"{listed:.2f} s", ""],
        [f"{n_records:,} records listed and summarized", f"{both:.2f} s", "2 s"],
    ]


if __name__ == "__main__":
    main()
