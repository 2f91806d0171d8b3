"""What is measured on a fold: scores by name, losses as people read them."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_array
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsClassifier

from manyminds.datasets import Dataset, from_arrays, load_dataset
from manyminds.experiments import Scores, higher_is_better
from manyminds.experiments.measures import (
    LOSSES,
    Fold,
    check_task_metrics,
    predict_label_scores,
)
from manyminds.experiments.splits import Split
from manyminds.utils.errors import InputError

SPLIT = Split(0, 0, np.array([3, 0]), np.array([1]))
Y = np.array([1.0, 2.0, 3.0, 5.0])


@pytest.mark.parametrize("sparse", [False, True])
def test_a_fold_takes_rows_by_position(sparse):
    X = np.arange(8.0).reshape(4, 2)
    fold = Fold(from_arrays(csr_array(X) if sparse else X, Y), SPLIT, 0)
    taken = [one.toarray() if sparse else one for one in (fold.X_train, fold.X_test)]
    assert_allclose(taken[0], X[[3, 0]])
    assert_allclose(taken[1], X[[1]])
    assert fold.y_train.tolist() == [5.0, 1.0] and fold.y_test.tolist() == [2.0]


def test_the_index_of_a_frame_does_not_matter():
    X = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0]}, index=[3, 2, 1, 0])
    fold = Fold(Dataset("toy", X, Y, "regression"), SPLIT, 0)
    assert fold.X_train["x"].tolist() == [4.0, 1.0]


def test_losses_are_positive_and_scores_as_they_are():
    # The mean of the training target, 5 and 1, is 3; the test target is 2.
    fold = Fold(from_arrays(np.eye(4), Y), SPLIT, 0)
    known = ("rmse", "mae", "mse", "neg_mean_absolute_error")
    scores = Scores(known)(DummyRegressor(), fold)
    assert scores == dict.fromkeys(known[:3], 1.0) | {"neg_mean_absolute_error": -1.0}


def test_the_estimator_is_fitted_to_the_training_rows():
    estimator = LinearRegression()
    fold = Fold(from_arrays(np.arange(4.0)[:, None], Y), SPLIT, 0)
    Scores(("mae",))(estimator, fold)
    assert_allclose([estimator.coef_[0], estimator.intercept_], [4 / 3, 1.0])


def test_less_of_a_loss_is_better():
    assert not any(higher_is_better(name) for name in LOSSES)
    assert all(map(higher_is_better, ("accuracy", "neg_log_loss", "my own")))


@pytest.mark.parametrize(
    ("metrics", "message"),
    [
        ((), "metrics is empty"),
        (("acuracy",), "metrics has 'acuracy'.*did you mean 'accuracy'"),
        (("accuracy", "qqqq"), "metrics has 'qqqq'.*known are rmse, mse"),
    ],
)
def test_unknown_metrics_are_named(metrics, message):
    with pytest.raises(ValueError, match=message):
        Scores(metrics)


class Chosen(DummyRegressor):
    """Predict given labels and scores, whatever the rows."""

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.array([[1, 0], [1, 1]])

    def predict_proba(self, X):
        return np.array([[0.9, 0.4], [0.3, 0.8]])


def test_many_labels_have_measures_of_their_own():
    y = pd.DataFrame({"a": [1, 0, 1], "b": [1, 0, 0]})
    data = Dataset("toy", pd.DataFrame({"x": [0.0, 1.0, 2.0]}), y, "multilabel")
    fold = Fold(data, Split(0, 0, np.array([0]), np.array([2, 1])), 0)
    metrics = ("f1", "hamming_loss", "ranking_loss", "f1_macro")
    found = Scores(metrics)(Chosen(), fold)
    # Of the row with label a alone both are right, of the row without labels none.
    assert list(found) == list(metrics)
    assert found["f1"] == 0.5 and found["hamming_loss"] == 0.5
    assert found["ranking_loss"] == 0.0
    assert_allclose(found["f1_macro"], (2 / 3 + 0.0) / 2)
    assert not higher_is_better("hamming_loss") and higher_is_better("micro_f1")


def test_metrics_of_many_labels_need_many():
    check_task_metrics(["micro_f1"], "multilabel")
    check_task_metrics(["f1", "accuracy"], "classification")
    with pytest.raises(InputError, match="micro_f1"):
        check_task_metrics(["accuracy", "micro_f1"], "classification")


def test_scores_of_labels_that_training_lacked_are_zero_or_one():
    y = np.array([[1, 0, 0], [1, 0, 1]])
    model = KNeighborsClassifier(1).fit([[0.0], [1.0]], y)
    assert_allclose(predict_label_scores(model, [[0.0]]), [[1.0, 0.0, 0.0]])


def test_the_area_has_the_name_of_a_search():
    data = load_dataset("iris")
    rows = np.arange(150)
    fold = Fold(data, Split(0, 0, rows[::2], rows[1::2]), 0)
    found = Scores(("auc", "roc_auc_ovr"))(KNeighborsClassifier(), fold)
    assert found["auc"] == found["roc_auc_ovr"] > 0.9

    y = pd.DataFrame({"a": [1, 0, 1], "b": [1, 0, 0]})
    labels = Dataset("toy", pd.DataFrame({"x": [0.0, 1.0, 2.0]}), y, "multilabel")
    fold = Fold(labels, Split(0, 0, np.array([0]), np.array([2, 1])), 0)
    found = Scores(("auc", "macro_auc"))(Chosen(), fold)
    assert_allclose(found["auc"], found["macro_auc"])
