"""Importances of columns: which are taken, and of which samples."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsClassifier

from manyminds.ensemble import RandomForestClassifier, RandomForestRegressor
from manyminds.feature_selection.embedded.importances import (
    check_takes_weight,
    choose_importance,
    make_forest,
    measure_importances,
    read_importances,
    read_rows,
)


class Sums(ClassifierMixin, BaseEstimator):
    """A model whose importances are the weighted sums of the columns."""

    def __init__(self, categorical_features=None, random_state=None):
        self.categorical_features = categorical_features
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        weight = np.ones(len(X)) if sample_weight is None else sample_weight
        self.feature_importances_ = weight @ X
        if self.categorical_features is not None:
            self.feature_importances_[self.categorical_features] = -1.0
        return self


class Shuffled(Sums):
    """A model with an out-of-bag importance, as our forests have it."""

    def oob_permutation_importance(self, X, y, random_state):
        class Found:
            importances_mean = np.array([float(random_state), 2.0])
            importances_z = np.array([np.nan, np.inf])

        return Found


def measure(estimator, importance="gain", weight=None, is_categorical=(), **options):
    X = np.array([[1.0, 2.0], [3.0, 4.0]])
    mask = np.isin(np.arange(2), is_categorical)
    return measure_importances(
        estimator, importance, np.array([0, 1]), weight, X, mask, 7, **options
    )


def test_weights_and_categories_reach_the_model():
    assert_array_equal(measure(Sums()), [4.0, 6.0])
    assert_array_equal(measure(Sums(), weight=np.array([1.0, 10.0])), [31.0, 42.0])
    assert_array_equal(measure(Sums(), is_categorical=[1]), [4.0, -1.0])


def test_the_estimator_itself_is_not_fitted():
    model = Sums()
    measure(model, is_categorical=[0])
    assert not hasattr(model, "feature_importances_")
    assert model.categorical_features is None and model.random_state is None


def test_permutations_take_the_seed_and_unknown_errors_are_0():
    assert_array_equal(measure(Shuffled(), "permutation"), [7.0, 2.0])
    found = measure(Shuffled(), "permutation", in_errors=True)
    assert_array_equal(found, [0.0, np.inf])


def test_coefficients_are_summed_over_classes_by_size():
    model = LinearRegression()
    model.coef_ = np.array([1.0, -2.0])
    assert_array_equal(read_importances(model), [1.0, 2.0])
    model.coef_ = np.array([[1, -2], [-3, 4], [0, 0]])
    assert_array_equal(read_importances(model), [4.0, 6.0])
    with pytest.raises(ValueError, match="neither feature_importances_ nor coef_"):
        read_importances(KNeighborsClassifier())


def test_out_of_bag_importance_is_chosen_where_there_is_one():
    assert choose_importance("auto", Shuffled()) == "permutation"
    assert choose_importance("auto", Sums()) == "gain"
    assert choose_importance("gain", Shuffled()) == "gain"
    with pytest.raises(ValueError, match=r"importance='permutation' needs .*got Sums"):
        choose_importance("permutation", Sums())


def test_default_forests_suit_the_task():
    assert isinstance(make_forest(True, 5), RandomForestClassifier)
    forest = make_forest(False, 5, n_jobs=2)
    assert isinstance(forest, RandomForestRegressor)
    assert (forest.n_estimators, forest.n_jobs) == (5, 2)
    assert forest.max_features == pytest.approx(1 / 3)


def test_samples_without_weight_are_dropped():
    X, y = np.arange(8.0).reshape(4, 2), ["b", "a", "b", "c"]
    rows, codes, weight, classes = read_rows(Sums(), X, y, [1, 0, 2, 0], "auto")
    assert_array_equal(rows, X[[0, 2]])
    assert_array_equal(codes, [1, 1])
    assert_array_equal(weight, [1.0, 2.0])
    assert classes.tolist() == ["a", "b", "c"]
    # Equal weights are none: models draw other samples with weights than without.
    assert read_rows(Sums(), X, y, [1, 0, 1, 1], "auto")[2] is None


def test_wrong_weights_are_refused():
    X = np.zeros((3, 1))
    with pytest.raises(ValueError, match="Sums needs at least 2 samples; got n_sam"):
        read_rows(Sums(), X, [0, 1, 0], [1, 0, 0], "auto")
    check_takes_weight(KNeighborsClassifier(), None)
    check_takes_weight(Sums(), np.ones(3))
    with pytest.raises(ValueError, match="sample_weight was given, but estimator=KNe"):
        check_takes_weight(KNeighborsClassifier(), np.ones(3))
