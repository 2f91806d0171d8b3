"""Compare ONNX files in onnxruntime with the models that they were made of.

    python benchmarks/onnx_agreement.py --out benchmarks/results/onnx_agreement.md

Every learner that can be exported is fitted on every bundled set, those of many labels
on two generated sets, to the columns and to principal components of them; so is every
option of the other stages, before a linear model, and so are short searches with
committees. Part of the cells is missing. Models are
fitted to some of the rows, with few trees and epochs, and predict all rows.
"""

import argparse
import time
import warnings
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnxruntime
import pandas as pd

from machine import describe_machine, markdown_table
from manyminds.datasets import bundled_datasets, describe_columns, load_dataset
from manyminds.datasets.generators import make_label_groups, make_multilabel_xor
from manyminds.export import only_exportable, to_onnx
from manyminds.persistence import TableModel
from manyminds.search import (
    ComplexModelSearchClassifier,
    ComplexModelSearchRegressor,
    Problem,
    default_space,
)

TIE = 1e-12  # difference of the two greatest probabilities that rounding may turn
STAGES = ("generate", "encode", "scale", "reduce", "select")
LARGE = ("quick_gb", "quick_rf", "real_mlp")  # a search has them for more rows only


@dataclass
class Agreement:
    """What a model and its ONNX file differ by, on all rows of a set."""

    kind: str
    data: str
    difference: float = 0.0  # the largest; of numbers, divided by the target's range
    n_rows: int = 0
    n_classes: int = 0  # rows, or labels of rows, with another class
    n_ties: int = 0  # of these, rows whose two greatest probabilities are equal
    failure: str = ""


def load_sets(missing):
    """Yield name, table, target and task of each set."""
    rng = np.random.default_rng(0)
    for name in bundled_datasets():
        data = load_dataset(name)
        holes = rng.random(data.X.shape) < missing
        X = data.X.mask(holes)
        yield name, X, np.asarray(data.y), data.task
    for make in (make_multilabel_xor, make_label_groups):
        X, Y = make(random_state=0)[:2]
        X = pd.DataFrame(X, columns=[f"x{j}" for j in range(np.shape(X)[1])])
        yield make.__name__, X.mask(rng.random(X.shape) < missing), Y, "multilabel"


def list_pipelines(space, problem, large):
    """Yield name and pipeline of each learner, and of each option of a stage."""
    names = [*dict.fromkeys([*(one.name for one in space.learner), *large])]
    yield from ((name, {"learner": name}) for name in names)
    if "pca" in [one.name for one in space.reduce]:
        few = {"reduce": "pca", "pca.components": 0.98}
        yield from (
            (f"{name}, of components", {"learner": name, **few}) for name in names
        )
    linear = "logistic" if problem.n_classes else "ridge"
    linear = "br_logistic" if problem.task == "multilabel" else linear
    for stage in STAGES:
        for one in getattr(space, stage):
            yield f"{stage}: {one.name}", {"learner": linear, stage: one.name}
    yield "members of folds", {"learner": linear, "committee": "committee"}


def shrink(model, n_rounds):
    """Grow few trees, train for few epochs."""
    for name, value in model.get_params().items():
        is_rounds = name.endswith("max_iter") and value not in (None, 500)
        if is_rounds or name.endswith(("n_estimators", "max_epochs")):
            model.set_params(**{name: n_rounds})


def run_file(model, X, task):
    """Convert a model; return the outputs of its file in onnxruntime."""
    columns = describe_columns(X)
    known = TableModel(model, columns, "y", task, (), len(columns))
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    content = to_onnx(known).SerializeToString()
    session = onnxruntime.InferenceSession(content, options)
    feed = {}
    for column in columns:
        values = X[column.name]
        if column.levels is None:
            cells = values.to_numpy(dtype=np.float64)
        else:
            cells = values.astype(object).where(values.notna(), "").to_numpy(object)
        feed[column.name] = cells[:, np.newaxis]
    return session.run(None, feed)


def compare(model, X, y, task, found):
    """Fill in what a fitted model and its file differ by."""
    made, expected = run_file(model, X, task), model.predict(X)
    found.n_rows = len(X)
    if task == "regression":
        found.difference = np.abs(made[0][:, 0] - expected).max() / np.ptp(y)
        return
    proba = np.asarray(model.predict_proba(X))
    if proba.ndim == 3:  # of labels, each of two values
        proba = proba[:, :, 1].T
    found.difference = np.abs(made[1] - proba).max()
    differs = made[0] != expected
    found.n_classes = int(differs.sum())
    if task == "classification":
        top = np.sort(proba, axis=1)[:, -2:]
        found.n_ties = int(((top[:, 1] - top[:, 0] < TIE) & differs).sum())


