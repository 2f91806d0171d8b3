"""Weights of decisions are listed, and models that predict one class only are found."""

from types import SimpleNamespace

import numpy as np
import pytest

from manyminds.datasets import from_arrays
from manyminds.reports.search.decisions import find_one_class, list_class_weights
from manyminds.search import HonestScore
from manyminds.search.evaluation.metrics import PredictionScorer


def make_search(metric="balanced_accuracy", score=0.5, **fields):
    """Return a search that predicts a for all of 200 rows, half of them a."""
    nan, classes = float("nan"), np.array(["a", "b"])
    known = {
        "_measure": PredictionScorer(metric, "classification", classes),
        "_coverage_rows": {"sample_weight": None, "groups": None},
        "classes_": classes,
        "class_weights_": None,
        "folds_": [(None, np.arange(200))],
        "honest_score_": HonestScore(score, nan, nan, 0.5, 0.95, 2, "bootstrap"),
        "oof_predictions_": np.tile([0.9, 0.1], (200, 1)),
    }
    return SimpleNamespace(**known | fields)


DATA = from_arrays(np.eye(200), np.repeat(["a", "b"], 100))


def test_weights_have_the_names_of_the_classes():
    search = make_search(class_weights_=np.array([0.5, 2.0]))
    assert list_class_weights(search) == {"a": 0.5, "b": 2.0}
    assert list_class_weights(make_search()) == {}


@pytest.mark.parametrize(
    ("metric", "score", "constant"),
    [
        ("balanced_accuracy", 0.5, 0.5),
        ("balanced_accuracy", float("nan"), 0.5),  # its naive score is 0.5
        ("auc", 0.4, 0.5),
        ("log_loss", 0.7, np.log(2.0)),
    ],
)
def test_a_model_that_is_no_better_than_a_constant_is_found(metric, score, constant):
    found = find_one_class(make_search(metric, score), DATA)
    assert (found.label, found.share) == ("a", 1.0)
    assert found.constant == pytest.approx(constant)


@pytest.mark.parametrize(("metric", "score"), [("auc", 0.51), ("log_loss", 0.6)])
def test_a_better_score_is_of_use(metric, score):
    assert find_one_class(make_search(metric, score), DATA) is None


def test_one_percent_of_another_class_may_be_predicted():
    made = np.tile([0.9, 0.1], (200, 1))
    made[:2] = 0.2, 0.8
    assert find_one_class(make_search(oof_predictions_=made), DATA).share == 0.99
    made[2] = 0.2, 0.8
    assert find_one_class(make_search(oof_predictions_=made), DATA) is None
    # Decisions count: by these weights, all rows are predicted to be b.
    search = make_search(oof_predictions_=made, class_weights_=np.array([0.01, 1.0]))
    assert find_one_class(search, DATA).label == "b"


def test_the_constant_is_weighted_as_scores_are():
    weight = np.repeat([3.0, 1.0], 100)
    rows = {"sample_weight": weight, "groups": None}
    found = find_one_class(make_search("accuracy", _coverage_rows=rows), DATA)
    assert found.constant == pytest.approx(0.75)


def test_a_scorer_that_raises_does_no_harm():
    class Picky:
        def show(self, score):
            return score

        def __call__(self, *_):
            raise ValueError

    assert find_one_class(make_search(_measure=Picky()), DATA) is None
    numbers = from_arrays(np.eye(4), np.arange(4.0) + 0.5, task="regression")
    assert find_one_class(make_search(), numbers) is None
