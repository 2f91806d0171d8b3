"""Trees on rotated tables: what a tree sees, means over trees, importances."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn.datasets import load_wine

from manyminds.ensemble.rotations import rotated_trees
from manyminds.ensemble.rotations.rotated_trees import (
    RotatedMembers,
    refuse_sparse,
    rotate,
)
from manyminds.ensemble.rotations.rotation import BlockRotation
from manyminds.ensemble.rotations.rotation_forest import (
    RotationForestClassifier,
    RotationForestRegressor,
)
from manyminds.trees import DecisionTreeRegressor, Trees

FIRM = {"n_estimators": 5, "min_samples_leaf": 12}


def quarter_turn():
    """Turn the second feature to the place of the first, the first to minus there."""
    turn = np.array([[[0.0, -1.0], [1.0, 0.0]]])
    return BlockRotation((np.array([[0, 1]]),), (turn,), np.zeros(2))


def numbers(seed, n_samples=120, n_features=5):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples, n_features)) * np.arange(1, n_features + 1)
    X[:, 1] += X[:, 0]
    return X, X[:, 0] - X[:, 1] + 0.3 * rng.normal(size=n_samples)


def test_categories_are_not_rotated(seed):
    rng = np.random.default_rng(seed)
    X, _ = numbers(seed)
    color = rng.integers(0, 4, size=len(X))
    frame = pd.DataFrame(X, columns=list("abcde"))
    frame.insert(2, "color", pd.Categorical.from_codes(color, list("wxyz")))
    y = np.isin(color, [0, 3])
    forest = RotationForestClassifier(5, random_state=0).fit(frame, y)
    assert all(rotation.n_features == 5 for rotation in forest.rotations_)
    assert_allclose(forest.feature_importances_, np.arange(6) == 2)
    assert forest.score(frame, y) == 1.0
    assert forest.center_[2] == 0.0 and forest.scale_[2] == 1.0
    only = frame[["color"]]
    forest.fit(only, y)
    assert forest.rotations_ == [None] * 5
    assert forest.score(only, y) == 1.0
    assert_allclose(forest.feature_importances_, [1.0])


def test_a_constant_column_keeps_its_scale(seed):
    X, y = numbers(seed)
    X[:, 3] = 0.1
    forest = RotationForestRegressor(random_state=0, **FIRM).fit(X, y)
    assert forest.scale_[3] == 1.0
    assert np.isfinite(forest.predict(X)).all()


def test_rows_are_asked_about_in_blocks(seed, monkeypatch):
    X, y = load_wine(return_X_y=True)
    forest = RotationForestClassifier(5, random_state=0).fit(X, y)
    expected = forest.predict_proba(X)
    monkeypatch.setattr(rotated_trees, "_BLOCK_CELLS", 20 * X.shape[1])
    assert_allclose(forest.predict_proba(X), expected)


def test_only_some_features_are_turned():
    columns = np.array([[1.0, 2.0], [5.0, 5.0], [3.0, 4.0]])
    seen = rotate(quarter_turn(), columns, np.array([0, 2]))
    assert_allclose(seen, [[3.0, 4.0], [5.0, 5.0], [-1.0, -2.0]])
    assert_array_equal(columns[0], [1.0, 2.0])  # the table itself is left alone
    assert rotate(None, columns, np.array([], dtype=int)) is columns
    both = rotate(quarter_turn(), columns[[0, 2]], np.array([0, 1]))
    assert_allclose(both, [[3.0, 4.0], [-1.0, -2.0]])


def test_each_tree_sees_its_own_rotation():
    X, y = np.array([[1.0, 4.0], [2.0, 3.0], [3.0, 2.0], [4.0, 1.0]]), np.arange(4.0)
    rotation, turned = quarter_turn(), np.array([0, 1])
    seen = [X, rotate(rotation, X.T.copy(), turned).T]
    trees = [DecisionTreeRegressor(max_depth=1).fit(table, y) for table in seen]
    members = RotatedMembers(
        Trees.concatenate([tree.tree_ for tree in trees]), [None, rotation], turned
    )
    each = [tree.predict(table) for tree, table in zip(trees, seen)]
    assert len(members) == 2
    assert_allclose(members.values(X)[:, :, 0], each)
    assert_allclose(members.mean(X)[:, 0], np.mean(each, axis=0))


def test_sparse_tables_are_refused():
    X = np.eye(2)
    assert refuse_sparse(X) is X
    with pytest.raises(TypeError, match=r"X is a sparse matrix; .* Pass X.toarray\(\)"):
        refuse_sparse(csr_array(X))
