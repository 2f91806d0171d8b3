"""Random oracles: disjoint sides, one model per row, and the same truth on both."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.datasets import make_friedman1
from sklearn.ensemble import AdaBoostRegressor
from sklearn.ensemble import BaggingRegressor as TheirBaggingRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from manyminds.analysis.diversity_error import measure_diversity_error
from manyminds.ensemble.bagging.bagging import BaggingRegressor
from manyminds.ensemble.bagging.iterated_bagging import IteratedBaggingRegressor
from manyminds.ensemble.bagging.random_oracle import (
    RandomOracleClassifier,
    RandomOracleRegressor,
)
from manyminds.ensemble.boosting.adaboost_r2 import AdaBoostR2Regressor
from manyminds.trees.decision_tree import DecisionTreeClassifier
from manyminds.trees.rep_tree import REPTreeRegressor

UNPRUNED = REPTreeRegressor(prune=False)


class Remember(RegressorMixin, BaseEstimator):
    """Learn nothing but which rows came."""

    def fit(self, X, y):
        self.rows_, self.asked_ = np.asarray(y), []
        return self

    def predict(self, X):
        self.asked_.append(np.asarray(X))
        return np.full(len(X), self.rows_.mean())


def make_numbers(seed, n_rows=120):
    return make_friedman1(n_rows, n_features=6, noise=1.0, random_state=seed % 2**32)


# Acceptance 2: disjoint, all rows, with the anchors; one model per row is asked.
def test_sides_share_the_rows_and_one_model_answers(seed):
    X, _ = make_numbers(seed)
    number = np.arange(len(X), dtype=float)
    oracle = RandomOracleRegressor(Remember(), random_state=seed % 2**32)
    oracle.fit(X, number)
    first, second = (member.rows_.astype(int) for member in oracle.estimators_)
    assert_array_equal(np.sort(np.append(first, second)), np.arange(len(X)))
    for side, rows in enumerate((first, second)):
        anchor = np.flatnonzero((X == oracle.anchors_[side]).all(axis=1))
        assert np.isin(anchor, rows).all()
        assert_array_equal(oracle.decide(X[rows]), side)
    oracle.predict(X)
    n_asked = [sum(map(len, member.asked_)) for member in oracle.estimators_]
    assert n_asked == [len(first), len(second)]


# The trees of both sides, grown at once, are those grown one by one on the rows.
def test_grown_at_once_equals_one_by_one(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 50, size=(150, 4)).astype(float)
    y = X[:, 0] + 20.0 * (X[:, 1] > 20) + rng.normal(size=150)
    X_new = rng.integers(0, 50, size=(60, 4)).astype(float)
    oracle = RandomOracleRegressor(UNPRUNED, random_state=seed % 2**32).fit(X, y)
    side, side_new = oracle.decide(X), oracle.decide(X_new)
    for one, member in enumerate(oracle.estimators_):
        alone = REPTreeRegressor(prune=False).fit(X[side == one], y[side == one])
        rows = X_new[side_new == one]
        if len(rows) > 0:
            assert_allclose(member.predict(rows), alone.predict(rows))
            assert_allclose(oracle.predict(rows), alone.predict(rows))


# Acceptance 3: a model that is exact on any rows is not changed by the oracle.
def test_exact_models_stay_exact(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(200, 3))
    y = X @ [1.0, -2.0, 0.5] + 3.0
    X_new = rng.normal(size=(50, 3))
    oracle = RandomOracleRegressor(
        LinearRegression(), min_samples_side=5, random_state=seed % 2**32
    )
    expected = LinearRegression().fit(X, y).predict(X_new)
    assert_allclose(oracle.fit(X, y).predict(X_new), expected)


# Acceptance 4: without an oracle, unpruned trees are one tree; with it, they differ.
def test_randomization_needs_something_random(seed):
    X, y = make_numbers(seed)
    how = {"n_estimators": 10, "bootstrap": False, "random_state": seed % 2**32}
    plain = BaggingRegressor(UNPRUNED, **how).fit(X, y)
    tree = REPTreeRegressor(prune=False).fit(X, y)
    for member in plain.predict_all(X):
        assert_array_equal(member, tree.predict(X))
    oracles = BaggingRegressor(RandomOracleRegressor(UNPRUNED), **how).fit(X, y)
    assert len(np.unique(oracles.predict_all(X), axis=0)) > 1
    pruned = BaggingRegressor(REPTreeRegressor(), **how).fit(X, y)
    assert len(np.unique(pruned.predict_all(X), axis=0)) > 1


# Acceptance 5: few rows, equal rows, constant columns, every kind of ensemble.
@pytest.mark.parametrize(
    "inside", [UNPRUNED, REPTreeRegressor(), KNeighborsRegressor(1), None]
)
@pytest.mark.parametrize(
    "ensemble",
    [
        TheirBaggingRegressor,
        AdaBoostRegressor,
        AdaBoostR2Regressor,
        BaggingRegressor,
        IteratedBaggingRegressor,
    ],
)
def test_works_within_ensembles_on_six_rows(seed, inside, ensemble):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(6, 3)), rng.normal(size=6)
    model = ensemble(RandomOracleRegressor(inside), n_estimators=4, random_state=0)
    tables = {"plain": X, "constant column": X * [1, 0, 1], "equal rows": 0 * X}
    for table in tables.values():
        answer = model.fit(table, y).predict(table)
        assert np.all((answer >= y.min() - 1e-9) & (answer <= y.max() + 1e-9)) or (
            ensemble is IteratedBaggingRegressor and np.isfinite(answer).all()
        )


def test_equal_rows_get_one_model():
    X, y = np.ones((5, 2)), np.arange(5.0)
    for inside in (UNPRUNED, LinearRegression()):
        oracle = RandomOracleRegressor(inside, random_state=0).fit(X, y)
        assert len(oracle.estimators_) == 1 and np.isnan(oracle.anchors_).all()
        assert_allclose(oracle.predict([[1.0, 1.0], [7.0, -3.0]]), [2.0, 2.0])


def test_subspaces_keep_the_oracle_in_the_subspace(seed):
    X, y = make_numbers(seed)
    model = BaggingRegressor(
        RandomOracleRegressor(UNPRUNED), 8, bootstrap=False, max_features=0.5,
        random_state=seed % 2**32,
    ).fit(X, y)  # fmt: skip
    moved = X.copy()
    for t, seen in enumerate(model.estimators_features_):
        hidden = np.setdiff1d(np.arange(6), seen)
        moved[:] = X
        moved[:, hidden] = 0.5
        assert_array_equal(model.predict_all(moved)[t], model.predict_all(X)[t])


def test_categories_count_in_the_distance(seed):
    # The only number is constant: what tells the rows apart is the category.
    rng = np.random.default_rng(seed)
    hue = np.append(["red", "blue"], rng.choice(["red", "blue"], size=58))
    X = pd.DataFrame({"hue": pd.Categorical(hue), "same": 1.0})
    y = np.where(hue == "red", 3.0, -1.0)
    inside = make_pipeline(OneHotEncoder(), LinearRegression())
    for one in (UNPRUNED, inside):
        oracle = RandomOracleRegressor(one, random_state=seed % 2**32).fit(X, y)
        sides = pd.Series(oracle.decide(X)).groupby(hue).nunique()
        assert_array_equal(sides, [1, 1])
        assert_allclose(oracle.predict(X), y, atol=1e-9)


def test_classifier_takes_sides_of_one_class(seed):
    rng = np.random.default_rng(seed)
    X = np.concatenate([rng.normal(-9, 1, (30, 2)), rng.normal(9, 1, (30, 2))])
    y = np.repeat(["left", "right"], 30)
    for inside in (LogisticRegression(), DecisionTreeClassifier()):
        oracle = RandomOracleClassifier(inside, random_state=seed % 2**32).fit(X, y)
        assert oracle.score(X, y) == 1.0
        assert_allclose(oracle.predict_proba(X).sum(axis=1), 1.0)


def test_weights_reach_the_models(seed):
    # Two places: whichever is drawn first, each side has the rows of one place.
    rng = np.random.default_rng(seed)
    X, y = np.repeat([[0.0], [1.0]], 20, axis=0), rng.normal(size=40)
    weights = np.tile(rng.integers(1, 4, size=20), 2)
    means = np.average(y.reshape(2, 20), axis=1, weights=weights.reshape(2, 20))
    nearest = KNeighborsRegressor(int(weights[:20].sum()))  # takes repeated rows
    for inside in (UNPRUNED, LinearRegression(), nearest):
        oracle = RandomOracleRegressor(inside, random_state=seed % 2**32)
        oracle.fit(X, y, sample_weight=weights)
        assert_allclose(oracle.predict([[0.0], [1.0]]), means)
    with pytest.raises(ValueError, match="takes no sample_weight"):
        oracle.fit(X, y, sample_weight=weights + 0.5)


# Acceptance 8: members with an oracle are more diverse.
def test_oracles_make_bagging_more_diverse(seed):
    # Measured over 300 draws of such data: more diverse in all of them.
    X, y = make_numbers(seed)
    X_new, y_new = make_numbers(seed + 1, 300)
    plain, oracles = (
        BaggingRegressor(inside, 40, random_state=seed % 2**32).fit(X, y)
        for inside in (UNPRUNED, RandomOracleRegressor(UNPRUNED))
    )
    before, after = (
        measure_diversity_error(y_new, model.predict_all(X_new)).mean_diversity
        for model in (plain, oracles)
    )
    assert after > before


# Acceptance 8: randomization of one tree by oracles beats the tree, as on all 61 sets.
def test_oracles_alone_beat_the_single_tree(seed):
    # Measured over 300 draws of such data: a smaller error in all of them.
    X, y = make_numbers(seed)
    X_new, y_new = make_numbers(seed + 1, 300)
    oracles = BaggingRegressor(
        RandomOracleRegressor(UNPRUNED), 40, bootstrap=False, random_state=seed % 2**32
    )
    tree, many = (
        np.mean((model.fit(X, y).predict(X_new) - y_new) ** 2)
        for model in (REPTreeRegressor(prune=False), oracles)
    )
    assert many < tree


def test_wrong_input():
    X, y = np.ones((4, 2)), np.arange(4.0)
    with pytest.raises(ValueError, match="min_samples_side"):
        RandomOracleRegressor(min_samples_side=0).fit(X, y)
    with pytest.raises(ValueError, match="min_samples_side"):
        BaggingRegressor(RandomOracleRegressor(min_samples_side=0)).fit(X, y)
    with pytest.raises(ValueError, match="max_depth"):
        RandomOracleRegressor(REPTreeRegressor(max_depth=0)).fit(X, y)
    with pytest.raises(ValueError, match="must be a regressor"):
        BaggingRegressor(DecisionTreeClassifier()).fit(X, y)
    with pytest.raises(ValueError, match="must be a classifier"):
        RandomOracleClassifier(LinearRegression()).fit(X, y)
    with pytest.raises(TypeError, match="takes no sparse X"):
        from scipy.sparse import csr_array

        RandomOracleRegressor().fit(csr_array(X), y)
