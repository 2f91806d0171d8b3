"""A search of exportable models ends in a file that onnxruntime runs."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.neighbors import KNeighborsClassifier

from manyminds.datasets import from_arrays, load_dataset
from manyminds.export import ExportError
from manyminds.persistence import load_model, save_model
from manyminds.utils.errors import InputError
from manyminds.workflows import run_export, run_search
from manyminds.workflows.export import describe_export


@pytest.mark.slow
def test_search_export_and_run(tmp_path):
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    result = run_search(
        "tic-tac-toe", n_trials=2, cv=2, exportable=True, out=tmp_path, n_jobs=1,
        report=False,
    )  # fmt: skip
    exported = run_export(tmp_path, tmp_path / "model.onnx")
    X = result.data.X
    assert exported.inputs == tuple(X.columns)
    assert exported.file.stat().st_size == exported.n_bytes
    session = runtime.InferenceSession(exported.file)
    feed = {name: X[[name]].to_numpy(dtype=object) for name in X.columns}
    label, made = session.run(None, feed)
    expected = load_model(tmp_path).predict_table(X)
    assert_array_equal(label, expected["prediction"])
    assert_allclose(made, expected.filter(like="probability"), rtol=0, atol=1e-5)
    assert "--exportable" in result.summary.command


def test_what_cannot_be_exported_is_refused_before_the_search(tmp_path):
    y = ["a", "b"] * 30
    notes = [f"remark {place} of very many" for place in range(60)]
    x = np.random.default_rng(0).normal(size=60)
    texts = from_arrays(pd.DataFrame({"note": notes, "x": x}), y)
    with pytest.raises(InputError, match=r"exportable: .* free text \(note\)"):
        run_search(texts, n_trials=1, exportable=True, out=tmp_path / "found")
    assert not (tmp_path / "found").exists()


@pytest.mark.slow
def test_search_of_dates(tmp_path):
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    rng = np.random.default_rng(0)
    born = pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(900, size=90), "D")
    X = pd.DataFrame({"born": born, "x": rng.normal(size=90)})
    y = np.where(X["born"].dt.month > 6, "late", "early")
    options = {"n_trials": 2, "cv": 2, "n_jobs": 1, "report": False}
    run_search(from_arrays(X, y), exportable=True, out=tmp_path, **options)
    exported = run_export(tmp_path, tmp_path / "model.onnx")
    seconds = (X["born"] - pd.Timestamp("1970-01-01")) / pd.Timedelta(seconds=1)
    feed = {"born": seconds.to_numpy()[:, np.newaxis], "x": X[["x"]].to_numpy()}
    label, made = runtime.InferenceSession(exported.file).run(None, feed)
    expected = load_model(tmp_path).predict_table(X)
    assert_array_equal(label, expected["prediction"])
    assert_allclose(made, expected.filter(like="probability"), rtol=0, atol=1e-5)


@pytest.mark.slow
def test_search_of_labels(tmp_path):
    # Two columns: neighbors are found by a tree, which no model file holds.
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    X = np.random.default_rng(0).integers(6, size=(120, 2)) / 5
    Y = {"happy": X[:, 0] > 0.5, "sad": X[:, 1] > X[:, 0], "calm": X[:, 1] > 0.3}
    table = pd.DataFrame({"p": X[:, 0], "q": X[:, 1]} | Y).astype(float)
    table.to_csv(tmp_path / "songs.csv", index=False)
    found = tmp_path / "found"
    run_search(
        tmp_path / "songs.csv", "happy,sad,calm", n_trials=4, cv=2, exportable=True,
        out=found, n_jobs=1, report=False,
    )  # fmt: skip
    exported = run_export(found, tmp_path / "model.onnx")
    assert exported.outputs == ("labels", "probabilities")
    feed = {name: table[[name]].to_numpy() for name in "pq"}
    labels, made = runtime.InferenceSession(exported.file).run(None, feed)
    model = load_model(found)
    assert_array_equal(labels, model.estimator.predict(table[["p", "q"]]))
    expected = model.estimator.predict_proba(table[["p", "q"]])
    assert_allclose(made, expected, rtol=0, atol=1e-12)


@pytest.mark.slow
def test_another_space_is_no_resumed_search(tmp_path):
    options = {"n_trials": 1, "cv": 2, "out": tmp_path, "n_jobs": 1, "report": False}
    run_search("iris", **options)
    with pytest.raises(InputError, match="exportable"):
        run_search("iris", **options, resume=True, exportable=True)


def test_nothing_is_written_for_other_models(tmp_path):
    pytest.importorskip("onnx")
    data = load_dataset("iris")
    model = KNeighborsClassifier().fit(data.X, data.y)
    save_model(tmp_path / "model.skops", model, data)
    with pytest.raises(ExportError, match="KNeighborsClassifier"):
        run_export(tmp_path, tmp_path / "model.onnx")
    assert not (tmp_path / "model.onnx").exists()


@pytest.mark.slow
def test_the_model_card_says_whether_it_can_be_exported(tmp_path):
    options = {"n_trials": 1, "cv": 2, "n_jobs": 1, "report": False}
    run_search("iris", out=tmp_path / "plain", exportable=True, **options)
    card = (tmp_path / "plain" / "model_card.md").read_text()
    assert "## Export\n\n- ONNX: `manyminds export` can convert the model.\n" in card
    rng = np.random.default_rng(0)
    notes = [" ".join(rng.choice(list("abcdefghij"), 9)) for _ in range(60)]
    X = pd.DataFrame({"note": notes, "x": rng.normal(size=60)})
    texts = from_arrays(X, np.where(X["x"] > 0, "a", "b"))
    assert describe_export(None, texts).startswith("ONNX: The column 'note' holds free")
