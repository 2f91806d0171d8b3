"""The files of a search hold its model, its tables and its summary."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.linear_model import LogisticRegression

from manyminds.datasets import from_arrays
from manyminds.persistence import load_model, save_model
from manyminds.persistence.model_archive import ModelFileError
from manyminds.reports import to_plain
from manyminds.reports.search.files import (
    list_predictions,
    write_model,
    write_search,
    write_tables,
)
from manyminds.reports.search.folder import (
    SearchIdentity,
    open_search_folder,
    read_search,
)

CLASSES = from_arrays(np.arange(6.0)[:, None], ["a", "b"] * 3, name="toy")
IDENTITY = SearchIdentity("toy", "f", "kind", "classification", "accuracy", 2, 0)


@pytest.fixture
def search(summary):
    """Return what is read of a fitted search, without searching."""
    told = np.array([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]] * 2)
    return SimpleNamespace(
        model_=LogisticRegression().fit(CLASSES.X, CLASSES.y),
        committee_=None,
        class_weights_=None,
        weights_=[("scaled > logistic", 1.0)],
        metric_="accuracy",
        honest_score_=summary.honest,
        leaderboard_=pd.DataFrame({"pipeline": ["scaled > logistic"], "score": [0.8]}),
        trace_=pd.DataFrame({"trial": [0, 1]}),
        selection_=pd.DataFrame({"feature": ["x0"], "frequency": [1.0]}),
        importance_=pd.DataFrame({"feature": ["x0"], "importance": [0.5]}),
        calibration_=None,
        classes_=np.array(["a", "b"]),
        oof_predictions_=told,
        folds_=[(None, np.array([1, 3, 5])), (None, np.array([0, 2, 4]))],
    )


def test_predictions_of_classes(search):
    found = list_predictions(search, CLASSES)
    assert found["row"].tolist() == [1, 2, 3, 4, 5, 6]
    assert found["target"].tolist() == ["a", "b"] * 3
    assert found["prediction"].tolist() == ["a", "b", "b", "a", "b", "b"]
    assert_allclose(found["probability b"], search.oof_predictions_[:, 1])
    assert found["fold"].tolist() == [2, 1, 2, 1, 2, 1]


def test_predictions_of_tested_rows_only(search):
    search.folds_ = [(None, np.array([4, 1])), (None, np.array([5]))]
    search.oof_predictions_[[0, 2, 3]] = np.nan
    found = list_predictions(search, CLASSES)
    assert found["row"].tolist() == [2, 5, 6] and found["fold"].tolist() == [1, 1, 2]
    assert found["target"].tolist() == ["b", "a", "b"]
    assert found["prediction"].tolist() == ["b", "b", "b"]


def test_predictions_are_decided_by_weights_of_classes(search):
    search.class_weights_ = np.array([1.0, 10.0])
    found = list_predictions(search, CLASSES)
    assert found["prediction"].tolist() == ["b"] * 6
    assert_allclose(found["probability b"], search.oof_predictions_[:, 1])


def test_predictions_of_numbers(search):
    data = from_arrays(np.arange(6.0)[:, None], np.arange(6) + 0.5, task="regression")
    search.oof_predictions_ = np.arange(6.0)
    found = list_predictions(search, data)
    assert list(found) == ["row", "target", "prediction", "fold"]
    assert found["prediction"].tolist() == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]


def test_tables_are_written_as_they_are(search, tmp_path):
    names = [path.name for path in write_tables(tmp_path, search, CLASSES)]
    assert names == [
        "leaderboard.csv", "trace.csv", "selection.csv", "importance.csv",
        "predictions.csv",
    ]  # fmt: skip
    again = pd.read_csv(tmp_path / "selection.csv")
    pd.testing.assert_frame_equal(again, search.selection_)


def test_the_model_knows_its_score_and_members(search, tmp_path, summary):
    path = write_model(tmp_path, search, CLASSES, IDENTITY, "run")
    model = load_model(path)
    assert model.about["best"] == "scaled > logistic" and model.about["members"] == []
    assert model.about["honest_score"] == to_plain(summary.honest)
    assert list(model.targets) == ["kind"]
    search.committee_ = search.model_
    model = load_model(write_model(tmp_path, search, CLASSES, IDENTITY, "run"))
    assert model.about["members"] == [{"pipeline": "scaled > logistic", "weight": 1.0}]


def test_a_model_of_other_predictions_is_an_error(search, tmp_path, monkeypatch):
    other = LogisticRegression().fit(CLASSES.X, np.roll(CLASSES.y, 1))

    def save_other(path, model, data, **options):
        save_model(path, other, data, **options)

    monkeypatch.setattr("manyminds.reports.search.files.save_model", save_other)
    with pytest.raises(ModelFileError, match=r"model\.skops"):
        write_model(tmp_path, search, CLASSES, IDENTITY, "run")


@pytest.mark.slow
def test_the_folder_gives_the_summary_back(search, tmp_path, summary, details):
    folder = open_search_folder(tmp_path / "found", IDENTITY, command="run")
    written = write_search(folder, search, CLASSES, IDENTITY, summary, details)
    assert sorted(written) == sorted(folder.iterdir())
    assert "report.html" in [path.name for path in written]
    again = read_search(folder)
    assert to_plain(again) == to_plain(summary)
    assert again.honest == summary.honest and again.members == summary.members


def test_without_details_there_is_no_page(search, tmp_path, summary):
    folder = open_search_folder(tmp_path / "found", IDENTITY, command="run")
    written = write_search(folder, search, CLASSES, IDENTITY, summary, None)
    assert "report.html" not in [path.name for path in written]
