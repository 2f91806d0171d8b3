"""FEA: slices of one column, and one model for each."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from manyminds.ensemble import FeatureSliceLocalClassifier
from manyminds.ensemble.experts.base import make_default_expert


def make_data(seed, n_samples=200):
    return make_classification(n_samples, 4, n_redundant=0, random_state=seed)


def test_item_1_one_slice_is_one_model(seed):
    X, y = make_data(seed)
    local = FeatureSliceLocalClassifier(n_regions=1).fit(X, y)
    expected = make_default_expert().fit(X, y).predict_proba(X)
    assert_array_equal(local.predict_proba(X), expected)


def test_item_3_boundaries():
    # Range 0 to 8, four slices: [0, 2), [2, 4), [4, 6), [6, 8].
    X = np.arange(9.0)[:, None]
    local = FeatureSliceLocalClassifier().fit(X, np.arange(9) % 2)
    assert_array_equal(local.edges_, [2, 4, 6])
    assert_array_equal(local.route(X), [0, 0, 1, 1, 2, 2, 3, 3, 3])
    assert_array_equal(local.n_rows_, [2, 2, 2, 3])
    assert_array_equal(local.route([[-1e9], [1e9]]), [0, 3])


def test_empty_slices_are_merged_with_the_nearest():
    X = np.array([0.0, 0.1, 0.2, 9.9, 10.0, 10.0])[:, None]
    local = FeatureSliceLocalClassifier(n_regions=5).fit(X, [0, 1, 0, 1, 0, 1])
    assert_array_equal(local.slices_, [0, 0, 0, 1, 1])
    assert_array_equal(local.n_rows_, [3, 3])


def test_item_4_affine_transforms_of_the_column_do_not_matter(seed):
    X, y = make_data(seed)
    moved = X.copy()
    moved[:, 0] = 8.0 * X[:, 0] + 3.0
    local = FeatureSliceLocalClassifier(DecisionTreeClassifier(random_state=0))
    first, second = local.fit(X, y).route(X), local.fit(moved, y).route(moved)
    assert_array_equal(first, second)
    order = np.random.default_rng(seed).permutation(len(X))
    local = FeatureSliceLocalClassifier(LogisticRegression(tol=1e-8))
    expected = local.fit(X, y).predict_proba(X)
    shuffled = local.fit(X[order], y[order]).predict_proba(X)
    assert_allclose(shuffled, expected, atol=1e-5)


def test_column_by_name_and_by_default():
    X, y = make_data(0)
    X[:, 0] = X[:, 0] > 0.0  # two values only
    frame = pd.DataFrame(X, columns=list("abcd"))
    assert FeatureSliceLocalClassifier().fit(X, y).feature_ == 1
    assert FeatureSliceLocalClassifier(feature="c").fit(frame, y).feature_ == 2
    assert FeatureSliceLocalClassifier(feature=3).fit(X, y).feature_ == 3
    with pytest.raises(ValueError, match=r"feature='z' is not a column .*'a', 'b'"):
        FeatureSliceLocalClassifier(feature="z").fit(frame, y)
    with pytest.raises(ValueError, match="feature=4 must be less than"):
        FeatureSliceLocalClassifier(feature=4).fit(X, y)


def test_missing_values_if_the_experts_take_them():
    X, y = make_data(0)
    X[::5, 0] = X[1::7, 2] = np.nan
    tree = DecisionTreeClassifier(random_state=0)
    local = FeatureSliceLocalClassifier(tree).fit(X, y)
    largest = np.bincount(local.route(X[~np.isnan(X[:, 0])])).argmax()
    assert (local.route(X[np.isnan(X[:, 0])]) == largest).all()
    assert local.score(X, y) > 0.9
    with pytest.raises(ValueError, match="NaN"):
        FeatureSliceLocalClassifier().fit(X, y)
