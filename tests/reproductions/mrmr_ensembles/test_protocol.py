"""Selections and their stability."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from manyminds.datasets import Dataset
from manyminds.experiments.measures import Fold
from manyminds.experiments.splits import Split
from manyminds.feature_selection.filters.mrmr import MRMRSelector
from manyminds.reproductions.mrmr_ensembles.protocol import (
    PaperMRMR,
    SelectionStability,
)


def whole(data, seed=0):
    return Fold(data, Split(0, 0, np.arange(len(data.y)), np.arange(0)), seed)


def draw(seed, nominal):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(60, 15)), np.arange(60) % 2
    X[:, :5] += y[:, None]
    if nominal:
        X = 2.0 * (np.digitize(X, [-0.5, 0.5]) - 1.0)
    return Dataset("toy", pd.DataFrame(X), y, "classification")


@pytest.mark.parametrize("nominal", [False, True])
@pytest.mark.parametrize("ensemble", ["none", "inner", "fast", "bagged"])
def test_shorter_lists_are_those_of_shorter_searches(seed, nominal, ensemble):
    data = draw(seed, nominal)
    X, y = data.X.to_numpy(), data.y
    long = PaperMRMR(8, ensemble, 5, random_state=seed).fit(X, y)
    short = PaperMRMR(3, ensemble, 5, random_state=seed).fit(X, y)
    assert_array_equal(long.list_first(3), short.selector_.selected_)
    measure = "mutual_information" if nominal else "f"
    assert long.selector_.measures_[0] == measure


def test_three_bins_keep_three_levels(seed):
    data = draw(seed, nominal=True)
    X, y = data.X.to_numpy(), data.y
    expected = MRMRSelector(8, relevance="mutual_information", discretize=None)
    assert_array_equal(
        PaperMRMR(8).fit(X, y).list_first(8), expected.fit(X, y).selected_
    )


def test_stability_is_the_mean_jaccard_index_of_all_pairs(seed):
    # Who chooses all features always chooses the same. The five columns that go with
    # the class are not the only ones chosen among eight.
    fold = whole(draw(seed, nominal=False), seed)
    values = SelectionStability((8,))(PaperMRMR(15), fold)
    assert values["k=15"] == values["stability"] == 1.0
    assert 0.2 < values["k=8"] < 1.0
