"""Counts and errors of filters."""

import numpy as np
import pandas as pd
from sklearn.feature_selection import VarianceThreshold

from manyminds.datasets import Dataset
from manyminds.experiments.measures import Fold
from manyminds.experiments.splits import Split
from manyminds.feature_selection.filters.fcbf import FCBFSelector
from manyminds.reproductions.entropy_filters.protocol import (
    CountSelected,
    FilteredErrors,
)


def make_data(seed, n_samples=60):
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=n_samples)
    X = pd.DataFrame(rng.normal(size=(n_samples, 3)) + np.outer(y, [5, 0, 0]))
    X.columns = ["a", "b", "c"]
    return Dataset("toy", X, y, "classification")


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
