"""Comparisons see differences, and only those."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.cluster import DBSCAN
from sklearn.linear_model import LogisticRegression
from sklearn.multioutput import MultiOutputClassifier
from sklearn.preprocessing import OneHotEncoder

from manyminds.testing.outputs import (
    assert_same,
    assert_sound,
    depends_on_seed,
    fitted_values,
    outputs,
)
from manyminds.testing.plain import PlainClassifier

X = np.array([[0.0], [1.0], [2.0], [3.0]])
Y = np.array([0, 0, 1, 1])


def test_every_answer_is_gathered():
    found = outputs(LogisticRegression().fit(X, Y), X)
    assert set(found) == {"predict", "predict_proba", "decision_function"}


def test_lists_sparse_matrices_and_labels_become_arrays():
    several = MultiOutputClassifier(LogisticRegression()).fit(X, np.c_[Y, 1 - Y])
    assert {"predict_proba[0]", "predict_proba[1]"} < set(outputs(several, X))
    coded = outputs(OneHotEncoder().fit(X), X)["transform"]
    assert not sparse.issparse(coded)
    assert coded.shape == (4, 4)
    assert set(outputs(DBSCAN().fit(X), X)) == {"labels_"}


def test_what_was_learnt_is_numbers_and_public():
    fitted = PlainClassifier().fit(X, Y)
    fitted.fit_time_, fitted.name_, fitted._secret_ = 0.1, "a", 1.0
    assert set(fitted_values(fitted)) == {"classes_", "means_", "n_features_in_"}


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (np.array([1.0, np.nan]), np.array([1.0, np.nan])),
        (np.array(["a", "b"]), np.array(["a", "b"], dtype=object)),
        (np.array([1, 2]), np.array([1, 2], dtype=np.int8)),
    ],
)
def test_equal_arrays_pass(left, right):
    assert_same({"a": left}, {"a": right}, "now")


@pytest.mark.parametrize(
    ("left", "right", "message"),
    [
        (np.array([1.0, np.nan]), np.array([1.0, 2.0]), "differs in 1 of 2 values"),
        (np.array([1.0]), np.array([1.0 + 1e-15]), "by 1.11e-15 at most"),
        (np.array(["a"]), np.array(["b"]), "differs in 1 of 1 values: now"),
        (np.zeros(2), np.zeros((2, 1)), r"has shape \(2,\) rather than \(2, 1\)"),
    ],
)
def test_unequal_arrays_do_not(left, right, message):
    with pytest.raises(AssertionError, match=message):
        assert_same({"a": left}, {"a": right}, "now")


def test_missing_answers_are_a_difference():
    with pytest.raises(AssertionError, match="rather than"):
        assert_same({}, {"predict": np.zeros(2)}, "now")


def test_tolerance_is_relative_to_the_largest_value():
    close = {"a": np.array([1000.0, 1e-6])}, {"a": np.array([1000.0, 0.0])}
    assert_same(*close, "now", tolerance=1e-8)
    with pytest.raises(AssertionError, match="differs"):
        assert_same(*close, "now", tolerance=1e-10)


@pytest.mark.parametrize(
    ("classes", "message"),
    [([3, 4], None), ([3, np.nan], "not in classes_"), ([3, 4, 5], "has shape")],
)
def test_sound_answers_name_known_classes(classes, message):
    class Spoilt(PlainClassifier):
        def predict(self, X):
            return np.where(self.predict_proba(X)[:, 0] > 0.5, 3, 4)

    fitted = Spoilt().fit(X, Y + 3)
    fitted.classes_ = np.array(classes)
    if message is None:
        assert_sound(fitted, X, "now")
    else:
        with pytest.raises(AssertionError, match=message):
            assert_sound(fitted, X, "now")


def test_dependence_on_the_seed_is_seen():
    def make(seed, share):
        fitted = PlainClassifier().fit(X, Y)
        fitted.means_ = fitted.means_ + share * seed
        return fitted

    assert depends_on_seed(lambda seed: make(seed, 0.1), X)
    assert not depends_on_seed(lambda seed: make(seed, 0.0), X)
