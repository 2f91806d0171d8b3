"""Bagging, random subspaces: bags, columns, out-of-bag answers, any estimator."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.datasets import make_friedman1
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

from manyminds.ensemble.bagging.bagging import BaggingClassifier, BaggingRegressor
from manyminds.ensemble.bagging.base import draw_bags
from manyminds.ensemble.bagging.random_oracle import (
    RandomOracleClassifier,
    RandomOracleRegressor,
)
from manyminds.trees.rep_tree import REPTreeClassifier, REPTreeRegressor

UNPRUNED = REPTreeRegressor(prune=False)


def make_numbers(seed, n_rows=100):
    X, y = make_friedman1(n_rows, noise=1.0, random_state=seed % 2**32)
    return np.round(100 * X[:, :6]), y


def bags_of(model, n_rows):
    """Draw again the bags that a model with all columns drew."""
    state = np.random.RandomState(model.random_state)
    return draw_bags(state, model.n_estimators, n_rows, np.ones(n_rows))


def test_members_equal_single_fits_on_their_bags(seed):
    X, y = make_numbers(seed)
    model = BaggingRegressor(UNPRUNED, 6, random_state=seed % 2**32).fit(X, y)
    bags = bags_of(model, len(X))
    members = model.predict_all(X)
    for bag, member, fitted in zip(bags, members, model.estimators_):
        alone = REPTreeRegressor(prune=False).fit(X, y, sample_weight=bag)
        assert_allclose(member, alone.predict(X))
        assert_array_equal(fitted.predict(X), member)
    assert_allclose(model.predict(X), members.mean(axis=0))


def test_members_with_oracles_equal_naive_ones(seed):
    X, y = make_numbers(seed)
    model = BaggingRegressor(
        RandomOracleRegressor(UNPRUNED), 5, random_state=seed % 2**32
    ).fit(X, y)
    for bag, member, oracle in zip(
        bags_of(model, len(X)), model.predict_all(X), model.estimators_
    ):
        # Twin: the nearest anchor in the bag's own scale, one tree per side.
        seen = X[bag > 0]
        span = np.where(np.ptp(seen, axis=0) > 0, np.ptp(seen, axis=0), np.inf)
        gaps = [(((X - a) / span) ** 2).sum(axis=1) for a in oracle.anchors_]
        side = gaps[1] < gaps[0] - 1e-9
        for one in (False, True):
            tree = REPTreeRegressor(prune=False)
            tree.fit(X, y, sample_weight=bag * (side == one))
            assert_allclose(member[side == one], tree.predict(X)[side == one])
        assert_array_equal(oracle.predict(X), member)


def test_out_of_bag_predictions_are_those_of_members_that_did_not_draw_a_row(seed):
    X, y = make_numbers(seed)
    for inside in (UNPRUNED, RandomOracleRegressor(UNPRUNED), LinearRegression()):
        model = BaggingRegressor(
            inside, 40, oob_score=True, random_state=seed % 2**32
        ).fit(X, y)
        in_bag = bags_of(model, len(X)) > 0
        members = np.ma.array(model.predict_all(X), mask=in_bag)
        assert_allclose(model.oob_prediction_, members.mean(axis=0))


@pytest.mark.parametrize(
    "inside", [UNPRUNED, RandomOracleRegressor(UNPRUNED), LinearRegression()]
)
def test_row_in_every_bag_has_no_out_of_bag_prediction(inside, seed, monkeypatch):
    X, y = make_numbers(seed, 30)
    model = BaggingRegressor(inside, 4, random_state=0).fit(X, y)
    draws = np.zeros((4, 30))
    draws[:, 0], draws[2:, 1] = 1, 1
    mean, n_out_of_bag = model._members.out_of_bag_mean(X, lambda some: draws[some])
    monkeypatch.setattr("manyminds.ensemble.base._BLOCK_CELLS", 50)
    again, _ = model._members.out_of_bag_mean(X, lambda some: draws[some])
    assert_array_equal(again, mean)
    members = model.predict_all(X)
    assert_array_equal(n_out_of_bag[:3], [0, 2, 4])
    expected = [np.nan, members[:2, 1].mean(), members[:, 2].mean()]
    assert_allclose(mean[:3, 0], expected)


def test_random_subspaces_see_half_the_columns(seed):
    X, y = make_numbers(seed)
    label = np.where(y > np.median(y), "high", "low")
    how = {"bootstrap": False, "max_features": 0.5, "random_state": seed % 2**32}
    for model, target in (
        (BaggingRegressor(UNPRUNED, 12, **how), y),
        (BaggingRegressor(LinearRegression(), 12, **how), y),
        (BaggingClassifier(REPTreeClassifier(), 12, **how), label),
        (BaggingClassifier(KNeighborsClassifier(3), 12, **how), label),
    ):
        model.fit(X, target)
        for t, seen in enumerate(model.estimators_features_):
            assert len(seen) == 3
            moved = X.copy()
            moved[:, np.setdiff1d(np.arange(6), seen)] = 0.0
            assert_array_equal(model.predict_all(moved)[t], model.predict_all(X)[t])
        assert len({tuple(seen) for seen in model.estimators_features_}) > 1


def test_any_estimator_takes_bags_as_repeated_rows(seed):
    X, y = make_numbers(seed)
    nearest = KNeighborsRegressor(1)
    model = BaggingRegressor(nearest, 5, random_state=seed % 2**32).fit(X, y)
    for bag, member in zip(bags_of(model, len(X)), model.predict_all(X)):
        assert_array_equal(member[bag > 0], y[bag > 0])


def test_classifier_predicts_the_mean_of_its_members(seed):
    X, y = make_numbers(seed)
    label = np.digitize(y, np.quantile(y, [0.3, 0.6]))
    for inside in (None, RandomOracleClassifier(REPTreeClassifier())):
        model = BaggingClassifier(inside, 40, oob_score=True, random_state=1)
        model.fit(X, label)
        members = [one.predict_proba(X) for one in model.estimators_]
        assert_allclose(model.predict_proba(X), np.mean(members, axis=0))
        assert model.predict_all(X).shape == (40, 100)
        assert 0.0 <= model.oob_score_ <= 1.0


def test_what_does_not_hang_together_is_refused():
    X, y = np.arange(8.0).reshape(4, 2), np.arange(4.0)
    with pytest.raises(ValueError, match=r"max_samples=0\.5 needs bootstrap"):
        BaggingRegressor(bootstrap=False, max_samples=0.5).fit(X, y)
    with pytest.raises(ValueError, match="oob_score=True needs bootstrap"):
        BaggingRegressor(bootstrap=False, oob_score=True).fit(X, y)


def test_share_of_rows_that_are_drawn(seed):
    X, y = make_numbers(seed)
    model = BaggingRegressor(LinearRegression(), 3, max_samples=0.25, random_state=0)
    assert model._get_n_draws(100, np.ones(100)) == 25
    assert model.set_params(max_samples=7)._get_n_draws(100, None) == 7
    assert np.isfinite(model.fit(X, y).predict(X)).all()


@pytest.mark.parametrize("inside", [None, LogisticRegression()])
def test_rows_of_weight_zero_have_no_effect_and_are_predicted(inside, seed):
    rng = np.random.default_rng(seed)
    X, weight = rng.normal(size=(60, 3)), rng.uniform(0.5, 2.0, size=60)
    weight[::4] = 0.0
    kept, y = weight > 0.0, X[:, 0] > 0.0
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    bagging = BaggingClassifier(inside, 10, oob_score=True, random_state=0)
    without = clone(bagging).fit(frame[kept], y[kept], weight[kept])
    bagging.fit(frame, y, weight)
    assert_array_equal(bagging.predict_proba(frame), without.predict_proba(frame))
    assert bagging.oob_score_ == without.oob_score_
    answer = bagging.oob_decision_function_
    assert_array_equal(answer[kept], without.oob_decision_function_)
    assert_allclose(answer[~kept], bagging.predict_proba(frame[~kept]))
