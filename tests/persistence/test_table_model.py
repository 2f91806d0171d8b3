"""A loaded model predicts intervals and sets, and finds rows unlike its own."""

import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.linear_model import LinearRegression
from sklearn.svm import LinearSVC

from manyminds.analysis import ConformalIntervals, ConformalSets
from manyminds.datasets import Dataset, from_frame
from manyminds.persistence import load_model, save_model
from manyminds.trees import DecisionTreeClassifier
from manyminds.utils.errors import InputError


@pytest.fixture
def frame(seed):
    rng = np.random.default_rng(seed)
    size = rng.normal(size=80)
    return pd.DataFrame(
        {
            "size": size,
            "age": rng.normal(size=80),
            "price": 3 * size + rng.normal(size=80),
            "kind": np.where(size + rng.normal(size=80) > 0, "cat", "dog"),
        }
    )


def save(path, model, frame, target, calibration=None):
    others = [name for name in ("price", "kind") if name != target]
    data = from_frame(frame.drop(columns=others), target=target)
    save_model(path, model.fit(data.X, data.y), data, calibration=calibration)
    return load_model(path)


def test_intervals_of_a_loaded_model(frame, tmp_path, seed):
    rng = np.random.default_rng(seed)
    calibration = ConformalIntervals.calibrate(np.zeros(80), rng.normal(size=80))
    path = tmp_path / "m.skops"
    model = save(path, LinearRegression(), frame, "price", calibration)
    new = frame[["size", "age"]]
    made = model.predict_table(new)["prediction"]
    low, high = model.predict_interval(new, 0.8)
    assert_array_equal([low, high], calibration.predict(made, 0.8))
    with pytest.raises(InputError, match="has prediction intervals; its task is reg"):
        model.predict_set(frame)


@pytest.mark.parametrize("learner", [DecisionTreeClassifier(max_depth=2), LinearSVC()])
def test_sets_of_a_loaded_model(frame, tmp_path, seed, learner):
    # Without probabilities, that of the predicted class is 1.
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet([1, 1], 80)
    calibration = ConformalSets.calibrate(shares, rng.integers(0, 2, 80))
    model = save(tmp_path / "m.skops", learner, frame, "kind", calibration)
    new = frame[["size", "age"]]
    sets = model.predict_set(new, 0.3)
    assert sets.shape == (80, 2) and sets.any(axis=1).all()
    made = model.predict_table(new)["prediction"].to_numpy()
    assert sets[np.arange(80), np.searchsorted(["cat", "dog"], made)].all()
    with pytest.raises(InputError, match="has prediction sets"):
        model.predict_interval(frame)


def test_models_without_calibration_refuse(frame, tmp_path):
    model = save(tmp_path / "m.skops", LinearRegression(), frame, "price")
    with pytest.raises(InputError, match="no calibration for intervals or sets"):
        model.predict_interval(frame)


def test_rows_unlike_those_of_training(frame, tmp_path):
    model = save(tmp_path / "m.skops", LinearRegression(), frame, "price")
    new = frame.head(3).assign(size=[0.0, 99.0, 0.0], other=1)
    result = model.find_unlike(new)
    assert result.unlike.tolist()[1] and result.columns == {"size": 1}


def test_columns_that_were_left_out_are_known(frame, tmp_path):
    data = from_frame(frame.assign(day=range(80)), "price", drop=["kind"])
    data = replace(data, X=data.X.drop(columns="day"), left_out=("kind", "day"))
    line = LinearRegression().fit(data.X, data.y)
    save_model(tmp_path / "m.skops", line, data, target="price")
    model = load_model(tmp_path / "m.skops")
    assert model.left_out == ("kind", "day")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        X = model.read_rows(frame.assign(day=0))
    assert list(X) == ["size", "age"]
    with pytest.warns(UserWarning, match="1 columns .* left out: 'odd'"):
        model.read_rows(frame.assign(day=0, odd=1))


def test_models_of_many_labels_have_no_intervals(frame, tmp_path):
    y = pd.DataFrame({"a": frame["age"] > 0, "b": frame["size"] > 0}).astype(int)
    data = Dataset("two", frame[["size", "age"]], y, "multilabel")
    tree = DecisionTreeClassifier().fit(data.X, y["a"])
    save_model(tmp_path / "m.skops", tree, data)
    model = load_model(tmp_path / "m.skops")
    for predict in (model.predict_interval, model.predict_set):
        with pytest.raises(InputError, match="of many labels have no intervals"):
            predict(frame)
