"""Samples are predicted as the command predicts them."""

import pandas as pd
import pytest

from manyminds.datasets import load_dataset
from manyminds.persistence import save_model
from manyminds.trees import DecisionTreeClassifier
from manyminds.utils.errors import InputError, InputWarning, MissingFileError
from manyminds.workflows import run_prediction


@pytest.fixture
def model(tmp_path):
    data = load_dataset("iris")
    tree = DecisionTreeClassifier(random_state=0).fit(data.X, data.y)
    save_model(tmp_path / "model.skops", tree, data)
    return tmp_path


def test_files_and_frames_are_predicted_alike(model):
    data = load_dataset("iris")
    data.X.to_csv(model / "new.csv", index=False)
    of_file = run_prediction(model, model / "new.csv", out=model / "p.csv")
    of_frame = run_prediction(model, data.X)
    pd.testing.assert_frame_equal(of_file.predictions, of_frame.predictions)
    assert of_file.file == model / "p.csv" and of_frame.file is None
    assert pd.read_csv(model / "p.csv").shape == of_frame.predictions.shape
    assert (of_file.metric, of_file.score, of_file.n_scored) == (None, None, 0)


def test_unknown_classes_are_not_scored(model):
    data = load_dataset("iris")
    frame = data.X.assign(target="horse")
    with pytest.warns(InputWarning, match="not scored. The model has no class 'horse'"):
        assert run_prediction(model, frame).score is None


def test_outputs_must_be_files(model):
    X = load_dataset("iris").X
    with pytest.raises(InputError, match="out must be a file"):
        run_prediction(model, X, out=model)
    with pytest.raises(MissingFileError, match="out: there is no folder"):
        run_prediction(model, X, out=model / "no" / "p.csv")
