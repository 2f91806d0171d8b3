"""Names of columns in model files."""

import zipfile

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from manyminds.datasets import from_frame
from manyminds.ensemble import RandomForestClassifier
from manyminds.persistence import model_names
from manyminds.persistence.model_file import load_model, save_model
from manyminds.persistence.model_names import compact_names


@pytest.fixture
def data(seed):
    X = pd.DataFrame(np.random.default_rng(seed).normal(size=(30, 50)))
    X.columns = [f"größe {place}" for place in range(50)]
    return from_frame(X.assign(target=["a", "b"] * 15), target="target")


@pytest.fixture
def model(data):
    steps = StandardScaler(), RandomForestClassifier(3, random_state=0)
    return make_pipeline(*steps).fit(data.X, data.y)


def test_names_are_one_array_in_the_file_and_objects_again(data, model, tmp_path):
    path = save_model(tmp_path / "model.skops", model, data)
    with zipfile.ZipFile(path) as archive:
        schema = archive.read("schema.json").decode()
    assert "größe 7" not in schema and "gr\\u00f6\\u00dfe 7" not in schema
    for one in (model, load_model(tmp_path).estimator):
        names = one[0].feature_names_in_
        assert names.dtype == object and type(names[0]) is str
        assert list(names) == list(data.X.columns)


def test_names_that_text_cannot_hold_stay_objects(model, monkeypatch):
    scaler = model[0]
    monkeypatch.setattr(model_names, "MAX_BYTES", 10)
    with compact_names(model):
        assert scaler.feature_names_in_.dtype == object
    monkeypatch.undo()
    scaler.feature_names_in_ = np.array(["a\0", *"b" * 49], dtype=object)
    with compact_names(model):
        assert scaler.feature_names_in_[0] == "a\0"


def test_names_are_restored_after_an_error(model):
    names = model[0].feature_names_in_
    with pytest.raises(ZeroDivisionError), compact_names(model):
        assert model[0].feature_names_in_.dtype.kind == "U"
        raise ZeroDivisionError
    assert model[0].feature_names_in_ is names
