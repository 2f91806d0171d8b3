"""What is measured on a fold: scores by name, losses as people read them."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_array
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression

from manyminds.datasets import Dataset, from_arrays
from manyminds.experiments import Scores, higher_is_better
from manyminds.experiments.measures import LOSSES, Fold
from manyminds.experiments.splits import Split

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
