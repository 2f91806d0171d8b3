"""Components of dates are the same in ONNX, for all years and times."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from manyminds.datasets import describe_columns
from manyminds.preprocessing import DateEncoder
from manyminds.preprocessing.date_encoder import PARTS


@pytest.fixture
def encode(seed):
    """Return a function that runs the converted step."""
    onnx = pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    from manyminds.export.graph import Graph
    from manyminds.export.steps import convert_step
    from manyminds.export.table import read_inputs

    def encode(X):
        step, graph = DateEncoder().fit(X), Graph()
        made = convert_step(step, graph, read_inputs(graph, describe_columns(X)))
        graph.rename(made.matrix, "made")
        shown = [("made", onnx.TensorProto.DOUBLE, [None, None])]
        model = graph.build(shown).SerializeToString()
        feed = {}
        for name, column in X.items():
            values = column.to_numpy()
            if values.dtype.kind == "M":
                values = (values - np.datetime64(0, "s")) / np.timedelta64(1, "s")
            feed[name] = values[:, np.newaxis]
        found = runtime.InferenceSession(model).run(None, feed)[0]
        assert made.names == list(step.get_feature_names_out())
        return found, step.transform(X).to_numpy(dtype=np.float64)

    return encode


def test_all_parts(encode, seed):
    rng = np.random.default_rng(seed)
    day = 86_400_000_000
    # From 1836 to 2104, doubles of seconds are exact to the microsecond.
    times = rng.integers(-49_000 * day, 49_000 * day, size=3000)
    days = np.arange(-49_000, 49_000, 7) * day
    ends = np.concatenate([times // day * day, days, days - 1, days + day - 1])
    dates = np.concatenate([times, ends]).astype("datetime64[us]")
    dates[::50] = np.datetime64("NaT")
    X = pd.DataFrame({"when": dates, "size": rng.normal(size=len(dates))})
    made, expected = encode(X)
    assert made.shape[1] == len(PARTS) + 1
    assert_array_equal(made, expected)


def test_far_years_and_constant_parts(encode):
    days = ["0001-01-01", "1600-02-29", "1900-02-28", "2000-02-29", "9999-12-31"]
    X = pd.DataFrame({"a": np.array(days, dtype="datetime64[us]")})
    made, expected = encode(X.assign(b=X["a"] + np.timedelta64(1, "D")).iloc[:4])
    assert made.shape[1] == 10  # there is no hour
    assert_array_equal(made, expected)
    assert_array_equal(*encode(X))


def test_models_of_dates(run_onnx, table, classes, seed):
    from manyminds.search import Problem, default_space

    rng = np.random.default_rng(seed)
    days = rng.integers(3000, size=len(table)).astype("timedelta64[D]")
    dates = pd.Series(np.datetime64("2015-01-01", "us") + days)
    X = table.assign(born=dates.where(rng.random(len(table)) > 0.1))
    codes = np.unique(classes, return_inverse=True)[1]
    problem = Problem.of(X, codes, "classification", "accuracy")
    space = default_space("classification")
    for learner in ("rf", "logistic"):
        model = space.build(space.complete({"learner": learner}, problem), problem)
        label, made = run_onnx(model.fit(X, classes), X)
        np.testing.assert_allclose(made, model.predict_proba(X), atol=1e-12)
        assert_array_equal(label, model.predict(X))
