"""Trials, tables, forest and measures of Rogers's thesis."""

import numpy as np
import pandas as pd
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.datasets import Dataset
from manyminds.experiments.measures import Fold
from manyminds.reproductions.protocols.rogers_2007 import (
    EnsembleMeasures,
    ThesisForest,
    Trials,
    code_votes,
    drop_incomplete,
)


def test_trials_of_tables_and_of_populations():
    small = list(Trials(3, 0.1).split(np.zeros(208), True))
    assert [len(trial.test) for trial in small] == [21, 21, 21]
    for trial in small:
        rows = np.sort(np.r_[trial.train, trial.test])
        assert_array_equal(rows, np.arange(208))
    one, other = list(Trials(2).split(np.zeros(4000), True))
    assert len(one.train) == 180 and len(one.test) == 20
    assert len(np.intersect1d(one.train, other.train)) < 60
    assert len(Trials(7)) == 7


def test_worked_example_of_the_measures():
    # Three members on four rows; the first two agree in all, the third is their mirror.
    class Fixed:
        def fit(self, X, y):
            return self

        def predict(self, X):
            return np.array([1, 1, 1, 0])

        def predict_all(self, X):
            return np.array([[1, 1, 1, 0], [1, 1, 1, 0], [0, 0, 0, 1]])

    X = pd.DataFrame({"x": np.arange(8.0)})
    data = Dataset("toy", X, np.ones(8, dtype=int), "classification")
    split = next(Trials(1, 0.5).split(data.y, True))
    values = EnsembleMeasures()(Fixed(), Fold(data, split, 0))
    assert values["error"] == 0.25
    assert_allclose(values["base_error"], (1 + 1 + 3) / 12)
    assert_allclose(values["q"], (1 - 1 - 1) / 3)


def test_votes_are_coded_and_gaps_dropped():
    X = pd.DataFrame({"bill": pd.Categorical(["y", "n", None])})
    data = Dataset("vote", X, np.array(["a", "b", "a"], dtype=object), "classification")
    assert_array_equal(code_votes(data).X["bill"], [1.0, -1.0, 0.0])
    assert drop_incomplete(data).n_samples == 2


def test_a_constant_feature_makes_a_leaf():
    # One feature of two is constant: half of the roots draw it and stay leaves.
    X = np.c_[np.arange(40.0), np.zeros(40)]
    y = (X[:, 0] > 19).astype(int)
    forest = ThesisForest(200, random_state=0).fit(X, y)
    share = np.mean(forest.trees_.node_counts == 1)
    assert 0.35 < share < 0.65
    votes = forest.predict_all(X).mean(axis=0)
    assert_allclose(forest.predict_proba(X)[:, 1], votes)
