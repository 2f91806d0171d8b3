"""Scores of batches are those of all rows."""

import numpy as np
import pytest

from manyminds.analysis import ConformalSets
from manyminds.datasets import load_dataset
from manyminds.persistence import load_model, save_model
from manyminds.search.choice.vote import VoteClassifier
from manyminds.trees import DecisionTreeClassifier
from manyminds.utils.errors import InputWarning
from manyminds.workflows import run_prediction
from manyminds.workflows.prediction_score import ScoreParts


@pytest.fixture
def model(tmp_path):
    data = load_dataset("iris")
    tree = DecisionTreeClassifier(max_depth=2, random_state=0).fit(data.X, data.y)
    about = {"metric": "log_loss"}
    return load_model(save_model(tmp_path / "model.skops", tree, data, about=about))


def score(model, *tables):
    parts = ScoreParts(model)
    for table in tables:
        parts.add(table, model.predict_table(table))
    return parts.measure()


def test_batches_are_scored_together(model):
    data = load_dataset("iris")
    table = data.X.assign(target=np.asarray(data.y))
    whole = score(model, table)
    assert whole[0] == "log_loss" and whole[2] == 150
    parts = score(model, table[:60], table[60:61].assign(target=None), table[61:])
    assert parts[2] == 149
    assert score(model, table[:60], table[60:]) == whole


def test_decisions_are_scored_as_they_are_made(tmp_path):
    data = load_dataset("iris")
    tree = DecisionTreeClassifier(max_depth=1, random_state=0).fit(data.X, data.y)
    weights = np.array([1.0, 1.0, 3.0])  # of two classes that the tree cannot tell
    for tuned in (None, weights):
        vote = VoteClassifier.of_fitted([tree], data.y, [1.0], 1.0, tuned)
        about = {"metric": "accuracy"}
        file = save_model(tmp_path / "model.skops", vote, data, about=about)
        model, table = load_model(file), data.X.assign(target=np.asarray(data.y))
        found = model.predict_table(table)["prediction"].to_numpy()
        last = "Iris-versicolor" if tuned is None else "Iris-virginica"
        assert found[-1] == last
        y = np.asarray(data.y).copy()
        y[60:] = "Iris-virginica"
        assert score(model, table.assign(target=y))[1] == np.mean(found == y)


def test_each_row_is_predicted_once(tmp_path, monkeypatch):
    data = load_dataset("iris")
    tree = DecisionTreeClassifier(max_depth=1, random_state=0).fit(data.X, data.y)
    sets = ConformalSets.calibrate(tree.predict_proba(data.X), np.arange(150) // 50)
    vote = VoteClassifier.of_fitted([tree], data.y, [1.0])
    save_model(tmp_path / "model.skops", vote, data, calibration=sets)
    counted = []
    predict = DecisionTreeClassifier.predict_proba

    def count(self, X):
        counted.append(len(X))
        return predict(self, X)

    monkeypatch.setattr(DecisionTreeClassifier, "predict_proba", count)
    frame = data.X.assign(target=np.asarray(data.y))
    found = run_prediction(tmp_path, frame, interval=0.9)
    assert found.n_scored == 150 and "set" in found.predictions
    assert counted == [150]


def test_polars_frames_are_scored(model):
    data = load_dataset("iris")
    table = data.X.assign(target=np.asarray(data.y))
    polars = pytest.importorskip("polars").from_pandas(table)
    assert score(model, polars) == score(model, table)


def test_rows_without_targets_are_not_scored(model):
    X = load_dataset("iris").X
    assert score(model, X) == score(model, X.assign(target=None)) == (None, None, 0)


def test_an_unknown_class_ends_the_score_once(model):
    X = load_dataset("iris").X
    with pytest.warns(InputWarning, match="The predictions are not scored") as caught:
        horse = X.assign(target="horse")
        assert score(model, horse, horse) == (None, None, 0)
    assert len(caught) == 1
