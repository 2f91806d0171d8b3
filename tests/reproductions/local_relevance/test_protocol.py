"""Trials of the thesis on local relevance, and its forest of selected features."""

import numpy as np
from numpy.testing import assert_array_equal

from manyminds.datasets import make_simple
from manyminds.feature_selection.embedded.forest_gain_test import ForestGainTestSelector
from manyminds.reproductions.local_relevance.protocol import (
    SampledTrials,
    SelectedForest,
)
from manyminds.reproductions.protocols.rogers_2007 import ThesisForest


def test_trials_of_tables_and_of_populations():
    small = list(SampledTrials(3).split(np.zeros(208), True))
    assert [len(trial.test) for trial in small] == [21, 21, 21]
    one, other = SampledTrials(2).split(np.zeros(30_000), True)
    assert (len(one.train), len(one.test)) == (270, 30)
    assert len(np.intersect1d(one.train, other.train)) < 20
    assert len(SampledTrials(7)) == 7


def test_a_forest_of_selected_features(seed):
    X, y = make_simple(200, random_state=seed)
    selector = ForestGainTestSelector(30, gamma=1e-6)
    model = SelectedForest(selector, ThesisForest(9), random_state=seed).fit(X, y)
    kept = model.selector_.get_support()
    assert model.forest_.n_features_in_ == kept.sum() < 9
    assert_array_equal(model.predict(X), model.forest_.predict(X[:, kept]))
    assert model.predict_all(X).shape == (9, 200)


def test_trials_depend_on_their_number_alone():
    # The rows of a trial do not change when there are more trials.
    y = np.zeros(300)
    short, long = (list(SampledTrials(n).split(y, True)) for n in (2, 4))
    for one, other in zip(short, long):
        assert_array_equal(one.test, other.test)
        assert_array_equal(np.sort(np.r_[one.train, one.test]), np.arange(300))
    assert not np.array_equal(long[0].test, long[1].test)
    assert SampledTrials(2).describe() == SampledTrials(4).describe()
