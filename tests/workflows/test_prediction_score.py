"""Scores of batches are those of all rows."""

import numpy as np
import pytest

from manyminds.datasets import load_dataset
from manyminds.persistence import load_model, save_model
from manyminds.trees import DecisionTreeClassifier
from manyminds.utils.errors import InputWarning
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
        parts.add(table)
    return parts.measure()


def test_batches_are_scored_together(model):
    data = load_dataset("iris")
    table = data.X.assign(target=np.asarray(data.y))
    whole = score(model, table)
    assert whole[0] == "log_loss" and whole[2] == 150
    parts = score(model, table[:60], table[60:61].assign(target=None), table[61:])
    assert parts[2] == 149
    assert score(model, table[:60], table[60:]) == whole


def test_rows_without_targets_are_not_scored(model):
    X = load_dataset("iris").X
    assert score(model, X) == score(model, X.assign(target=None)) == (None, None, 0)


def test_an_unknown_class_ends_the_score_once(model):
    X = load_dataset("iris").X
    with pytest.warns(InputWarning, match="The predictions are not scored") as caught:
        horse = X.assign(target="horse")
        assert score(model, horse, horse) == (None, None, 0)
    assert len(caught) == 1
