"""Averaged n-dependence: naive twins, limits, missing values."""

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.naive_bayes import CategoricalNB

from manyminds.networks import AnDEClassifier, AODEClassifier, NaiveBayesClassifier


def draw(seed, n_samples=120, n_features=4):
    rng = np.random.default_rng(seed)
    X = rng.integers(3, size=(n_samples, n_features)).astype(float)
    y = (X[:, 0] + X[:, 1] + rng.integers(2, size=n_samples)) % 3
    return X, y.astype(int)


def average_naively(X, y, row, n, m=1.0):
    """Sum over all sets of n features, from the formulas, one row to predict."""
    classes, n_states = np.unique(y), X.max(axis=0).astype(int) + 1
    total = np.zeros(len(classes))
    n_used = 0
    for subset in combinations(range(X.shape[1]), n):
        same = (X[:, subset] == row[list(subset)]).all(axis=1)
        if same.sum() < 1:
            continue
        n_used += 1
        n_cells = np.prod(n_states[list(subset)]) * len(classes)
        for k, c in enumerate(classes):
            rows = same & (y == c)
            p = (rows.sum() + m / n_cells) / (len(X) + m)
            for f in set(range(X.shape[1])) - set(subset):
                hits = (X[rows, f] == row[f]).sum()
                p *= (hits + m / n_states[f]) / (rows.sum() + m)
            total[k] += p
    if n_used == 0:
        return average_naively(X, y, row, n - 1, m)
    return total / total.sum()


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_agrees_with_a_naive_twin(n, seed):
    X, y = draw(seed)
    model = AnDEClassifier(n, categorical_features=[0, 1, 2, 3]).fit(X, y)
    found = model.predict_proba(X[:20])
    expected = [average_naively(X, y, row, n) for row in X[:20]]
    assert_allclose(found, expected, rtol=1e-9)


def test_one_and_none_are_aode_and_naive_bayes(seed):
    X, y = draw(seed)
    every = [0, 1, 2, 3]
    for model, n in ((AODEClassifier, 1), (NaiveBayesClassifier, 0)):
        one = model(categorical_features=every).fit(X, y).predict_proba(X)
        other = AnDEClassifier(n, categorical_features=every).fit(X, y)
        assert_allclose(one, other.predict_proba(X))


def test_naive_bayes_is_that_of_scikit_learn(seed):
    # Theirs adds alpha to each cell, ours spreads it over the cells.
    X, y = draw(seed)
    ours = NaiveBayesClassifier(smoothing=3.0, categorical_features=[0, 1, 2, 3])
    theirs = CategoricalNB(alpha=1.0, class_prior=(np.bincount(y) + 1.0) / (len(y) + 3))
    ours.fit(X, y)
    assert_allclose(ours.predict_proba(X), theirs.fit(X, y).predict_proba(X))


def test_sets_that_were_never_seen_fall_back(seed):
    # Two columns, each pair of training rows unique; a new pair has no rows.
    X = np.array([[0, 0], [1, 1], [2, 2]] * 5, dtype=float)
    y = np.array([0, 1, 1] * 5)
    every = [0, 1]
    two = AnDEClassifier(1, min_rows=6, categorical_features=every).fit(X, y)
    zero = NaiveBayesClassifier(categorical_features=every).fit(X, y)
    assert_allclose(two.predict_proba(X), zero.predict_proba(X))


def test_missing_values_are_no_evidence(seed):
    X, y = draw(seed)
    every = [0, 1, 2, 3]
    model = NaiveBayesClassifier(categorical_features=every).fit(X, y)
    rows = X[:10].copy()
    rows[:, 2:] = np.nan
    less = NaiveBayesClassifier(categorical_features=[0, 1]).fit(X[:, :2], y)
    assert_allclose(model.predict_proba(rows), less.predict_proba(X[:10, :2]))
    nothing = model.predict_proba(np.full((1, 4), np.nan))[0]
    assert_allclose(nothing, (np.bincount(y) + 1 / 3) / (len(y) + 1))
    aode = AODEClassifier(categorical_features=every).fit(X, y)
    assert_allclose(aode.predict_proba(np.full((1, 4), np.nan))[0], nothing)
    unseen = aode.predict_proba([[9.0, 1.0, 1.0, 1.0]])
    assert_allclose(unseen, aode.predict_proba([[np.nan, 1.0, 1.0, 1.0]]))


def test_training_rows_with_missing_values_count_where_known(seed):
    X, y = draw(seed)
    more = np.vstack([X, np.full((30, 4), np.nan)])
    labels = np.append(y, np.repeat([0, 1, 2], 10))
    every = [0, 1, 2, 3]
    one = NaiveBayesClassifier(categorical_features=every).fit(X, y)
    two = NaiveBayesClassifier(categorical_features=every).fit(more, labels)
    ratio = two.predict_proba(X) / one.predict_proba(X)
    prior = (np.bincount(labels) + 1 / 3) / (np.bincount(y) + 1 / 3)
    ratio /= prior
    assert_allclose(ratio, ratio[:, :1] * np.ones(3))


def test_dependence_beats_naive_bayes():
    # Exclusive or: no column says anything alone, all pairs together everything.
    rng = np.random.default_rng(0)
    X = rng.integers(2, size=(400, 3)).astype(float)
    y = ((X[:, 0] + X[:, 1]) % 2).astype(int)
    every = [0, 1, 2]
    assert AnDEClassifier(2, categorical_features=every).fit(X, y).score(X, y) == 1.0
    assert AODEClassifier(categorical_features=every).fit(X, y).score(X, y) == 1.0
    naive = NaiveBayesClassifier(categorical_features=every).fit(X, y)
    assert naive.score(X, y) < 0.7


def test_too_many_counts_are_an_error():
    X = np.random.default_rng(0).integers(200, size=(300, 12)).astype(float)
    model = AnDEClassifier(2, categorical_features=np.ones(12, dtype=bool))
    with pytest.raises(ValueError, match="n=2 needs"):
        model.fit(X, np.arange(300) % 2)
