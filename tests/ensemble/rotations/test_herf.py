"""Hybrid extreme rotation forests: what members see, how they differ, how they vote."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from manyminds.ensemble.rotations.composition import (
    CLASSIFIERS,
    describe_composition,
)
from manyminds.ensemble.rotations.herf import HERFClassifier

CHEAP = [("bayes", GaussianNB())]


@pytest.fixture
def table(seed):
    """Three classes that overlap, in ten columns of different units."""
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1, 2], 40)
    X = rng.normal(size=(120, 10)) + 0.7 * np.eye(3, 10)[y]
    return X * np.logspace(-2, 3, 10) + 5.0, y


def test_rotations_are_orthogonal_and_made_of_blocks(table, seed):
    # Item 2 of the acceptance list: ten features, blocks of about four.
    X, y = table
    forest = HERFClassifier(6, families=CHEAP, random_state=seed).fit(X, y)
    for view in forest.views_:
        R = view.as_matrix()
        assert_allclose(R @ R.T, np.eye(10), rtol=0, atol=1e-10)
        assert [len(block) for block in view.blocks] == [5, 5]
        inside = np.zeros((10, 10), dtype=bool)
        for block in view.blocks:
            inside[np.ix_(block, block)] = True
        assert not R[~inside].any()
    first, second, *_ = (view.as_matrix() for view in forest.views_)
    assert not np.allclose(first, second)


@pytest.mark.parametrize("n_features", [1, 3, 7])
def test_fewer_than_eight_features_are_one_block(table, seed, n_features):
    X, y = table
    forest = HERFClassifier(1, families=CHEAP, random_state=seed)
    (view,) = forest.fit(X[:, :n_features], y).views_
    assert [len(block) for block in view.blocks] == [n_features]


def test_new_rows_take_rotation_and_scale_of_training(table, seed):
    # Item 2, as a naive twin: z-scores by hand, a dense product, the member's answer.
    X, y = table
    X_new = X[::7] * 1.5 + 0.1
    forest = HERFClassifier(5, random_state=seed).fit(X, y)
    z = (X_new - X.mean(axis=0)) / X.std(axis=0)
    found = forest.predict_all(X_new)
    for member, view, labels in zip(forest.estimators_, forest.views_, found):
        assert_array_equal(member.predict(z @ view.as_matrix()), labels)


def test_majority_wins_and_the_smallest_label_among_equals(table, seed):
    X, y = table
    names = np.array(["pear", "fig", "apple"])
    forest = HERFClassifier(4, random_state=seed).fit(X, names[y])
    votes = forest.predict_all(X)
    for column, winner in zip(votes.T, forest.predict(X)):
        labels, counts = np.unique(column, return_counts=True)
        assert winner == labels[counts.argmax()]
    shares = (votes[:, :, np.newaxis] == forest.classes_).mean(axis=0)
    assert_allclose(forest.predict_proba(X), shares)


def test_soft_votes_are_mean_probabilities(table, seed):
    X, y = table
    forest = HERFClassifier(3, families=CHEAP, voting="soft", random_state=seed)
    forest.fit(X, y)
    z = (X - X.mean(axis=0)) / X.std(axis=0)
    mean = np.mean(
        [
            member.predict_proba(z @ view.as_matrix())
            for member, view in zip(forest.estimators_, forest.views_)
        ],
        axis=0,
    )
    assert_allclose(forest.predict_proba(X), mean)


def test_trees_alone_are_a_rotation_forest(table, seed):
    # Item 3: each member is a tree of depth 10 on its own rotated table.
    X, y = table
    forest = HERFClassifier(4, families=["tree"], random_state=seed).fit(X, y)
    z = (X - X.mean(axis=0)) / X.std(axis=0)
    for member, view in zip(forest.estimators_, forest.views_):
        assert member.max_depth == 10
        rotated = view.transform(z)
        twin = clone(member).fit(rotated, y)
        assert_array_equal(twin.predict(rotated), member.predict(rotated))


@pytest.mark.parametrize("family", ["knn", "svm", "bayes"])
def test_without_rotation_all_members_are_the_learner(table, seed, family):
    # Item 3: a deterministic learner and no rotation.
    X, y = table
    forest = HERFClassifier(3, families=[family], rotate="never", random_state=seed)
    forest.fit(X[::2], y[::2])
    alone = make_pipeline(StandardScaler(), clone(CLASSIFIERS[family]))
    expected = alone.fit(X[::2], y[::2]).predict(X[1::2])
    assert forest.views_ == [None, None, None]
    assert_array_equal(forest.predict_all(X[1::2]), np.tile(expected, (3, 1)))
    assert_array_equal(forest.predict(X[1::2]), expected)


def test_odds_decide_the_composition(table, seed):
    X, y = table
    families = ["tree", "bayes"]
    forest = HERFClassifier(6, families=families, odds=[0, 3], random_state=seed)
    table = describe_composition(forest.fit(X, y))
    assert table["members"].to_dict() == {"tree": 0, "bayes": 6}
    assert table["probability"].to_list() == [0.0, 1.0]
    even = HERFClassifier(6, random_state=seed).fit(X, y)
    assert even.family_names_ == ["tree", "elm"]
    assert_allclose(even.probabilities_, 0.5)


def test_units_of_columns_do_not_matter(table, seed):
    X, y = table
    forest = HERFClassifier(5, families=["svm", "bayes"], random_state=seed)
    plain = clone(forest).fit(X, y).predict_proba(X)
    other = X * 2.0 ** np.arange(10) + 3.0
    assert np.mean(clone(forest).fit(other, y).predict_proba(other) == plain) > 0.97


def test_n_jobs_do_not_matter(table, seed):
    # Item 8.
    X, y = table
    forest = HERFClassifier(7, families=["tree", "elm", "knn"], random_state=seed)
    one, two = clone(forest).fit(X, y), clone(forest).set_params(n_jobs=2).fit(X, y)
    assert_array_equal(one.predict_all(X), two.predict_all(X))
    assert_array_equal(one.member_families_, two.member_families_)


def test_wine_is_told(seed):
    # Over 40 seeds the accuracy on the other half was never below 0.96.
    X, y = load_wine(return_X_y=True)
    forest = HERFClassifier(random_state=seed).fit(X[::2], y[::2])
    assert forest.score(X[1::2], y[1::2]) > 0.88


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"families": ["oak"]}, "'oak'; it takes 'tree', 'elm'"),
        ({"families": []}, "families is empty"),
        ({"families": ["tree", "tree"]}, "'tree' more than once"),
        ({"families": [("tree", "oak")]}, "a pair of a name and an estimator"),
        ({"odds": [1.0]}, "each of the 2 families"),
        ({"odds": [1.0, -1.0]}, "from 0 on"),
        ({"odds": [0.0, 0.0]}, "not all 0"),
    ],
)
def test_errors_name_the_parameter(table, settings, says):
    with pytest.raises(ValueError, match=says):
        HERFClassifier(2, **settings).fit(*table)
