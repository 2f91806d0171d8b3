"""The files of the page on deployment run as they are."""

import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.datasets import read_table
from manyminds.ensemble import RandomForestClassifier
from manyminds.persistence import load_model, save_model
from manyminds.reports import read_search
from manyminds.workflows import run_export, run_search

FILES = Path(__file__).parents[1] / "docs" / "howto" / "deploy"


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """Return the data of a model that is kept in the current folder."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    lines = ["size,town,kind"]
    for _ in range(80):
        town, size = rng.choice(["Bonn", "Trier"]), rng.normal()
        kind = "cat" if size + (town == "Bonn") > 0.5 else "dog"
        lines.append(f"{size if rng.random() > 0.1 else ''},{town},{kind}")
    Path("table.csv").write_text("\n".join(lines))
    data = read_table("table.csv", target="kind", categorical=["town"])
    forest = RandomForestClassifier(20, random_state=0).fit(data.X, data.y)
    save_model("model.skops", forest, data, target="kind")
    return data


def import_file(name):
    """Import a file of the page as a module."""
    spec = importlib.util.spec_from_file_location(name, FILES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_web_service(kept):
    pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    pytest.importorskip("fastapi")
    from fastapi.testclient import TestClient

    run_export(".", "model.onnx")
    client = TestClient(import_file("app").app)
    rows = json.loads(kept.X.to_json(orient="records"))  # null for missing values
    answer = client.post("/predict", json=rows)
    assert answer.status_code == 200, answer.text
    expected = load_model(".").predict_table(kept.X)
    assert [one["label"] for one in answer.json()] == expected["prediction"].tolist()
    made = [one["probabilities"] for one in answer.json()]
    assert_allclose(made, expected.filter(like="probability"), rtol=0, atol=1e-12)
    assert client.post("/predict", json=[{"size": 1.0}]).status_code == 422
    assert client.post("/predict", json=[{"size": "x", "town": ""}]).status_code == 422


@pytest.mark.slow
def test_mlflow(kept, monkeypatch):
    mlflow = pytest.importorskip("mlflow")
    if not hasattr(mlflow.models, "set_model"):
        pytest.skip("models from code need MLflow 2.12 or newer")
    run_search("table.csv", target="kind", n_trials=2, out="found", random_state=0)
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow.set_tracking_uri(Path("runs").resolve().as_uri())
    logged = import_file("log_search").log_search("found")
    model = mlflow.pyfunc.load_model(logged.model_uri)
    assert model.predict(kept.X).equals(load_model("found").predict_table(kept.X))
    run = mlflow.get_run(logged.run_id)
    summary = read_search("found")
    assert run.data.metrics["honest"] == summary.honest.score
    assert run.data.params["metric"] == summary.metric
    files = [one.path for one in mlflow.MlflowClient().list_artifacts(logged.run_id)]
    assert "model_card.md" in files
