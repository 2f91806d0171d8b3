"""Ensembles of nested dichotomies: uniform trees, products along paths, averages."""

from collections import Counter

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import chisquare
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine, make_blobs
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

from manyminds.ensemble import NestedDichotomiesClassifier
from manyminds.ensemble.codes.distances import canonical_columns
from manyminds.ensemble.codes.nested_dichotomies import draw_dichotomies


def check_tree(code, classes):
    """Follow the splits from the root; every inner node is one column."""
    if len(classes) == 1:
        return 0
    inside = np.zeros(len(code), dtype=bool)
    inside[classes] = True
    (column,) = np.flatnonzero(((code != 0) == inside[:, None]).all(axis=0))
    left = np.flatnonzero(code[:, column] == 1)
    right = np.flatnonzero(code[:, column] == -1)
    return 1 + check_tree(code, left) + check_tree(code, right)


@pytest.mark.parametrize("n_classes", [2, 3, 7, 30])
def test_a_draw_is_a_tree_of_all_classes(n_classes, seed):
    rng = np.random.RandomState(seed)
    for _ in range(10):
        code = draw_dichotomies(n_classes, rng)
        assert code.shape == (n_classes, n_classes - 1)
        assert check_tree(code, np.arange(n_classes)) == n_classes - 1


@pytest.mark.parametrize(("n_classes", "n_trees"), [(3, 3), (4, 15), (5, 105)])
def test_all_trees_are_equally_likely(n_classes, n_trees, seed):
    # (2 C - 3)!! trees. A correct build has a p-value below 1e-5 once in 100,000 runs.
    rng = np.random.RandomState(seed)
    found = Counter()
    for _ in range(40 * n_trees):
        turned, _ = canonical_columns(draw_dichotomies(n_classes, rng))
        found[np.unique(turned, axis=1).tobytes()] += 1
    assert len(found) == n_trees
    assert chisquare(list(found.values())).pvalue > 1e-5


def predict_by_recursion(model, X, classes, nodes):
    """Multiply along the paths, node by node, as the paper has it."""
    if len(classes) == 1:
        return {classes[0]: np.ones(len(X))}
    inside = np.isin(np.arange(len(model.classes_)), classes)
    (column,) = [j for j in nodes if ((model.code_[:, j] != 0) == inside).all()]
    p = model.estimators_[column].predict_proba(X)
    found = {}
    for side, share in ((1, p[:, 1]), (-1, p[:, 0])):
        half = np.flatnonzero(model.code_[:, column] == side)
        inner = predict_by_recursion(model, X, half, nodes)
        found |= {c: share * rest for c, rest in inner.items()}
    return found


def test_naive_twin():
    X, y = load_wine(return_X_y=True)
    X, y = X[:, :5], (y * 2 + (X[:, 12] > np.median(X[:, 12]))).astype(int)
    model = NestedDichotomiesClassifier(
        LogisticRegression(max_iter=2000), 4, random_state=0
    ).fit(X, y)
    expected = np.zeros((len(X), len(model.classes_)))
    for nodes in model.trees_:
        paths = predict_by_recursion(model, X, np.arange(len(model.classes_)), nodes)
        for c, p in paths.items():
            expected[:, c] += p / len(model.trees_)
    assert_allclose(model.predict_proba(X), expected, atol=1e-9)


def test_two_classes_are_the_learner_itself():
    X, y = load_iris(return_X_y=True)
    X, y = X[y > 0], y[y > 0]
    base = LogisticRegression()
    model = NestedDichotomiesClassifier(base, 5).fit(X, y)
    assert len(model.estimators_) == 1
    assert_allclose(model.predict_proba(X), clone(base).fit(X, y).predict_proba(X))


def test_equal_splits_are_fitted_once():
    X, y = load_iris(return_X_y=True)
    model = NestedDichotomiesClassifier(n_estimators=50, random_state=0).fit(X, y)
    # Three pairs of classes, and three splits of one class from two.
    assert len(model.estimators_) == model.code_.shape[1] == 6
    assert model.trees_.shape == (50, 2)


def test_result_does_not_depend_on_n_jobs():
    X, y = make_blobs(120, centers=6, cluster_std=4.0, random_state=0)
    one, two = (
        NestedDichotomiesClassifier(n_estimators=4, n_jobs=n, random_state=0).fit(X, y)
        for n in (1, 2)
    )
    assert_array_equal(one.predict_proba(X), two.predict_proba(X))


def test_learner_without_probabilities_is_refused():
    with pytest.raises(ValueError, match="estimator"):
        NestedDichotomiesClassifier(SVC()).fit([[0.0], [1.0]], [0, 1])
