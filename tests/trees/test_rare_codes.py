"""Lists of rare codes change no tree, and are made only where they help."""

import numpy as np
import pytest

from manyminds.ensemble import BaggingClassifier
from manyminds.trees import DecisionTreeClassifier, growing
from manyminds.trees.binning import bin_table
from manyminds.trees.growing import make_rules, make_sampling
from manyminds.trees.rare_codes import can_use_rare_codes, list_rare_codes


def make_words(seed, n_samples=300, n_features=40, n_classes=3):
    """Return a table of few ones, with two columns of numbers, and classes."""
    rng = np.random.default_rng(seed)
    X = (rng.uniform(size=(n_samples, n_features)) < 0.1).astype(float)
    X[:, 3] = 1.0 - X[:, 3]
    X[:, -2:] = rng.normal(size=(n_samples, 2))
    score = X[:, :5] @ [2.0, -1.0, 1.0, 1.0, -2.0] + 0.3 * X[:, -1]
    return X, np.digitize(score, np.quantile(score, [0.4, 0.8])[: n_classes - 1])


def list_naively(codes):
    """Return (row, column) of all rarer codes, row after row; code by column."""
    code = np.where(2 * codes.sum(axis=0) <= len(codes), 1, 0)
    code[[len(np.unique(column)) != 2 for column in codes.T]] = -1
    return np.argwhere((codes == code) & (code >= 0)), code


def test_lists_are_those_of_a_loop(seed, monkeypatch):
    X, _ = make_words(seed)
    X[:, 7] = 1.0  # constant
    expected, code = list_naively(X)
    for block in (1, 1000, 2**22):  # one row, some rows, all at once
        monkeypatch.setattr("manyminds.trees.rare_codes._BLOCK_CELLS", block)
        rare = list_rare_codes(bin_table(X), len(X))
        assert (rare.code == code).all()
        rows = np.repeat(np.arange(len(X)), np.diff(rare.first))
        assert (np.column_stack([rows, rare.feature]) == expected).all()


def test_no_lists_where_they_would_not_help(seed):
    rng = np.random.default_rng(seed)
    assert list_rare_codes(bin_table(rng.normal(size=(50, 4))), 50) is None
    halves = (rng.uniform(size=(50, 4)) < 0.5).astype(float)
    assert list_rare_codes(bin_table(halves), 50) is None
    missing = np.where(np.eye(30)[:, :4] > 0, np.nan, np.eye(30)[:, 4:8])
    assert list_rare_codes(bin_table(missing), 30) is None
    assert list_rare_codes(bin_table(np.eye(30), np.full(30, True)), 30) is None


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("weights", [None, "whole", "real"])
def test_trees_are_the_same_without_lists(monkeypatch, seed, n_classes, weights):
    X, y = make_words(seed, n_classes=n_classes)
    rng = np.random.default_rng(seed)
    if weights is not None:
        weights = rng.integers(0, 3, len(X)) * (1.0 if weights == "whole" else 0.7)
    tree = DecisionTreeClassifier(random_state=seed)
    with_lists = tree.fit(X, y, weights).tree_
    n_lists = []
    monkeypatch.setattr(growing, "list_rare_codes", lambda *_: n_lists.append(1))
    without = tree.fit(X, y, weights).tree_
    assert len(n_lists) == (weights is None or bool((weights % 1 == 0).all()))
    for name in ("feature", "threshold", "left", "value", "impurity"):
        np.testing.assert_array_equal(getattr(with_lists, name), getattr(without, name))


def test_bagged_trees_use_them_too(monkeypatch, seed):
    X, y = make_words(seed)
    model = BaggingClassifier(n_estimators=3, random_state=seed)
    probabilities = model.fit(X, y).predict_proba(X)
    monkeypatch.setattr(growing, "list_rare_codes", lambda *_: None)
    np.testing.assert_array_equal(probabilities, model.fit(X, y).predict_proba(X))


def test_which_growers_can_use_them():
    def check(weights=None, feature_weights=None, **options):
        rules = make_rules(20, 5, 2, 20.0, **{"criterion": "gini", **options})
        return can_use_rare_codes(
            rules, make_sampling(20, 5, weights, feature_weights=feature_weights)
        )

    assert check() and check(max_leaf_nodes=4) and check(weights=np.full(20, 2.0))
    assert not check(weights=np.full(20, 0.5))
    assert not check(feature_weights=np.ones(5))
    assert not check(max_features=3)
    assert not check(criterion="entropy")
    assert not check(balance_classes=True)
