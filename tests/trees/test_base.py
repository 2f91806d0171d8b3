"""What trees and forests share: checks of the training set, weights, predictions."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn.exceptions import NotFittedError
from sklearn.utils import get_tags

from manyminds.trees import DecisionTreeClassifier, DecisionTreeRegressor

X = np.array([[0.0, 5.0], [1.0, 5.0], [2.0, 5.0], [3.0, 5.0]])


def test_worked_example():
    # One split at 1.5; on its right, classes "a" and "c" have equal shares.
    tree = DecisionTreeClassifier(max_depth=1).fit(X, ["b", "b", "c", "a"])
    expected = [[0, 1, 0], [0, 1, 0], [0.5, 0, 0.5], [0.5, 0, 0.5]]
    assert_allclose(tree.predict_proba(X), expected)
    assert_array_equal(tree.predict(X), ["b", "b", "a", "a"])  # the first of equals
    assert_array_equal(tree.apply(X), [1, 1, 2, 2])
    assert (tree.get_depth(), tree.get_n_leaves()) == (1, 2)
    assert_allclose(tree.feature_importances_, [1.0, 0.0])
    with np.errstate(divide="ignore"):
        assert_array_equal(tree.predict_log_proba(X), np.log(expected))


def test_rows_without_weight_are_absent():
    # Row 3 would make a third class of values, and column 0 another bin.
    tree = DecisionTreeClassifier().fit(X, [0, 1, 1, 1], sample_weight=[1, 2, 1, 0])
    without = DecisionTreeClassifier().fit(X[:3], [0, 1, 1], sample_weight=[1, 2, 1])
    assert_array_equal(tree.tree_.threshold, without.tree_.threshold)
    assert_array_equal(tree.tree_.n_samples, [3, 1, 2])
    assert_array_equal(tree._has_weight, [True, True, True, False])
    assert tree.fit(X, [0, 1, 1, 1])._has_weight is None


def test_means_are_paired_with_targets_of_rows_with_weight():
    tree = DecisionTreeRegressor().fit(X, np.arange(4.0), sample_weight=[1, 0, 1, 1])
    mean = np.array([[10.0], [11.0], [12.0], [13.0]])
    is_known = np.array([True, True, False, True])
    y, found = tree._pair_with_targets(np.array([0.0, 2.0, 3.0]), mean, is_known)
    assert_array_equal(y, [0.0, 3.0])
    assert_array_equal(found, [[10.0], [13.0]])


def test_weights_of_classes_multiply_those_of_rows():
    tree = DecisionTreeClassifier().fit(X, ["a", "a", "a", "b"])
    y, weight = np.array([0.0, 0.0, 0.0, 1.0]), np.array([1.0, 2.0, 3.0, 4.0])
    factor = {"a": 10.0, "b": 1.0}
    assert_allclose(tree._weigh_classes(y, weight, factor), [10, 20, 30, 4])
    assert_allclose(tree._weigh_classes(y, None, "balanced"), [2 / 3] * 3 + [2.0])
    assert tree._weigh_classes(y, weight, None) is weight


@pytest.mark.parametrize(
    "y, options, message",
    [
        (None, {}, "requires y to be passed, but the target y is None"),
        ([0, 1, 1], {}, "inconsistent numbers of samples"),
        ([0, 1, 1, 0], {"sample_weight": [0.0] * 4}, r"no positive weight|non-zero"),
        ([0, 1, 1, 0], {"sample_weight": [1.0, 1.0, 1.0, -1.0]}, "[Nn]egative"),
        ([0.5, 1.0, 1.0, 0.0], {}, "Unknown label type"),
    ],
)
def test_training_sets_that_cannot_be_read(y, options, message):
    with pytest.raises(ValueError, match=message):
        DecisionTreeClassifier().fit(X, y, **options)


def test_targets_of_regression_are_finite_numbers():
    with pytest.raises(ValueError, match="y contains NaN"):
        DecisionTreeRegressor().fit(X, [0.0, np.nan, 1.0, 2.0])
    tree = DecisionTreeRegressor().fit(X, np.array(["1", "2", "3", "4"], dtype=object))
    assert_allclose(tree.predict(X), [1.0, 2.0, 3.0, 4.0])


def test_sparse_tables_are_predicted_as_dense_ones():
    tree = DecisionTreeRegressor().fit(X, np.arange(4.0))
    assert get_tags(tree).input_tags.sparse and get_tags(tree).input_tags.allow_nan
    assert_array_equal(tree.predict(csr_array(X)), tree.predict(X))
    assert_array_equal(tree.apply(csr_array(X)), tree.apply(X))
    again = DecisionTreeRegressor().fit(csr_array(X), np.arange(4.0))
    assert_array_equal(again.tree_.threshold, tree.tree_.threshold)


def test_nothing_is_predicted_before_the_fit():
    for method in ("predict", "apply"):
        with pytest.raises(NotFittedError):
            getattr(DecisionTreeClassifier(), method)(X)
