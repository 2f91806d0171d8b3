"""Compare RealMLP nets with scikit-learn's, and with those of pytabkit.

    python benchmarks/real_mlp.py --data DIR --records FILE.jsonl [--sets a,b]
        [--methods ours,sklearn] [--peer-python PATH] [--out FILE.md]

One split of each set: 75 % of the rows train, the others test. Every fit is a line of
the records: a second run fits what is missing, and the report is made of the records.
pytabkit runs in an environment of its own, ``--peer-python``; see `real_mlp_peer.py`.
All methods have one thread, and times are those of the processor.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import json
import subprocess
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.compose import TransformedTargetRegressor, make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from machine import describe_machine, markdown_table
from manyminds.datasets import DataFolder
from manyminds.learners import RealMLPClassifier, RealMLPRegressor

CLASSES = (
    "australian credit-g car vowel segment yeast spambase soybean tic-tac-toe cmc "
    "mammographic vehicle diabetes credit-a hypothyroid"
).split()
NUMBERS = "housing sensory quake strike abalone kin8nm".split()
MIN_CLASS_ROWS = 4
SAME_SIZE = {"hidden_layer_sizes": (256, 256, 256), "batch_size": 256}
PEER = Path(__file__).with_name("real_mlp_peer.py")
METHODS = {
    "ours": "`RealMLPClassifier`, `RealMLPRegressor`, defaults",
    "ours, as published": 'the same with `criterion="error"`, `early_stopping=False`',
    "ours, 64 epochs": 'defaults but `max_epochs=64`, `batch_size="auto"`',
    "ours, mean of three": "`n_estimators=3`, `hidden_layer_sizes=(128, 128, 128)`, "
    '`max_epochs=32`, 48 for numbers, `batch_size="auto"`: so the search starts',
    "sklearn": "`MLPClassifier`, `MLPRegressor` with `early_stopping=True`, "
    "standardized numbers, one-hot codes, a standardized target",
    "sklearn, same size": "the same with `hidden_layer_sizes=(256, 256, 256)`, "
    "`batch_size=256`, `max_iter=256`, `n_iter_no_change=20`",
    "pytabkit": "`RealMLP_TD_Classifier`, `RealMLP_TD_Regressor`, defaults, torch on "
    "the processor",
}


def main():
    """Fit what is missing; write the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--records", type=Path, required=True)
    parser.add_argument("--sets", default=",".join(CLASSES + NUMBERS))
    parser.add_argument("--methods", default="ours,sklearn,sklearn same size")
    parser.add_argument("--peer-python")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    wanted = {name.replace(",", ""): name for name in METHODS}
    for name in options.sets.split(",") if options.data else ():
        rows = None
        for method in (wanted[one] for one in options.methods.split(",")):
            if (name, method) in read_records(options.records):
                continue
            rows = load(options.data, name) if rows is None else rows
            record = run(method, name, rows, options.peer_python)
            with options.records.open("a") as file:
                file.write(json.dumps(record) + "\n")
            print(record, flush=True)
    if options.out:
        options.out.write_text(make_report(read_records(options.records)))


def read_records(path):
    """Return the records by set and method."""
    if not path.exists():
        return {}
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return {(one["set"], one["method"]): one for one in lines}


def load(folder, name):
    """Return the task, and training and test rows; rare classes are left out."""
    data = DataFolder(folder).load(name)
    X, y, task = data.X, np.asarray(data.y), data.task
    if task == "classification":
        y = pd.factorize(y, sort=True)[0]
        kept = np.bincount(y)[y] >= MIN_CLASS_ROWS
        X, y = X[kept], pd.factorize(y[kept], sort=True)[0]
    else:
        y = y.astype(np.float64)
    X = pd.DataFrame(X).reset_index(drop=True)
    X.columns = [f"x{j}" for j in range(X.shape[1])]
    stratify = y if task == "classification" else None
    parts = train_test_split(X, y, test_size=0.25, random_state=0, stratify=stratify)
    return task, *parts


def run(method, name, rows, peer_python):
    """Fit one method to one set; return its record."""
    task, X, X_new, y, y_new = rows
    start = time.process_time()
    if method == "pytabkit":
        p, seconds, n_epochs = run_peer(task, X, X_new, y, peer_python)
    else:
        model = make_model(method, task, X)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.fit(X, y)
        seconds = time.process_time() - start
        p = model.predict_proba(X_new) if task != "regression" else model.predict(X_new)
        n_epochs = count_epochs(model)
    record = {"set": name, "method": method, "task": task, "rows": len(y)}
    record |= {"columns": X.shape[1], "seconds": seconds, "epochs": n_epochs}
    return record | score(p, y, y_new)


