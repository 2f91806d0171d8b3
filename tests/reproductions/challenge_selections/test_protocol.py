"""Measures of a chain."""

import numpy as np
import pandas as pd
import pytest

from manyminds.datasets import Dataset
from manyminds.experiments.measures import Fold
from manyminds.experiments.splits import Split
from manyminds.reproductions.challenge_selections.protocol import (
    ChallengeMeasures,
)
from manyminds.reproductions.protocols.challenge_2003 import (
    make_models,
)


def test_measures_of_a_chain():
    # Feature 2 alone tells the classes; one of three test rows has the wrong one.
    rng = np.random.default_rng(0)
    y = np.array(["a", "b"] * 10 + ["a", "b", "b"])
    X = rng.normal(size=(23, 30))
    X[:, 2] = np.where(y == "a", -100.0, 100.0)
    X[22, 2] = -100.0
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(30)])
    data = Dataset("toy", frame, y, "classification")
    split = Split(0, 0, np.arange(20), np.arange(20, 23))
    chain = make_models("gisette-valid")["CC 700, RBF SVM"]
    chain.set_params(correlationselector__n_features_to_select=1)
    found = ChallengeMeasures()(chain, Fold(data, split, 0))
    assert found["error"] == pytest.approx(1 / 3)
    assert found["balanced_error"] == pytest.approx(1 / 4)
    assert found["n_features"] == 1
