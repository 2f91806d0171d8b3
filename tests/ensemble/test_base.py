"""The contract of an ensemble of members: fit, predict each, out-of-bag mean."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LinearRegression, RidgeClassifier
from sklearn.preprocessing import FunctionTransformer

from manyminds.ensemble.base import (
    EstimatorMembers,
    TreeMembers,
    adopt_tree,
    make_member,
    read_probabilities,
    share_votes,
)
from manyminds.trees import DecisionTreeClassifier, Trees


def fit_trees(rng, n_members=4):
    X = rng.normal(size=(60, 3))
    y = (X[:, 0] + rng.normal(size=60) > 0.0).astype(int) + (X[:, 1] > 1.0)
    bags = rng.integers(0, 3, size=(n_members, 60))
    trees = [DecisionTreeClassifier().fit(X, y, sample_weight=bag) for bag in bags]
    return X, bags, trees


def make_members(trees, kind):
    if kind == "estimators":
        return EstimatorMembers(trees, np.arange(3))
    return TreeMembers(Trees.concatenate([tree.tree_ for tree in trees]))


@pytest.mark.parametrize("kind", ["estimators", "trees"])
def test_members_predict_as_the_estimators_do(kind, seed):
    X, _, trees = fit_trees(np.random.default_rng(seed))
    members, each = make_members(trees, kind), [tree.predict_proba(X) for tree in trees]
    assert len(members) == 4
    assert_allclose(members.values(X), each)
    assert_allclose(members.mean(X), np.mean(each, axis=0))
    assert_array_equal(members.labels(X), np.argmax(each, axis=2))
    halves = [make_members(trees[:2], kind), make_members(trees[2:], kind)]
    assert_array_equal(type(members).join(halves).values(X), members.values(X))


@pytest.mark.parametrize("kind", ["estimators", "trees"])
def test_out_of_bag_mean_is_that_of_members_that_did_not_draw_a_row(kind, seed):
    X, bags, trees = fit_trees(np.random.default_rng(seed))
    bags[:, 0] = 1  # drawn by all
    members = make_members(trees, kind)
    mean, n_out_of_bag = members.out_of_bag_mean(X, lambda some: bags[some])
    values = members.values(X)
    for i in range(len(X)):
        out = bags[:, i] == 0
        assert n_out_of_bag[i] == out.sum()
        expected = values[out, i].mean(axis=0) if out.any() else np.full(3, np.nan)
        assert_allclose(mean[i], expected)
    assert n_out_of_bag[0] == 0


def test_each_member_has_its_view_of_the_table():
    X = np.arange(12.0).reshape(4, 3)
    twice = FunctionTransformer(lambda X: 2.0 * X)
    views = [np.array([1]), twice, None]
    seen = [X[:, [1]], 2.0 * X, X]
    fitted = [LinearRegression().fit(table, X[:, 0]) for table in seen]
    members = EstimatorMembers(fitted, None, views)
    expected = [one.predict(table) for one, table in zip(fitted, seen)]
    assert_allclose(members.values(X)[:, :, 0], expected)


def test_probabilities_are_of_all_classes():
    X, constant = np.zeros((3, 1)), DummyClassifier().fit([[0]], ["b"])
    assert_array_equal(
        read_probabilities(constant, X, np.array(["a", "b"])), np.tile([0, 1], (3, 1))
    )
    # Without predict_proba, the predicted class has probability 1.
    ridge = RidgeClassifier().fit([[-1.0], [1.0]], [0, 2])
    found = read_probabilities(ridge, np.array([[-1.0], [1.0]]), 3)
    assert_array_equal(found, [[1, 0, 0], [0, 0, 1]])


def test_votes_are_shares():
    labels = np.array([[0, 1], [0, 2], [1, 2]])
    assert_allclose(share_votes(labels, 3), [[2 / 3, 1 / 3, 0], [0, 1 / 3, 2 / 3]])


def test_members_of_one_seed_are_equal_and_inner_seeds_differ():
    estimator = DecisionTreeClassifier(random_state=5)
    one, two = make_member(estimator, 3), make_member(estimator, 3)
    assert one.random_state == two.random_state != 5
    assert make_member(estimator, 4).random_state != one.random_state
    assert isinstance(make_member(DummyRegressor(), 0), DummyRegressor)


def test_adopted_tree_predicts_as_its_model(seed):
    X, _, (tree, *_) = fit_trees(np.random.default_rng(seed))
    adopted = adopt_tree(tree, DecisionTreeClassifier(), tree.tree_)
    assert_array_equal(adopted.predict(X), tree.predict(X))