def measure(options):
    """Return the agreement of every model."""
    every = []
    for name, X, y, task in load_sets(options.missing):
        begun, n_before = time.perf_counter(), len(every)
        step = -(-len(X) // options.rows)
        some = X.iloc[::step].reset_index(drop=True)
        target = y[::step]
        codes = np.unique(target, return_inverse=True)[1].reshape(np.shape(target))
        metric = "micro_f1" if task == "multilabel" else "accuracy"
        metric = "r2" if task == "regression" else metric
        shown = target if task == "regression" else codes
        problem = Problem.of(some, shown, task, metric)
        space = only_exportable(default_space(task))
        suiting = space.suiting(problem)
        large = [one.name for one in space.learner if one.name in LARGE]
        for kind, pipeline in list_pipelines(suiting, problem, large):
            found = Agreement(kind, name)
            try:
                known = space if kind in LARGE else suiting
                model = known.build(known.complete(pipeline, problem), problem)
                shrink(model, options.rounds)
                compare(model.fit(some, target), X, y, task, found)
            except Exception as error:  # counted in the table
                found.failure = f"{type(error).__name__}: {error}".splitlines()[0]
            every.append(found)
        kind = "regression" if task == "regression" else "classification"
        for seed in range(options.searches):
            found = Agreement(f"searches of {options.trials} trials", name)
            search = (
                ComplexModelSearchRegressor
                if kind == "regression"
                else ComplexModelSearchClassifier
            )(None, n_trials=options.trials, space=space, random_state=seed, n_jobs=1)
            try:
                model = search.fit(some, target).model_
                found.kind += f", {type(model).__name__}"
                compare(model, X, y, task, found)
            except Exception as error:
                found.failure = f"{type(error).__name__}: {error}".splitlines()[0]
            every.append(found)
            print(f"{name}, search {seed}: {found}", flush=True)
        n_models, seconds = len(every) - n_before, time.perf_counter() - begun
        print(f"{name}: {n_models} models, {seconds:.0f} s", flush=True)
    return every


def summarize(every):
    """Return one row for each learner or option."""
    kinds = defaultdict(list)
    for one in every:
        kinds[one.kind].append(one)
    rows = []
    for kind, some in [*sorted(kinds.items()), ("all", every)]:
        done = [one for one in some if not one.failure]
        worst = max(done, key=lambda one: one.difference, default=None)
        rows.append(
            [
                kind,
                len(some),
                len({one.data for one in some}),
                f"{worst.difference:.0e}" if worst and worst.difference else "0",
                worst.data if worst and worst.difference else "",
                f"{sum(one.n_rows for one in done):,}",
                sum(one.n_classes - one.n_ties for one in done),
                sum(one.n_ties for one in done),
                len(some) - len(done),
            ]
        )
    return rows


HEADER = (
    "learner or option", "models", "sets", "largest difference", "on", "rows",
    "other classes", "other classes of ties", "failures",
)  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=400, help="of training, at most")
    parser.add_argument("--rounds", type=int, default=30, help="trees or epochs")
    parser.add_argument("--missing", type=float, default=0.03, help="share of cells")
    parser.add_argument("--searches", type=int, default=3, help="on each set")
    parser.add_argument("--trials", type=int, default=8, help="of each search")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    onnxruntime.set_default_logger_severity(3)
    begun = time.perf_counter()
    every = measure(options)
    minutes = (time.perf_counter() - begun) / 60
    packages = ["manyminds", "scikit-learn", "onnx", "onnxruntime"]
    text = [
        "# ONNX files compared with the models they were made of",
        "",
        describe_machine(packages),
        f"- {len(every)} models in {minutes:.0f} minutes",
        "",
        f"Models are fitted to at most {options.rows} rows of each set, by "
        f"{options.rounds} trees or epochs, with {options.missing:.0%} of the cells "
        "missing, and predict all rows. Searches have the trees and epochs of the "
        "search. The largest difference is that of a "
        "probability or of a score of a label; of numbers, it is divided by the range "
        "of the target. Classes are those of rows, or the labels of rows. In a tie, "
        f"the two greatest probabilities are less than {TIE} apart.",
        "",
        markdown_table(HEADER, summarize(every)),
        "",
    ]
    if failures := [one for one in every if one.failure]:
        text += ["Failures:", ""]
        text += [f"- {one.kind} on {one.data}: {one.failure}" for one in failures]
        text += [""]
    text = "\n".join(text)
    print(text)
    if options.out:
        options.out.write_text(text)


if __name__ == "__main__":
    main()
