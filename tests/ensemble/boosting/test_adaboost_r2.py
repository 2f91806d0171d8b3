"""AdaBoost.R2: scikit-learn's answers, the paper's formulas, and how rounds end."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import make_friedman1
from sklearn.ensemble import AdaBoostRegressor
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsRegressor

from manyminds.ensemble.bagging.random_oracle import RandomOracleRegressor
from manyminds.ensemble.boosting.adaboost_r2 import (
    AdaBoostR2Regressor,
    weighted_median,
)
from manyminds.trees.rep_tree import REPTreeRegressor

LOSSES = {
    "linear": lambda e: e,
    "square": lambda e: e**2,
    "exponential": lambda e: 1 - np.exp(-e),
}


def make_numbers(seed, n_rows=80):
    return make_friedman1(n_rows, noise=1.0, random_state=seed % 2**32)


# Acceptance 6: the same draws, errors, weights and medians as scikit-learn's.
@pytest.mark.parametrize("loss", list(LOSSES))
@pytest.mark.parametrize("inside", [LinearRegression(), KNeighborsRegressor(3)])
def test_agrees_with_scikit_learn(seed, loss, inside):
    X, y = make_numbers(seed)
    X_new, _ = make_numbers(seed + 1)
    how = {"n_estimators": 12, "loss": loss, "random_state": seed % 2**32}
    theirs = AdaBoostRegressor(inside, **how).fit(X, y)
    ours = AdaBoostR2Regressor(inside, **how).fit(X, y)
    n = len(theirs.estimators_)
    assert len(ours.estimators_) == n
    assert_allclose(ours.estimator_errors_, theirs.estimator_errors_[:n])
    if n > 1:
        assert_allclose(ours.estimator_weights_, theirs.estimator_weights_[:n])
    assert_allclose(ours.predict(X_new), theirs.predict(X_new))
    for mine, other in zip(ours.staged_predict(X_new), theirs.staged_predict(X_new)):
        assert_allclose(mine, other)


# The version with weights, which scikit-learn lacks: a twin of the formulas.
@pytest.mark.parametrize("loss", list(LOSSES))
def test_weights_equal_a_naive_twin(seed, loss):
    X, y = make_numbers(seed)
    tree = REPTreeRegressor(prune=False, max_depth=3)
    ours = AdaBoostR2Regressor(tree, 8, loss=loss, resample=False, random_state=0)
    ours.fit(X, y)
    w, betas, answers = np.ones(len(y)), [], []
    for _ in range(8):
        p = w / w.sum()
        member = REPTreeRegressor(prune=False, max_depth=3)
        member.fit(X, y, sample_weight=p * len(y))
        e = np.abs(y - member.predict(X))
        L = LOSSES[loss](e / e.max())
        mean = (p * L).sum()
        if mean >= 0.5:
            break
        betas.append(mean / (1 - mean))
        answers.append(member.predict(X))
        w = w * betas[-1] ** (1 - L)
    assert_allclose(ours.estimator_weights_, np.log(1 / np.array(betas)))
    assert_allclose(ours.predict_all(X), answers)


def test_worked_example_of_the_median():
    values = np.array([[1.0, 5.0], [2.0, 1.0], [3.0, 3.0]])
    # Second row of weights sums to 4: half is reached by 1 (2), then 3 (3), then 5.
    assert_allclose(weighted_median(values, np.array([1.0, 2.0, 1.0])), [2.0, 1.0])
    assert_allclose(weighted_median(values, np.array([3.0, 1.0, 1.0])), [1.0, 5.0])


def test_median_equals_its_definition(seed):
    rng = np.random.default_rng(seed)
    values, weights = rng.normal(size=(9, 30)), rng.random(9)
    for column, median in zip(values.T, weighted_median(values, weights)):
        reached = [v for v in column if weights[column <= v].sum() >= weights.sum() / 2]
        assert median == min(reached)


def test_a_member_without_error_is_the_last():
    X, y = np.arange(20.0)[:, None], np.arange(20.0)
    exact = AdaBoostR2Regressor(LinearRegression(), resample=False, random_state=0)
    n_members = len(exact.fit(X, np.zeros(20)).estimators_)
    assert n_members == 1 and exact.estimator_weights_.tolist() == [1.0]
    assert_allclose(exact.fit(X, y).predict(X), y, atol=1e-9)


def test_a_member_with_too_large_an_error_is_kept_only_if_first():
    # The mean of -1 and 1 is 0: all errors are alike and the mean loss is 1.
    X, y = np.zeros((10, 1)), np.tile([-1.0, 1.0], 5)
    model = AdaBoostR2Regressor(loss="linear", resample=False).fit(X, y)
    assert len(model.estimators_) == 1
    assert_allclose(model.estimator_errors_, 1.0)
    assert_allclose(model.predict(X), 0.0)


@pytest.mark.parametrize("resample", [True, False])
def test_trees_and_oracles_are_kept_apart(seed, resample):
    X, y = make_numbers(seed)
    for inside in (REPTreeRegressor(), RandomOracleRegressor(REPTreeRegressor())):
        model = AdaBoostR2Regressor(
            inside, 15, resample=resample, random_state=seed % 2**32
        ).fit(X, y)
        one_by_one = np.array([member.predict(X) for member in model.estimators_])
        assert_allclose(model.predict_all(X), one_by_one)
        assert len(model.estimator_weights_) == len(one_by_one)


def test_rows_of_weight_zero_have_no_say(seed):
    X, y = make_numbers(seed)
    y[0] = 1e6
    weights = np.ones(len(y))
    weights[0] = 0.0
    model = AdaBoostR2Regressor(n_estimators=10, random_state=seed % 2**32)
    with_zero = model.fit(X, y, sample_weight=weights).predict(X[1:])
    assert with_zero.max() <= y[1:].max()
