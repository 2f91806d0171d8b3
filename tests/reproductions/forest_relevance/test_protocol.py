"""Trials, measures and noisy forests of the thesis on feature relevance."""

import numpy as np
import pandas as pd
from numpy.testing import assert_array_equal
from sklearn.base import clone

from manyminds.datasets import Dataset
from manyminds.datasets.generators import make_simple
from manyminds.experiments.measures import Fold
from manyminds.experiments.splits import Split
from manyminds.feature_selection.embedded.forest_gain_threshold import (
    ForestGainThresholdSelector,
)
from manyminds.reproductions.forest_relevance.protocol import (
    ForestMeasures,
    NoisyForest,
    OutOfBagForest,
    SampleTrials,
    select_first,
)


def make_fold(seed, n_rows=270, n_new=1000):
    X, y = make_simple(n_rows + n_new, random_state=seed)
    data = Dataset("simple", pd.DataFrame(X), y, "classification")
    rows = Split(0, 0, np.arange(n_rows), np.arange(n_rows, n_rows + n_new))
    return Fold(data, rows, 0)


def test_trials_of_tables_and_of_samples():
    first, second = list(SampleTrials(2).split(np.zeros(208), True))
    assert len(first.test) == len(second.test) == 21
    assert_array_equal(np.sort(np.r_[first.train, first.test]), np.arange(208))
    assert np.any(first.test != second.test)
    _, second = list(SampleTrials(2).split(np.zeros(20_000), True))
    rows = np.sort(np.r_[second.train, second.test])
    assert_array_equal(rows, np.arange(200, 400))  # the second sample, and no other
    assert len(SampleTrials(7)) == 7


def test_measures_of_a_selected_forest(seed):
    fold = make_fold(seed)
    model = select_first(
        ForestGainThresholdSelector(20, random_state=0), OutOfBagForest(20)
    )
    values = ForestMeasures()(model, fold)
    assert values["n_features"] == model[0].support_.sum()
    assert values["n_nodes"] == model[-1].trees_.node_counts.mean()
    expected = np.mean(model.predict(fold.X_test) != fold.y_test)
    assert values["error"] == expected
    assert values["oob_error"] == 1 - model[-1].oob_score_
    assert clone(model[-1]).fit(fold.X_train, fold.y_train).oob_score_ > 0.5


def test_noise_is_drawn_anew_for_new_rows(seed):
    fold = make_fold(seed, 60, 10)
    model = NoisyForest(5, 10, random_state=seed).fit(fold.X_train, fold.y_train)
    assert model.trees_.n_features == 14
    assert model.predict(fold.X_test).shape == (10,)
