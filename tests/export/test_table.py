"""Columns become inputs; levels become codes and encodings."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder

from manyminds._compat import make_target_encoder
from manyminds.datasets import Column
from manyminds.export.graph import ExportError, Graph
from manyminds.export.table import Table, read_inputs

ONE_HOT = OneHotEncoder(
    handle_unknown="infrequent_if_exist", max_categories=20, sparse_output=False
)
ORDINAL = OrdinalEncoder(
    handle_unknown="use_encoded_value", unknown_value=-1, encoded_missing_value=-1
)


@pytest.mark.parametrize(
    "encoder",
    [ONE_HOT, ORDINAL, make_target_encoder(False)],
    ids=["hot", "code", "mean"],
)
def test_encoders_of_levels(run_onnx, table, encoder, seed):
    # The towns of the last rows are unseen by the encoder, and some are missing.
    X = table[["town", "hue"]]
    y = np.random.default_rng(seed).normal(size=len(X))
    model = make_pipeline(encoder, Ridge(alpha=1e-3)).fit(X[:150], y[:150])
    made = run_onnx(model, X, "regression")[0][:, 0]
    np.testing.assert_allclose(made, model.predict(X), rtol=1e-12, atol=1e-12)


def test_unknown_texts_are_missing(run_onnx):
    X = pd.DataFrame({"hue": pd.Categorical(["red", "blue", None] * 9)})
    y = np.array([1.0, 2.0, 3.0] * 9)
    model = make_pipeline(ORDINAL, Ridge(alpha=1e-9)).fit(X, y)
    other = X.copy()
    other["hue"] = pd.Categorical(["pink", "blue", "?"] * 9)
    # A column's levels are those of training: only "blue" is one of them.
    import onnxruntime

    from manyminds.datasets import describe_columns
    from manyminds.export import to_onnx
    from manyminds.persistence import TableModel

    kept = TableModel(model, describe_columns(X), "y", "regression", (), 1)
    session = onnxruntime.InferenceSession(to_onnx(kept).SerializeToString())
    texts = other["hue"].to_numpy(dtype=object)[:, np.newaxis]
    made = session.run(None, {"hue": texts})[0][:, 0]
    assert_array_equal(made[0::3], made[2::3])
    assert made[0] != made[1]


def test_texts_are_refused():
    pytest.importorskip("onnx")
    with pytest.raises(ExportError, match="'note' holds free text"):
        read_inputs(Graph(), [Column("note", is_text=True)])


def test_take_all_columns_adds_no_node():
    table, graph = Table.of_numbers("x", 3), Graph()
    assert table.take(graph, [0, 1, 2]) is table and not graph.nodes


@pytest.mark.parametrize(
    ("encoder", "names", "words"),
    [
        (OrdinalEncoder(), ["hue"], "handle_unknown='error' cannot be converted"),
        (ORDINAL, ["hue", "a"], "reads 'a', which is no column of categories"),
    ],
    ids=["strict", "number"],
)
def test_encoders_without_a_code_for_each_value_are_refused(
    run_onnx, table, encoder, names, words
):
    X = table[names].dropna()
    model = make_pipeline(encoder, Ridge()).fit(X, np.arange(float(len(X))))
    with pytest.raises(ExportError, match=words):
        run_onnx(model, X, "regression")
