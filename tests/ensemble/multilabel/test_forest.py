"""Forests for many targets, against scikit-learn's and against single forests."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import make_multilabel_classification
from sklearn.ensemble import RandomForestClassifier as TheirForest
from sklearn.ensemble import RandomForestRegressor as TheirRegressor
from sklearn.metrics import r2_score, roc_auc_score

from manyminds.ensemble import (
    MultiLabelForestClassifier,
    MultiTargetForestRegressor,
    RandomForestClassifier,
)


def test_one_label_is_a_random_forest(labeled):
    X, Y = labeled
    many = MultiLabelForestClassifier(10, random_state=0).fit(X, Y[:, :1])
    one = RandomForestClassifier(10, random_state=0).fit(X, Y[:, 0])
    assert_allclose(many.predict_proba(X)[:, 0], one.predict_proba(X)[:, 1])


def test_it_is_as_good_as_the_forest_of_scikit_learn(seed):
    # The mean AUC of both differed by 0.019 at most over 20 seeds.
    X, Y = make_multilabel_classification(
        600, n_classes=5, allow_unlabeled=True, random_state=seed
    )
    ours = MultiLabelForestClassifier(60, random_state=0).fit(X[:300], Y[:300])
    theirs = TheirForest(60, random_state=0).fit(X[:300], Y[:300])
    scores = np.column_stack([p[:, 1] for p in theirs.predict_proba(X[300:])])
    expected = roc_auc_score(Y[300:], scores)
    assert abs(roc_auc_score(Y[300:], ours.predict_proba(X[300:])) - expected) < 0.05


def test_many_numbers_are_as_good_as_those_of_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(500, 6))
    Y = np.column_stack([X[:, 0] ** 2, X[:, 0] + X[:, 1], rng.normal(size=500)])
    ours = MultiTargetForestRegressor(40, random_state=0).fit(X[:300], Y[:300])
    theirs = TheirRegressor(40, random_state=0).fit(X[:300], Y[:300])
    of_both = [r2_score(Y[300:], m.predict(X[300:])) for m in (ours, theirs)]
    assert abs(of_both[0] - of_both[1]) < 0.05


def test_missing_values_categories_and_sparse_tables(labeled):
    X, Y = labeled
    frame = pd.DataFrame(X).add_prefix("x")
    frame.iloc[::7, 0] = np.nan
    frame["color"] = pd.Categorical(np.where(Y[:, 0] == 1, "red", "blue"))
    forest = MultiLabelForestClassifier(30, max_features=None, random_state=0)
    assert (forest.fit(frame, Y).predict(frame)[:, 0] == Y[:, 0]).mean() > 0.95
    assert forest.feature_importances_.argmax() == 8


def test_out_of_bag_scores_are_honest(seed):
    rng = np.random.default_rng(seed)
    X, Y = rng.normal(size=(200, 5)), rng.integers(0, 2, size=(200, 3))
    forest = MultiLabelForestClassifier(50, oob_score=True, random_state=0).fit(X, Y)
    assert forest.oob_decision_function_.shape == Y.shape
    assert forest.oob_score_ < 0.3  # an eighth by chance
    numbers = MultiTargetForestRegressor(50, oob_score=True, random_state=0).fit(X, Y)
    assert numbers.oob_score_ < 0.1


def test_single_trees_average_to_the_forest(labeled):
    X, Y = labeled
    forest = MultiLabelForestClassifier(6, random_state=0).fit(X, Y)
    tree = forest.estimators_[0]
    assert not hasattr(tree, "estimators_")  # of its own
    assert len(tree.set_params(n_estimators=2).fit(X, Y).estimators_) == 2
    alone = np.mean([tree.predict_proba(X) for tree in forest.estimators_], axis=0)
    assert_allclose(alone, forest.predict_proba(X))
    assert_allclose(forest.predict_all(X).mean(axis=0), forest.predict_proba(X))
    rows = forest.estimators_[2].estimators_samples_[0]
    assert_array_equal(rows, forest.estimators_samples_[2])


def test_a_warm_start_continues(labeled):
    X, Y = labeled
    grown = MultiLabelForestClassifier(3, warm_start=True, random_state=0).fit(X, Y)
    grown.set_params(n_estimators=8).fit(X, Y)
    at_once = MultiLabelForestClassifier(8, random_state=0).fit(X, Y)
    assert_allclose(grown.predict_proba(X), at_once.predict_proba(X))


def test_a_higher_threshold_never_adds_a_label(labeled):
    X, Y = labeled
    forest = MultiLabelForestClassifier(20, random_state=0).fit(X, Y)
    low, high = (forest.set_params(threshold=t).predict(X) for t in (0.2, 0.6))
    assert (high <= low).all()


def test_too_many_labels_are_refused(monkeypatch, labeled):
    from manyminds.ensemble.multilabel import forest

    monkeypatch.setattr(forest, "MAX_LABELS", 3)
    with pytest.raises(ValueError, match="takes up to 3"):
        MultiLabelForestClassifier().fit(*labeled)
