"""Samples, counts and errors of filters."""

import numpy as np
import pandas as pd
from numpy.testing import assert_array_equal
from sklearn.feature_selection import VarianceThreshold

from manyminds.datasets import Dataset
from manyminds.experiments.measures import Fold
from manyminds.experiments.splits import Split
from manyminds.feature_selection.filters.fcbf import FCBFSelector
from manyminds.reproductions.entropy_filters.protocol import (
    CountSelected,
    FilteredErrors,
    Samples,
    number_columns,
)


def make_data(seed, n_samples=60):
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=n_samples)
    X = pd.DataFrame(rng.normal(size=(n_samples, 3)) + np.outer(y, [5, 0, 0]))
    X.columns = ["a", "b", "c"]
    return Dataset("toy", X, y, "classification")


def test_samples_of_tables_and_of_populations():
    small = list(Samples(3).split(np.zeros(200), True))
    assert all(len(one.train) == 200 and len(one.test) == 0 for one in small)
    first, second = Samples(2).split(np.zeros(10_000), True)
    assert len(np.intersect1d(first.train, second.train)) == 0
    assert len(Samples(7)) == 7


def test_counts_and_errors(seed):
    data = make_data(seed)
    split = Split(0, 0, np.arange(40), np.arange(40, 60))
    fold = Fold(data, split, 0)
    assert CountSelected()(FCBFSelector(), fold) == {"n_selected": 1.0}
    values = FilteredErrors(n_members=3)(FCBFSelector(), fold)
    assert set(values) == {"n_selected", "naive_bayes", "tree", "bagging"}
    assert values["naive_bayes"] <= 0.2
    assert FilteredErrors(3)(VarianceThreshold(), fold)["n_selected"] == 3.0


def test_a_filter_that_keeps_nothing_gives_its_best_feature(seed):
    data = make_data(seed)
    fold = Fold(data, Split(0, 0, np.arange(40), np.arange(40, 60)), 0)
    values = FilteredErrors(n_members=3)(FCBFSelector(threshold=1.0), fold)
    assert values["n_selected"] == 1.0
    assert values["naive_bayes"] <= 0.2


def test_categories_become_numbers():
    X = pd.DataFrame({"a": pd.Categorical(["0", "1", "0"])})
    data = Dataset("toy", X, np.array([0, 1, 0]), "classification")
    assert_array_equal(number_columns(data).X["a"], [0.0, 1.0, 0.0])
