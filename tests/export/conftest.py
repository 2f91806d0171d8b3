"""What tests of the export share: tables with all there is, and a run of ONNX files."""

import numpy as np
import pandas as pd
import pytest

from manyminds.datasets import describe_columns
from manyminds.persistence import TableModel


@pytest.fixture(scope="session")
def run_onnx():
    """Return a function that converts a fitted model and runs it in onnxruntime."""
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    from manyminds.export import to_onnx

    def run(estimator, X, task="classification"):
        columns = describe_columns(X)
        model = TableModel(estimator, columns, "y", task, (), len(columns))
        session = runtime.InferenceSession(to_onnx(model).SerializeToString())
        feed = {column.name: make_input(X[column.name], column) for column in columns}
        return session.run(None, feed)

    return run


def make_input(values, column):
    """Return a column as ONNX takes it."""
    if column.is_date:
        seconds = (values - pd.Timestamp(0)) / pd.Timedelta(seconds=1)
        return seconds.to_numpy(dtype=np.float64)[:, np.newaxis]
    if column.levels is None:
        return values.to_numpy(dtype=np.float64)[:, np.newaxis]
    texts = values.astype(object).where(values.notna(), "")
    return texts.to_numpy(dtype=object)[:, np.newaxis]


@pytest.fixture
def table(seed):
    """Return a table of numbers and categories with missing values."""
    rng = np.random.default_rng(seed)
    n = 240
    X = pd.DataFrame(rng.normal(size=(n, 4)), columns=list("abcd"))
    X["a"] = X["a"].round(1)
    few, many = (
        np.array(["red", "blue", "green"]),
        np.array([f"l{k}" for k in range(90)]),
    )
    X["hue"] = pd.Categorical(rng.choice(few, n))
    X["town"] = pd.Categorical(rng.choice(many, n))
    holes = rng.random(X.shape) < 0.1
    for j in range(X.shape[1]):
        X.isetitem(j, X.iloc[:, j].where(~holes[:, j]))
    return X


@pytest.fixture
def classes(table, seed):
    """Return three classes that depend on numbers and categories."""
    noise = np.random.default_rng(seed + 1).normal(size=len(table))
    town = table["town"].cat.codes.to_numpy() % 2
    value = table["a"].fillna(1.0) + 1.5 * (table["hue"] == "red") + town + 0.3 * noise
    return np.array(["low", "mid", "top"])[np.digitize(value, [0.5, 1.5])]
