"""Boosted stumps, and a run over random subsets."""

import numpy as np
import pandas as pd
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from manyminds.analysis.correlation import correlation_score
from manyminds.datasets import Dataset, load_dataset
from manyminds.experiments.measures import Fold
from manyminds.reproductions.correlation_score.protocol import (
    SCORES,
    RankingRun,
    RealStumpBoost,
    SubsetSizes,
    normalize_rows,
)


def fold_of(data, size):
    return Fold(data, next(SubsetSizes((size,)).split(data.y, True)), 0)


def purity(side, label, weights):
    """Sum of squared class weights over the weight of a side, on both sides."""
    total = 0.0
    for one in (False, True):
        by_class = np.bincount(label[side == one], weights[side == one], minlength=3)
        total += (by_class**2).sum() / by_class.sum()
    return total


def test_boosting_is_samme_r_of_the_best_stumps(seed):
    # Replayed with the formulas of the paper; scikit-learn's stump may be another one,
    # but it cannot be better.
    rng = np.random.default_rng(seed)
    y = rng.integers(3, size=120)
    X = rng.normal(size=(120, 3)) + y[:, None]
    X_new = rng.normal(size=(50, 3)) + 1
    model = RealStumpBoost(15).fit(X, y)
    weights, total = np.full(120, 1 / 120), np.zeros((50, 3))
    coding = np.where(y[:, None] == np.arange(3), 1.0, -0.5)
    for column, threshold, *_ in model.stumps_:
        side, side_new = X[:, column] > threshold, X_new[:, column] > threshold
        theirs = DecisionTreeClassifier(max_depth=1).fit(X, y, weights).apply(X) == 2
        best = purity(theirs, y, weights)
        assert_allclose(purity(side, y, weights), best, rtol=1e-6)
        shares = np.array(
            [
                [weights[(side == s) & (y == k)].sum() for k in range(3)]
                for s in (False, True)
            ]
        )
        shares /= shares.sum(axis=1, keepdims=True)
        logs = np.log(np.maximum(shares, np.finfo(float).eps))
        total += 2 * (logs - logs.mean(axis=1, keepdims=True))[side_new.astype(int)]
        weights *= np.exp(-2 / 3 * (coding * logs[side.astype(int)]).sum(axis=1))
        weights /= weights.sum()
    assert len(model.stumps_) == 15
    assert_array_equal(model.predict(X_new), total.argmax(axis=1))


def test_boosting_merges_rows_that_are_alike(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(2, size=(80, 3)).astype(float), rng.integers(2, size=80)
    # Each row twice changes nothing but the weights' unit.
    once = RealStumpBoost(30).fit(X, y)
    twice = RealStumpBoost(30).fit(np.r_[X, X], np.r_[y, y])
    assert_array_equal(once.predict(X), twice.predict(X))


def test_boosting_stops_at_a_perfect_stump_and_without_columns():
    model = RealStumpBoost().fit([[0.0], [1.0], [2.0]], ["n", "n", "y"])
    assert len(model.stumps_) == 1 and model.stumps_[0][1] == 1.5
    assert_array_equal(model.predict([[-1.0], [9.0]]), ["n", "y"])
    constant = RealStumpBoost().fit(np.ones((3, 1)), [1, 0, 1])
    assert_array_equal(constant.predict([[5.0]]), [1])


def test_rows_get_length_one(seed):
    X = pd.DataFrame(np.random.default_rng(seed).normal(size=(5, 3)))
    data = Dataset("toy", X, np.arange(5), "classification")
    lengths = np.linalg.norm(normalize_rows(data).X, axis=1)
    assert_allclose(lengths, 1.0)


def test_sizes_beyond_the_columns_do_not_apply():
    values = RankingRun()(RealStumpBoost(2), fold_of(load_dataset("iris"), 4))
    assert set(values.values()) == {0.0}
    assert len(values) == 1 + 3 * len(SCORES)


def test_a_run_by_hand():
    # Two columns of four, scored and tested as the thesis says.
    X, y = load_iris(return_X_y=True)
    names = np.array(["x", "y", "z"])[y]
    frame = pd.DataFrame(X, columns=list("abcd"))
    data = Dataset("iris", frame, names, "classification")
    model = DecisionTreeClassifier(max_depth=2, random_state=0)
    subsets = [np.random.RandomState(q).permutation(4)[:2] for q in range(10)]
    scores, errors = [], []
    for one in subsets:
        folds = list(StratifiedKFold(5).split(X, y))
        scores.append(
            np.mean([correlation_score(X[t][:, one], y[t], "wilks") for t, _ in folds])
        )
        errors.append(
            np.mean(
                [
                    1 - model.fit(X[t][:, one], y[t]).score(X[s][:, one], y[s])
                    for t, s in folds
                ]
            )
        )
    values = RankingRun()(model, fold_of(data, 2))
    expected = np.corrcoef(scores, errors)[0, 1]
    assert_allclose(values["η² correlation"], expected, atol=1e-3)
    assert_allclose(values["η² range"], np.ptp(scores), atol=1e-3)
    assert values["applies"] == 1.0
