"""Counts of blankets, errors of bagged trees, codes of categories."""

import numpy as np
import pandas as pd
from numpy.testing import assert_array_equal

from manyminds.datasets import Dataset
from manyminds.experiments.measures import Fold
from manyminds.experiments.splits import Split
from manyminds.feature_selection import FCBFSelector, IAMBSelector
from manyminds.reproductions.hybrid_causal_selection.protocol import (
    BaggedError,
    CountBlanket,
    code_categories,
)
from manyminds.reproductions.protocols.duangsoithong_2011 import make_lucas_population


def test_counts_of_a_blanket():
    data = make_lucas_population(3000)
    fold = Fold(data, Split(0, 0, np.arange(3000), np.arange(0)), 0)
    values = CountBlanket()(FCBFSelector(discretize=None), fold)
    assert values["n_selected"] == values["n_right"] + values["n_false"]
    assert values["misses"] == 5.0 - values["n_right"] + values["n_false"]


def test_errors_with_and_without_features():
    data = make_lucas_population(600)
    fold = Fold(data, Split(0, 0, np.arange(400), np.arange(400, 600)), 0)
    found = BaggedError(3)(IAMBSelector(), fold)
    assert found["n_selected"] >= 2.0 and found["error"] < 0.3
    nothing = BaggedError(3)(FCBFSelector(threshold=1.0), fold)
    assert nothing["n_selected"] == 0.0
    assert nothing["error"] == np.mean(np.asarray(fold.y_test) == 0)


def test_codes():
    X = pd.DataFrame({"a": pd.Categorical(["y", None, "n"]), "b": [1.0, 2.0, 3.0]})
    data = code_categories(Dataset("toy", X, np.array([0, 1, 0]), "classification"))
    assert len(set(data.X["a"])) == 3
    assert_array_equal(data.X["b"], [1.0, 2.0, 3.0])
