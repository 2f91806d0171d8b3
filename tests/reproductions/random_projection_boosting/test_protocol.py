"""Samples, categories and methods."""

import numpy as np
import pandas as pd
from numpy.testing import assert_array_equal

from manyminds.datasets import Dataset
from manyminds.reproductions.random_projection_boosting.protocol import (
    BASELINES,
    PROJECTED,
    PatternSamples,
    code_categories,
    make_methods,
)


def test_pattern_samples_train_by_class_and_test_on_all():
    y = np.repeat([0, 1], [300, 100])
    splits = list(PatternSamples(40, n_repeats=3).split(y, stratified=True))
    assert [split.repeat for split in splits] == [0, 1, 2]
    for split in splits:
        assert len(np.unique(split.train)) == 40 and y[split.train].sum() == 10
        assert_array_equal(split.test, np.arange(400))
    assert set(splits[0].train) != set(splits[1].train)


def test_categories_become_numbers_and_gaps_go():
    X = pd.DataFrame(
        {"hue": pd.Categorical(["x", "b", "o", "x"]), "size": [1.0, 2.0, 3.0, np.nan]}
    )
    coded = code_categories(Dataset("toy", X, np.array([0, 1, 0, 1]), "classification"))
    assert_array_equal(coded.X["hue"], [2.0, 0.0, 1.0])
    assert_array_equal(coded.y, [0, 1, 0])


def test_there_are_eleven_methods():
    methods = make_methods(penalty=5)
    assert set(methods) == {*BASELINES, *PROJECTED} and len(methods) == 11
    model = methods["RpBoost.super P"]
    assert (model.projection, model.n_components) == ("uniform", "super")
    assert (model.l2_regularization, model.learning_rate) == (5.0, 1.0)
    assert methods["LsBoost"].projection is None
