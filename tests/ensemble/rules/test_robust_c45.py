"""Robust-C4.5 drops what its trees get wrong, and no class as a whole."""

import numpy as np
from numpy.testing import assert_array_equal

from manyminds.ensemble.rules.robust_c45 import (
    RobustC45Classifier,
    find_lost_classes,
)
from manyminds.trees import DecisionTreeClassifier
from manyminds.trees.mdl_tree import MDLTreeClassifier


def test_wrong_labels_are_dropped():
    X = np.arange(100.0).reshape(-1, 1)
    y = (X[:, 0] >= 50).astype(int)
    y[[10, 80]] = 1 - y[[10, 80]]
    model = RobustC45Classifier().fit(X, y)
    assert_array_equal(model.removed_, [10, 80])
    assert model.n_rounds_ == 2
    assert_array_equal(model.predict(X), X[:, 0] >= 50)


def test_plain_twin(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(200, 3))
    y = (X[:, 0] + rng.normal(scale=0.7, size=200) > 0).astype(int)
    kept, wrong = np.arange(200), np.ones(1, bool)
    while wrong.any():
        tree = MDLTreeClassifier().fit(X[kept], y[kept])
        wrong = tree.predict(X[kept]) != y[kept]
        for c in (0, 1):  # never all rows of a class
            if wrong[y[kept] == c].all():
                wrong[y[kept] == c] = False
        kept = kept[~wrong]
    model = RobustC45Classifier().fit(X, y)
    assert_array_equal(np.setdiff1d(np.arange(200), model.removed_), kept)
    assert_array_equal(model.predict(X), tree.predict(X))


def test_a_tree_that_gets_all_right_drops_nothing(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 2))
    y = rng.integers(0, 2, size=60)
    model = RobustC45Classifier(DecisionTreeClassifier()).fit(X, y)
    assert len(model.removed_) == 0 and model.n_rounds_ == 1


def test_no_class_is_lost():
    # Three of a hundred are of class 1, anywhere: no tree would pay for them.
    X = np.arange(100.0).reshape(-1, 1)
    y = np.isin(np.arange(100), [20, 50, 90]).astype(int)
    model = RobustC45Classifier().fit(X, y)
    assert len(model.removed_) == 0
    assert_array_equal(
        find_lost_classes(np.array([0, 0, 1, 1]), np.array([1, 0, 1, 1], bool)),
        [False, False, True, True],
    )
