"""Members on a shared binned table are those that are fitted alone."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression

from manyminds.ensemble import (
    BinaryRelevanceClassifier,
    ExtraTreesClassifier,
    RandomForestClassifier,
)
from manyminds.ensemble.multilabel.members import MemberFitter, read_member
from manyminds.trees import DecisionTreeClassifier
from manyminds.trees.columns import ColumnEncoder


def fit_both(estimator, X, y, weights):
    """Fit a member on a shared table and the same estimator alone."""
    fitter = MemberFitter(estimator, X, ColumnEncoder())
    member = fitter.fit(y, 2, weights, seed=3)
    kept = weights > 0
    alone = clone(estimator).set_params(random_state=3)
    if kept.all() and (weights == 1).all():
        alone.fit(X, y)
    else:
        alone.fit(X[kept], y[kept], sample_weight=weights[kept])
    return read_member(member, X, 2), alone.predict_proba(X)


@pytest.mark.parametrize(
    "estimator",
    [
        DecisionTreeClassifier(max_features=3),
        RandomForestClassifier(5),
        ExtraTreesClassifier(5),
        LogisticRegression(),
    ],
    ids=lambda one: type(one).__name__,
)
def test_a_member_is_the_estimator_fitted_alone(estimator, labeled):
    X, Y = labeled
    shared, alone = fit_both(estimator, X, Y[:, 0], np.ones(len(X)))
    assert_allclose(shared, alone)


def test_rows_of_weight_zero_are_left_out(labeled):
    X, Y = labeled
    weights = np.where(np.arange(len(X)) % 3 == 0, 0.0, 2.0)
    for estimator in (DecisionTreeClassifier(), LogisticRegression()):
        shared, alone = fit_both(estimator, X, Y[:, 0], weights)
        assert_allclose(shared, alone)


def test_added_columns_are_seen_one_after_the_other(labeled):
    X, Y = labeled
    target = Y[:, 3]
    for estimator in (DecisionTreeClassifier(), LogisticRegression()):
        fitter = MemberFitter(estimator, X, ColumnEncoder()).add_columns(Y)
        for n_seen in (0, 2):
            member = fitter.fit(target, 2, np.ones(len(X)), 3, n_seen)
            seen = np.column_stack([X, Y[:, :n_seen]]).astype(float)
            alone = clone(estimator).set_params(random_state=3).fit(seen, target)
            wide = np.column_stack([X, Y]).astype(float)
            assert_allclose(read_member(member, wide, 2), alone.predict_proba(seen))


def test_rows_that_are_taken_may_repeat(labeled):
    X, Y = labeled
    rows = np.r_[0:40, 10:20]
    fitter = MemberFitter(DecisionTreeClassifier(), X, ColumnEncoder()).take_rows(rows)
    member = fitter.fit(Y[rows, 0], 2, np.ones(len(rows)), 3)
    alone = (
        clone(DecisionTreeClassifier())
        .set_params(random_state=3)
        .fit(X[rows], Y[rows, 0])
    )
    assert_array_equal(read_member(member, X[rows], 2), alone.predict_proba(X[rows]))


def test_categories_are_for_trees_only(labeled):
    X, Y = labeled
    frame = pd.DataFrame({"color": pd.Categorical(Y[:, 0]), "size": X[:, 0]})
    BinaryRelevanceClassifier(DecisionTreeClassifier()).fit(frame, Y)
    with pytest.raises(ValueError, match="categorical columns"):
        BinaryRelevanceClassifier(LogisticRegression()).fit(frame, Y)
