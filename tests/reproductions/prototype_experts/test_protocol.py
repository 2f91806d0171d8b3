"""Data, models and measures of the paper on prototype-based experts."""

import numpy as np
import pandas as pd

from manyminds.datasets import Dataset
from manyminds.datasets.folder import DataFolder
from manyminds.experiments.measures import Fold
from manyminds.experiments.splits import CrossValidation
from manyminds.reproductions.prototype_experts.protocol import (
    CONTROL,
    FASTER,
    HME,
    MAX_ROWS,
    OVERLAPPING,
    ExpertMeasures,
    load,
    make_models,
)

COLUMNS = {"iris": 4, "letter": 16, "vowel": 11, "glass": 9}


def test_data_are_numbers(shared_data):
    find = DataFolder(shared_data).load
    for name, n_columns in COLUMNS.items():
        data = load(find, name)
        assert data.X.shape[1] == n_columns, name
        assert data.n_samples <= MAX_ROWS and (data.X.dtypes == np.float64).all()


def test_measures_and_the_control():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(80, 2)), columns=["a", "b"])
    data = Dataset("iris", X, (X["a"] > 0.0).to_numpy().astype(int), "classification")
    fold = Fold(data, next(CrossValidation(2).split(data.y, True)), 0)
    models = make_models(4)
    for name in (HME, OVERLAPPING, CONTROL):
        found = ExpertMeasures()(models[name].set_params(random_state=0), fold)
        assert found["passes"] == 4.0 and 0.0 < found["seconds"]
        assert found["seconds_per_pass"] == found["seconds"] / 4.0
        assert 0.0 <= found["accuracy"] <= 1.0
    assert models[FASTER].learning_rate == 2 * models[CONTROL].learning_rate
    gate = models[CONTROL].gate(X).reshape(80, 2, 3)
    assert np.ptp(gate, axis=2).max() < 1e-12  # experts of a module count the same
