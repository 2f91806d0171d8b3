"""DIVBOOST: a plain twin, outliers that lose their weight, more than two classes."""

from math import comb

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsRegressor

from manyminds.datasets.generators import make_friedman_classes
from manyminds.ensemble.boosting.boost_by_majority import BoostByMajorityClassifier
from manyminds.ensemble.boosting.div_boost import DivBoostClassifier
from manyminds.ensemble.boosting.resampled_adaboost import ResampledAdaBoostClassifier
from manyminds.trees.mdl_tree import MDLTreeClassifier


def plain_div_boost(X, y, n_estimators, weighting, seed):
    """Algorithm 1 with t in place of T, for labels 0 and 1; whole-number weights."""
    rng, n = np.random.RandomState(seed), len(y)
    weights, right, trees = np.full(n, 1 / n), np.zeros(n, int), []
    for t in range(1, n_estimators + 1):
        rows = rng.choice(n, size=n, p=weights)
        rng.randint(2**31 - 1)  # a seed that this tree has no use for
        tree = MDLTreeClassifier().fit(X[rows], y[rows])
        trees.append(tree)
        right += tree.predict(X) == y
        if weighting == "w1":
            w = [sum(comb(t, j) for j in range(min(h, t - h) + 1)) for h in right]
        else:
            w = [comb(t, h) for h in right]
        weights = np.array(w, dtype=float)
        weights /= weights.sum()
    return trees, weights, right


@pytest.mark.parametrize("weighting", ["w1", "w2"])
def test_plain_twin(seed, weighting):
    X, y = make_friedman_classes(120, random_state=seed)
    trees, weights, right = plain_div_boost(X, y, 12, weighting, seed)
    boost = DivBoostClassifier(None, 12, weighting=weighting, random_state=seed)
    boost.fit(X, y)
    X_new, _ = make_friedman_classes(300, random_state=seed + 1)
    assert_array_equal(boost.n_right_, right)
    assert_allclose(boost.sample_weights_, weights)
    assert_array_equal(
        boost.predict_all(X_new), [tree.predict(X_new) for tree in trees]
    )
    votes = np.mean([tree.predict(X_new) for tree in trees], axis=0)
    assert_array_equal(boost.predict(X_new), votes > 0.5)


