"""Ensemble filters: two ways to count, thresholds, honest votes."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from manyminds.ensemble.committees.ensemble_filter import (
    EnsembleFilterClassifier,
    flag_outliers,
)
from manyminds.trees import DecisionTreeClassifier


def noisy(seed, n=200):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    X[:, 0] += np.where(X[:, 0] > 0, 1.0, -1.0)
    y = (X[:, 0] > 0).astype(int)
    flipped = np.sort(rng.permutation(n)[: n // 20])
    y[flipped] = 1 - y[flipped]
    return X, y, flipped


@pytest.mark.parametrize("T", [6, 7])
def test_sum_rule_and_count_rule_flag_the_same(seed, T):
    # Spec item 5: for labels and votes of -1 and 1.
    rng = np.random.default_rng(seed)
    y, votes = rng.choice([-1, 1], 300), rng.choice([-1, 1], (T, 300))
    n_wrong = np.sum(votes != y, axis=0)
    for least in range(1, T + 1):
        by_sum = y * votes.sum(axis=0) <= T - 2 * least
        assert_array_equal(flag_outliers(n_wrong, T, T, least), by_sum)


def test_thresholds_by_hand():
    wrong = np.arange(5)
    flags = {
        name: flag_outliers(wrong, 4, 4, name).tolist()
        for name in ("majority", "strict_majority", "consensus", 3, 0.25)
    }
    assert flags["majority"] == [False, False, True, True, True]
    assert flags["strict_majority"] == [False, False, False, True, True]
    assert flags["consensus"] == [False, False, False, False, True]
    assert flags[3] == flags["strict_majority"]
    assert flags[0.25] == [False, True, True, True, True]


def test_shares_of_fewer_judges():
    # 3 of 10 learners judged the row: 2 wrong are two thirds, more than 6 of 10.
    assert flag_outliers([2, 1, 0], [3, 3, 0], 10, 6).tolist() == [True, False, False]


def test_flipped_labels_are_found(seed):
    # Clearly separated classes. In 100 draws, at least 8 of the 10 flipped labels were
    # found, with at most 3 other rows, and the model had 98.5 % right.
    X, y, flipped = noisy(seed)
    model = EnsembleFilterClassifier(n_estimators=30, random_state=seed).fit(X, y)
    n_found = model.outliers_[flipped].sum()
    assert n_found >= 6
    assert model.outliers_.sum() - n_found <= 8
    assert np.mean(model.predict(X) == (X[:, 0] > 0)) > 0.94


def test_judges_have_not_seen_the_row(seed):
    # Trees that know every training row by heart still find strangers wrong.
    X, y, flipped = noisy(seed)
    model = EnsembleFilterClassifier(
        committee=DecisionTreeClassifier(), n_estimators=40, random_state=seed
    ).fit(X, y)
    assert np.mean(model.n_wrong_[flipped] / model.n_judges_[flipped]) > 0.5
    # Out of bag in (1 - 1/N)^N = 0.37 of 40 samples: 14.7, within 5 standard errors.
    assert abs(model.n_judges_.mean() - 14.7) < 1.0


def test_learners_of_several_kinds(seed):
    X, y, flipped = noisy(seed)
    learners = [LogisticRegression(), GaussianNB(), KNeighborsClassifier(5)]
    model = EnsembleFilterClassifier(
        committee=learners, n_splits=5, threshold="consensus", random_state=seed
    ).fit(X, y)
    assert_array_equal(model.n_judges_, 3)
    assert np.mean(model.outliers_[flipped]) > 0.8


def test_stricter_thresholds_drop_fewer(seed):
    X, y, _ = noisy(seed)
    counts = [
        EnsembleFilterClassifier(n_estimators=20, threshold=name, random_state=0)
        .fit(X, y)
        .outliers_.sum()
        for name in ("majority", "strict_majority", "consensus")
    ]
    assert counts == sorted(counts, reverse=True)


def test_no_class_is_lost():
    X = np.arange(60.0).reshape(-1, 1)
    y = (np.arange(60) == 30).astype(int)
    model = EnsembleFilterClassifier(n_estimators=20, random_state=0).fit(X, y)
    assert not model.outliers_[30]
