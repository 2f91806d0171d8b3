"""Plain estimators pass every check, ours and scikit-learn's, and do what they say."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.linear_model import Ridge
from sklearn.neighbors import NearestCentroid
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from manyminds.testing import check_estimator
from manyminds.testing.plain import PlainClassifier, PlainRegressor, PlainTransformer

PLAIN = [PlainClassifier(), PlainRegressor(), PlainTransformer()]


@pytest.mark.slow
@pytest.mark.parametrize("estimator", PLAIN, ids=repr)
def test_plain_estimators_pass_all_of_our_checks(estimator):
    check_estimator(estimator)


@parametrize_with_checks(PLAIN)
def test_plain_estimators_pass_all_checks_of_scikit_learn(estimator, check):
    check(estimator)


def test_probabilities_worked_by_hand():
    # The means are 0 and 2: the squares of the distances of 0 are 0 and 4.
    model = PlainClassifier().fit([[-1], [1], [2]], ["a", "a", "b"])
    assert_allclose(model.means_, [[0.0], [2.0]])
    expected = np.array([1.0, np.exp(-4.0)]) / (1.0 + np.exp(-4.0))
    assert_allclose(model.predict_proba([[0.0]]), [expected])


def test_the_classifier_is_that_of_nearest_centroids(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(40, 3)), np.arange(40) % 4
    found = PlainClassifier().fit(X, y).predict(X)
    assert (found == NearestCentroid().fit(X, y).predict(X)).all()


def test_rows_without_weight_bring_no_class():
    model = PlainClassifier().fit([[0], [1], [2]], [0, 1, 2], sample_weight=[1, 2, 0])
    assert model.classes_.tolist() == [0, 1]


def test_the_regressor_is_ridge_regression(seed):
    rng = np.random.default_rng(seed)
    X, y, weights = rng.normal(size=(20, 3)), rng.normal(size=20), rng.uniform(size=20)
    ours = PlainRegressor(0.5).fit(X, y, weights)
    theirs = Ridge(0.5).fit(X, y, weights)
    assert_allclose(ours.coef_, theirs.coef_)
    assert_allclose(ours.intercept_, theirs.intercept_)


def test_the_transformer_centers_and_keeps_missing_values(seed):
    X = np.random.default_rng(seed).normal(size=(10, 2))
    X[3, 0] = np.nan
    theirs = StandardScaler(with_std=False).fit_transform(X)
    assert_allclose(PlainTransformer().fit_transform(X), theirs)


def test_parameters_are_named():
    with pytest.raises(ValueError, match="'n_estimators' parameter"):
        PlainClassifier(n_estimators=0).fit([[0], [1]], [0, 1])
    with pytest.raises(ValueError, match="'alpha' parameter"):
        PlainRegressor(alpha=-1).fit([[0], [1]], [0, 1])