def noisy_plane(seed, n=400):
    """Two classes on either side of a line, and 10 % of the labels turned round."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(size=(n, 2))
    distance = (X[:, 0] + X[:, 1] - 1.0) / np.sqrt(2.0)
    flipped = rng.permutation(n) < n // 10
    return X, ((distance > 0) ^ flipped).astype(int), distance, flipped


def test_outliers_lose_their_weight_and_gain_it_in_adaboost(seed):
    # Spec item 2. In 20 sets of four draws the mean weight of rows flipped far from the
    # border was at most 0.11 of that of clean rows near it, and in AdaBoost at least
    # 2.46 of it.
    tree = MDLTreeClassifier(feature_cost="none", max_depth=3)
    models = {
        "w1": DivBoostClassifier(tree, 60),
        "w2": DivBoostClassifier(tree, 60, weighting="w2"),
        "AdaBoost": ResampledAdaBoostClassifier(tree, 60),
    }
    sums = {name: np.zeros(2) for name in models}
    for i in range(4):
        X, y, distance, flipped = noisy_plane(seed + i)
        far = flipped & (np.abs(distance) > 0.2)
        near = ~flipped & (np.abs(distance) < 0.05)
        for name, model in models.items():
            weights = model.set_params(random_state=i).fit(X, y).sample_weights_
            sums[name] += weights[far].mean(), weights[near].mean()
    assert sums["w1"][0] < sums["w1"][1]
    assert sums["w2"][0] < sums["w2"][1]
    assert sums["AdaBoost"][0] > sums["AdaBoost"][1]


def test_only_undecided_rows_are_left_in_remove_mode():
    # One column that tells the classes apart: all votes agree, at one half after the
    # first, 1/4, 1/8, 1/16, 1/32 < 0.05 after the fifth. Then nothing is left to draw.
    X = np.arange(60.0).reshape(-1, 1)
    y = (X[:, 0] >= 30).astype(int)
    far = np.delete(np.arange(60), np.arange(20, 40))
    boost = DivBoostClassifier(None, 50, mode="remove", random_state=0)
    boost.fit(X[far], y[far])
    assert len(boost.estimators_) == 5
    assert_allclose(boost.sample_weights_, 1 / len(far))


def test_removed_rows_are_not_drawn(seed):
    X, y, _, _ = noisy_plane(seed)
    boost = DivBoostClassifier(None, 20, mode="remove", threshold=0.2)
    weights = boost.set_params(random_state=seed).fit(X, y).sample_weights_
    doubtful = np.minimum(boost.n_right_, boost.n_runner_up_)
    assert_array_equal(weights > 0, doubtful >= doubtful[weights > 0].min())
    assert len(np.unique(weights)) == 2


def test_thousands_of_votes_do_not_overflow():
    # All of one mind, right or wrong, or all but one: 3001 times as many ways.
    weigh = DivBoostClassifier()._weigh
    assert_allclose(weigh(np.array([0, 3000]), np.array([3000, 0])), 1.0)
    one_off = weigh(np.array([1, 3000]), np.array([2999, 0]))
    assert_allclose(one_off, [1.0, 1 / 3001], rtol=1e-6)


def test_more_classes_are_duels_with_the_strongest_rival(seed):
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    boost = DivBoostClassifier(None, 25, random_state=seed).fit(X, names)
    said = boost.predict_all(X)
    counts = np.stack([(said == c).sum(axis=0) for c in boost.classes_], axis=1)
    assert_array_equal(boost.n_right_, counts[np.arange(150), y])
    counts[np.arange(150), y] = 0
    assert_array_equal(boost.n_runner_up_, counts.max(axis=1))
    assert boost.score(X, names) > 0.9


def test_bags_of_one_class_and_any_learner(seed):
    # With three rows of a class, many bags have none of them.
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(30, 2))
    y = np.r_[np.zeros(27), np.ones(3)]
    boost = DivBoostClassifier(LogisticRegression(), 15, random_state=seed).fit(X, y)
    assert len(boost.estimators_) == 15
    assert set(boost.predict(X)) <= {0.0, 1.0}


def test_sample_weights_are_odds(seed):
    # Rows without weight are never drawn: what they are called does not matter.
    X, y, _, _ = noisy_plane(seed)
    weights = (np.arange(len(y)) % 3 > 0).astype(float)
    other = np.where(weights > 0, y, 1 - y)
    predictions = [
        DivBoostClassifier(None, 10, random_state=0).fit(X, z, weights).predict(X)
        for z in (y, other)
    ]
    assert_array_equal(*predictions)


@pytest.mark.parametrize("inside", [MDLTreeClassifier(max_bins=8), GaussianNB()])
@pytest.mark.parametrize(
    "make",
    [DivBoostClassifier, ResampledAdaBoostClassifier, BoostByMajorityClassifier],
)
def test_rows_of_weight_zero_shape_nothing_and_keep_their_place(make, inside, seed):
    X, y, _, _ = noisy_plane(seed)
    weights = np.random.default_rng(seed).uniform(0.5, 2.0, size=len(y))
    weights[::3] = 0.0
    kept = weights > 0.0
    X[~kept] *= 9.0
    boost = make(inside, 8, random_state=0)
    without = clone(boost).fit(X[kept], y[kept], weights[kept])
    boost.fit(X, y, weights)
    assert_allclose(boost.predict_proba(X), without.predict_proba(X), rtol=1e-9)
    assert_array_equal(boost.sample_weights_[~kept], 0.0)
    assert_allclose(boost.sample_weights_[kept], without.sample_weights_, rtol=1e-9)
    if hasattr(boost, "n_right_"):
        right = [member.predict(X) == y for member in boost.estimators_]
        assert_array_equal(boost.n_right_, np.sum(right, axis=0))


def test_gaps_are_for_members_that_take_them(seed):
    X, y, _, _ = noisy_plane(seed)
    X[::7, 0] = np.nan
    assert DivBoostClassifier(None, 10, random_state=0).fit(X, y).score(X, y) > 0.6
    with pytest.raises(ValueError, match="NaN"):
        DivBoostClassifier(LogisticRegression(), 3).fit(X, y)


def test_errors_name_what_is_wrong():
    X, y = [[0.0], [1.0]], [0, 1]
    with pytest.raises(ValueError, match="estimator must be a classifier"):
        DivBoostClassifier(KNeighborsRegressor()).fit(X, y)
    with pytest.raises(ValueError, match="'weighting' parameter"):
        DivBoostClassifier(weighting="w3").fit(X, y)
