"""Tree-augmented naive Bayes: naive twins of the tree, the tables and the sums."""

from itertools import product

import networkx as nx
import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.networks import TANClassifier
from manyminds.networks.classifiers.tan import span_tree

EVERY = [0, 1, 2, 3]


def draw(seed, n_samples=150):
    rng = np.random.default_rng(seed)
    X = rng.integers(3, size=(n_samples, 4)).astype(float)
    y = rng.integers(2, size=n_samples)
    X[:, 1] = np.where(rng.random(n_samples) < 0.7, X[:, 0], X[:, 1])
    X[:, 3] = np.where(rng.random(n_samples) < 0.6, (X[:, 1] + y) % 3, X[:, 3])
    return X, y


def inform_naively(a, b, y):
    """The conditional mutual information of two columns, from its formula."""
    total = 0.0
    for c, u, v in product(np.unique(y), np.unique(a), np.unique(b)):
        joint = np.mean((y == c) & (a == u) & (b == v))
        if joint > 0:
            ratio = joint * np.mean(y == c)
            ratio /= np.mean((y == c) & (a == u)) * np.mean((y == c) & (b == v))
            total += joint * np.log(ratio)
    return total


def test_information_and_tree_agree_with_naive_twins(seed):
    X, y = draw(seed)
    model = TANClassifier(categorical_features=EVERY).fit(X, y)
    for i in range(4):
        for j in range(i):
            expected = inform_naively(X[:, i], X[:, j], y)
            assert_allclose(model.information_[i, j], expected, atol=1e-12)
    graph = nx.Graph()
    for i in range(4):
        for j in range(i):
            graph.add_edge(i, j, weight=model.information_[i, j])
    best = nx.maximum_spanning_tree(graph)
    assert {frozenset(a) for a in model.arcs_} == {frozenset(e) for e in best.edges}


def predict_naively(model, X, y, row, m=1.0):
    joint = []
    for c in model.classes_:
        rows = y == c
        n_classes = len(model.classes_)
        p = (rows.sum() + m / n_classes) / (len(y) + m)
        for f, parent in enumerate(model.parents_):
            n_states = model.n_states_[f]
            alone = ((X[rows, f] == row[f]).sum() + m / n_states) / (rows.sum() + m)
            same = rows if parent < 0 else rows & (X[:, parent] == row[parent])
            p *= ((X[same, f] == row[f]).sum() + m * alone) / (same.sum() + m)
        joint.append(p)
    return np.array(joint)


def test_probabilities_agree_with_a_naive_twin(seed):
    X, y = draw(seed)
    model = TANClassifier(categorical_features=EVERY).fit(X, y)
    joint = np.array([predict_naively(model, X, y, row) for row in X[:20]])
    assert_allclose(np.exp(model.predict_joint_log_proba(X[:20])), joint, rtol=1e-9)


@pytest.mark.parametrize("missing", [[0], [1], [1, 3], [0, 1, 2, 3]])
def test_missing_values_are_summed_over(missing, seed):
    X, y = draw(seed)
    model = TANClassifier(categorical_features=EVERY).fit(X, y)
    row = X[0].copy()
    total = 0.0
    for states in product(range(3), repeat=len(missing)):
        row[missing] = states
        total = total + np.exp(model.predict_joint_log_proba(row[None])[0])
    row[missing] = np.nan
    found = np.exp(model.predict_joint_log_proba(row[None])[0])
    assert_allclose(found, total, rtol=1e-9)


def test_many_columns_do_not_underflow():
    X = np.zeros((40, 600))
    X[::2, ::3] = 1.0
    y = np.arange(40) % 2
    model = TANClassifier(categorical_features=np.ones(600, dtype=bool)).fit(X, y)
    rows = X[:4].copy()
    rows[:, ::2] = np.nan
    assert (model.predict(rows) == y[:4]).all()


def test_ties_go_to_the_first():
    assert span_tree(np.zeros((3, 3))).tolist() == [-1, 0, 0]
    assert span_tree(np.zeros((1, 1))).tolist() == [-1]
