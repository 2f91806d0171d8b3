"""Local relevance: the plane, the multiplexer, and what the selector makes of it."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.datasets import make_multiplexer, make_simple
from manyminds.ensemble import RandomForestClassifier
from manyminds.feature_selection.embedded.local_relevance import (
    LocalRelevance,
    relevance_matrix,
)


def make_plane(n_samples, seed):
    """Two uniform columns, and a border that crosses the square in its middle."""
    X = np.random.default_rng(seed).uniform(size=(n_samples, 2))
    return X, np.where(X[:, 1] > 2.5 * X[:, 0] - 0.75, 1, -1)


def test_relevance_in_the_plane(seed):
    # Acceptance item 4. Over 60 samples, the first feature's ratio was 1.5 to 2.6, with
    # mean 2.0 and deviation 0.2; the second's relevance is about 0 outside.
    X, y = make_plane(500, seed)
    relevance = LocalRelevance(random_state=seed).fit(X, y).relevance_
    middle = (X[:, 0] > 0.3) & (X[:, 0] < 0.7)
    inside, outside = relevance[middle].mean(axis=0), relevance[~middle].mean(axis=0)
    assert inside[1] > 2.0 * outside[1]
    assert outside[0] > 1.2 * inside[0]
    assert inside[1] - outside[1] > 0.08


def test_with_two_features_relevances_mirror_each_other(seed):
    # By the conservation of gains, sums over both features depend on class and bags
    # only: the parts that differ between rows of a class cancel out.
    X, y = make_plane(300, seed)
    relevance, counts = relevance_matrix(
        RandomForestClassifier(200, max_features=1, random_state=seed).fit(X, y), X, y
    )
    raw = relevance * counts
    for label in (-1, 1):
        some = raw[y == label]
        assert np.corrcoef(some.T)[0, 1] < -0.5
        assert some.sum(axis=1).std() < 0.5 * some.std(axis=0).min()


def test_relevance_in_a_multiplexer(seed):
    # Acceptance item 5: where the control bits say k, input k is the most relevant.
    X, y = make_multiplexer(2000, random_state=seed)
    relevance = LocalRelevance(random_state=seed).fit(X, y).relevance_
    control = (2 * X[:, 0] + X[:, 1]).astype(int)
    for k in range(4):
        assert relevance[control == k, 2:].mean(axis=0).argmax() == k


def test_the_selector_keeps_what_matters_on_average(seed):
    X, y = make_simple(300, random_state=seed)
    selector = LocalRelevance(2, random_state=seed).fit(X, y)
    assert_array_equal(selector.get_support(indices=True), [0, 1])
    assert_allclose(selector.scores_, selector.relevance_.mean(axis=0))
    assert selector.transform(X).shape == (300, 2)
    assert selector.counts_.shape == (300, 9)


def test_the_function_and_the_selector_agree(seed):
    X, y = make_plane(100, seed)
    selector = LocalRelevance(random_state=seed, unseen="mean").fit(X, y)
    relevance, counts = relevance_matrix(selector.forest_, X, y, unseen="mean")
    assert_array_equal(relevance, selector.relevance_)
    assert_array_equal(counts, selector.counts_)


def test_unseen_cells(seed):
    # One stump of a forest asks for one feature: all rows lack the other.
    X, y = make_plane(60, seed)
    forest = RandomForestClassifier(1, max_depth=1, random_state=seed).fit(X, y)
    relevance, counts = relevance_matrix(forest, X, y)
    f = forest.trees_.feature[0]
    assert not counts[:, 1 - f].any() and not relevance[:, 1 - f].any()
    out_of_bag = np.setdiff1d(np.arange(60), forest.estimators_samples_[0])
    assert not relevance[out_of_bag].any()
    filled, _ = relevance_matrix(forest, X, y, unseen="mean")
    seen = counts[:, f] > 0
    assert_allclose(filled[~seen, f], relevance[seen, f].mean())


def test_categories_are_features_like_others(seed):
    rng = np.random.default_rng(seed)
    letter = rng.choice(list("abcd"), size=200)
    X = pd.DataFrame({"noise": rng.normal(size=200), "letter": pd.Categorical(letter)})
    selector = LocalRelevance(1, random_state=seed).fit(X, np.isin(letter, ["b", "c"]))
    assert selector.get_feature_names_out().tolist() == ["letter"]


def test_weights_are_odds_and_weigh_scores(seed):
    X, y = make_plane(100, seed)
    weight = (np.arange(100) < 60).astype(float)
    selector = LocalRelevance(random_state=seed).fit(X, y, sample_weight=weight)
    assert not selector.counts_[60:].any()
    assert_allclose(selector.scores_, selector.relevance_[:60].mean(axis=0))


def test_wrong_arguments():
    X, y = make_plane(30, 0)
    forest = RandomForestClassifier(2).fit(X, y)
    with pytest.raises(ValueError, match="unseen must be"):
        relevance_matrix(forest, X, y, unseen="none")
    with pytest.raises(ValueError, match="forest must be a forest classifier"):
        relevance_matrix(X, X, y)