def make_model(method, task, X):
    """Return an estimator for the dtypes of a table."""
    is_class = task == "classification"
    if method.startswith("ours"):
        kind = RealMLPClassifier if is_class else RealMLPRegressor
        options = {}
        if "64 epochs" in method:
            options = {"batch_size": "auto", "max_epochs": 64}
        if "mean" in method:
            options = {"batch_size": "auto", "max_epochs": 32 if is_class else 48}
            options |= {"n_estimators": 3, "hidden_layer_sizes": (128, 128, 128)}
        if "published" in method:
            options = {"early_stopping": False}
            options |= {"criterion": "error"} if is_class else {}
        return kind(random_state=0, **options)
    options = {"early_stopping": True, "random_state": 0}
    if "same size" in method:
        options |= {**SAME_SIZE, "max_iter": 256, "n_iter_no_change": 20}
    net = (MLPClassifier if is_class else MLPRegressor)(**options)
    if not is_class:
        net = TransformedTargetRegressor(net, transformer=StandardScaler())
    categories = [name for name in X if X[name].dtype == "category"]
    numbers = [name for name in X if name not in categories]
    fill = SimpleImputer(strategy="median", add_indicator=True)
    codes = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    return make_pipeline(
        make_column_transformer(
            (make_pipeline(fill, StandardScaler()), numbers), (codes, categories)
        ),
        net,
    )


def count_epochs(model):
    """Return the number of epochs of a fitted model."""
    net = model[-1] if hasattr(model, "steps") else model
    net = getattr(net, "regressor_", net)
    return int(np.sum(getattr(net, "n_epochs_", getattr(net, "n_iter_", 0))))


def run_peer(task, X, X_new, y, python):
    """Fit pytabkit's net in its own environment; return predictions, seconds."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        X.to_csv(folder / "X.csv", index=False)
        X_new.to_csv(folder / "X_new.csv", index=False)
        np.save(folder / "y.npy", y)
        categories = [name for name in X if X[name].dtype == "category"]
        (folder / "task.json").write_text(json.dumps([task, categories]))
        environment = {**os.environ, "OMP_NUM_THREADS": "1"}
        environment.pop("PYTHONPATH", None)
        subprocess.run([python, PEER, folder], check=True, env=environment)
        seconds = json.loads((folder / "seconds.json").read_text())
        return np.load(folder / "p.npy"), seconds, 256


def score(p, y, y_new):
    """Return error and log loss, or the RMSE over that of the mean."""
    if p.ndim == 1:
        scale = np.sqrt(np.mean((y_new - y.mean()) ** 2))
        return {"rmse": float(np.sqrt(np.mean((p - y_new) ** 2)) / scale)}
    right = np.clip(p[np.arange(len(y_new)), y_new], 1e-7, 1.0)
    error = np.mean(p.argmax(axis=1) != y_new)
    return {"error": float(error), "log_loss": float(-np.log(right).mean())}


def make_report(records):
    """Return the report as Markdown."""
    names = [one for one in METHODS if any(method == one for _, method in records)]
    packages = ["numpy", "scipy", "scikit-learn", "numba", "manyminds"]
    lines = ["# RealMLP nets", "", describe_machine(packages), ""]
    lines += [" ".join(__doc__.split("\n\n")[2].split()), ""]
    lines += [f"- {name}: {METHODS[name]}" for name in names]
    for title, key in (
        ("Error", "error"),
        ("Log loss", "log_loss"),
        ("RMSE over that of the mean", "rmse"),
        ("Seconds of the processor for a fit", "seconds"),
        ("Milliseconds of the processor for an epoch", "epoch"),
    ):
        lines += ["", f"## {title}", "", make_table(records, names, key)]
    return "\n".join(lines) + "\n"


def make_table(records, names, key):
    """Return a table of one measure, and how often each method beats the first."""
    values = {}
    for (name, method), one in records.items():
        if key == "epoch" and "seconds" in one:
            values[name, method] = 1e3 * one["seconds"] / one["epochs"]
        elif key in one:
            values[name, method] = one[key]
    sets = sorted({name for name, _ in values})
    sizes = {name: one for (name, _), one in records.items()}
    body = [
        [name, sizes[name]["rows"], sizes[name]["columns"]]
        + [f"{values[name, m]:.3g}" if (name, m) in values else "" for m in names]
        for name in sets
    ]
    body.append(["ours better, worse", "", "", ""])
    for m in names[1:]:
        both = [
            name for name in sets if (name, m) in values and (name, "ours") in values
        ]
        gain = np.array([values[name, m] - values[name, "ours"] for name in both])
        body[-1].append(f"{(gain > 0).sum()}, {(gain < 0).sum()}")
    return markdown_table(["set", "rows", "columns", *names], body)


if __name__ == "__main__":
    main()
