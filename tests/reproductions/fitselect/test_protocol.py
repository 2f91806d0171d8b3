"""Splits and measures of the paper on Fitselect."""

import numpy as np
import pandas as pd
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.datasets import Dataset
from manyminds.datasets.folder import DataFolder
from manyminds.experiments.measures import Fold
from manyminds.reproductions.fitselect.protocol import (
    POSITIVE,
    Halves,
    PruningMeasures,
    VotingForest,
)

TEST_ROWS = {  # of the paper, and how many of them are positive
    "musk1": (239, 104),
    "haberman": (154, 41),
    "leukemia": (37, 13),
    "madelon": (1300, 650),
    "diabetes": (384, 134),
    "spambase": (2301, 907),
    "wdbc": (285, 179),
}


def test_item_5_sizes_of_the_test_halves(shared_data):
    find = DataFolder(shared_data).load
    for name, expected in TEST_ROWS.items():
        y = np.asarray(find(name).y).astype(str)
        for half in Halves(2).split(y, stratified=True):
            found = len(half.test), int((y[half.test] == POSITIVE[name]).sum())
            assert found == expected, name
            assert_array_equal(np.sort(np.r_[half.train, half.test]), np.arange(len(y)))


def test_measures_and_votes():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3))
    y = np.where(X[:, 0] > 0, "B", "M")
    data = Dataset("wdbc", pd.DataFrame(X), y, "classification")
    fold = Fold(data, next(Halves(1).split(y, True)), 0)
    found = PruningMeasures()(VotingForest(10, random_state=0), fold)
    assert found["n_trees"] == 10 and 0.8 < found["accuracy"] <= 1.0
    forest = VotingForest(10, random_state=0).fit(X, y)
    shares = forest.predict_proba(X)[:, 0]
    assert_allclose(shares, np.mean(forest.predict_all(X) == "B", axis=0))
