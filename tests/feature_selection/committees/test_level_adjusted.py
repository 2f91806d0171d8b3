"""Columns of many levels win only by what they say, not by their levels."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from manyminds.feature_selection import (
    CorrelationSelector,
    ForestGainSelector,
    InformationGainSelector,
    LevelAdjustedSelector,
    SSVSelector,
)

SELECTORS = [
    CorrelationSelector(2),
    SSVSelector(2),
    InformationGainSelector(n_features_to_select=2),
    ForestGainSelector(2, n_estimators=20),
]


def draw(seed):
    """Draw a number and a category that tell the class, and names that do not."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(120) % 2)
    X = pd.DataFrame({"noise": rng.normal(size=120)})
    X["size"] = rng.normal(size=120) + 2 * y
    X["hue"] = pd.Categorical(np.where(rng.random(120) < 0.1, "red", y.astype(str)))
    X["town"] = pd.Categorical(rng.integers(60, size=120).astype(str))
    X["key"] = pd.Categorical(rng.permutation(120).astype(str))
    return X, y


@pytest.mark.parametrize("selector", SELECTORS)
def test_names_of_rows_do_not_win(seed, selector):
    X, y = draw(seed)
    plain = selector.fit(X, y)
    assert "key" in plain.get_feature_names_out()  # this is what is mended
    adjusted = LevelAdjustedSelector(selector, 2, random_state=seed).fit(X, y)
    assert list(adjusted.get_feature_names_out()) == ["size", "hue"]


def test_numbers_and_two_levels_keep_their_scores(seed):
    X, y = draw(seed)
    X["two"] = pd.Categorical(np.where(np.arange(120) % 3, "a", "b"))
    plain = CorrelationSelector().fit(X, y).scores_
    adjusted = LevelAdjustedSelector(random_state=seed).fit(X, y)
    same = [0, 1, 5]
    assert_array_equal(adjusted.scores_[same], plain[same])
    assert np.all(adjusted.scores_[[3, 4]] < plain[[3, 4]])
    assert not np.isnan(adjusted.null_scores_).any()
    # Nothing to adjust: nothing is permuted.
    alone = LevelAdjustedSelector(random_state=seed).fit(X.iloc[:, same], y)
    assert np.isnan(alone.null_scores_).all()


def test_categories_alone(seed):
    X, y = draw(seed)
    X = X[["hue", "town", "key"]]
    adjusted = LevelAdjustedSelector(n_features_to_select=1, random_state=seed)
    assert list(adjusted.fit(X, y).get_feature_names_out()) == ["hue"]
