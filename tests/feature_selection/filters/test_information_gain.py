"""The information gain filter: worked example, threshold and number, scikit-learn."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.feature_selection import mutual_info_classif

from manyminds.datasets import make_xor
from manyminds.feature_selection.filters.information_gain import (
    InformationGainSelector,
)

X = np.array([[0, 0, 5], [0, 1, 5], [1, 0, 5], [1, 1, 5]])


def test_worked_example():
    # The first column is the class, the second is independent, the third constant.
    selector = InformationGainSelector(discretize=None).fit(X, [0, 0, 1, 1])
    assert_allclose(selector.scores_, [1.0, 0.0, 0.0], atol=1e-12)
    assert_array_equal(selector.support_, [True, False, False])
    assert_array_equal(selector.ranking_, [1, 2, 3])


def test_gain_agrees_with_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(4, size=(80, 6)), rng.integers(3, size=80)
    ours = InformationGainSelector(discretize=None).fit(X, y).scores_
    theirs = mutual_info_classif(X, y, discrete_features=True) / np.log(2)
    assert_allclose(ours, theirs, atol=1e-10)


def test_ratios_divide_by_entropies():
    # Four levels for two classes: 1 bit of gain at a price of 2.
    x, y = np.array([[0], [1], [2], [3]]), [0, 0, 1, 1]
    scores = {
        name: InformationGainSelector(association=name, discretize=None).fit(x, y)
        for name in ("information_gain", "gain_ratio", "symmetrical_uncertainty")
    }
    found = [float(one.scores_[0]) for one in scores.values()]
    assert_allclose(found, [1.0, 0.5, 2.0 / 3.0])


def test_threshold_and_number_both_hold(seed):
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], 50)
    X = rng.normal(size=(100, 6)) + np.outer(y, [9, 8, 7, 0, 0, 0])
    assert InformationGainSelector(0.2).fit(X, y).support_[:3].all()
    two = InformationGainSelector(0.2, n_features_to_select=2).fit(X, y)
    assert two.support_.sum() == 2
    half = InformationGainSelector(0.2, n_features_to_select=0.5).fit(X, y)
    assert half.support_.sum() <= 3


def test_blind_to_exclusive_or():
    X, y = make_xor(None, n_irrelevant=1)
    assert not InformationGainSelector(discretize=None).fit(X, y).support_.any()
