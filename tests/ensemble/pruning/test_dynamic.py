"""Dynamic selection of members for each row."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from manyminds.ensemble import DynamicSelectionClassifier, RandomForestClassifier
from manyminds.ensemble.pruning import dynamic
from manyminds.ensemble.pruning.competence import RULES

METHODS = [*RULES, "meta-des"]


def make_regions(seed, n_rows=600):
    """Two classes whose linear boundary turns around at 0 of the first column."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 2))
    y = np.where(X[:, 0] > 0, X[:, 1] > 0, X[:, 1] < 0).astype(int)
    return X, y


def make_experts(X, y):
    """Each is right in its own half only."""
    halves = X[:, 0] > 0, X[:, 0] <= 0
    return [LogisticRegression().fit(X[half], y[half]) for half in halves]


@pytest.mark.parametrize("method", METHODS)
def test_experts_of_regions_are_found(method):
    X, y = make_regions(0)
    experts = make_experts(X[:200], y[:200])
    model = DynamicSelectionClassifier(experts, method, prefit=True)
    model.fit(X[200:400], y[200:400])
    best = max(expert.score(X[400:], y[400:]) for expert in experts)
    assert best < 0.7
    # The class of LCA, and the pair of DES-kNN, do not say which expert is right.
    limit = {"lca": 0.8, "knora-u": 0.85}.get(method, 0.9)
    assert model.score(X[400:], y[400:]) > limit
    weights = model.weigh_members(X[400:])
    assert weights.shape == (200, 2) and (weights >= 0).all()


def test_votes_are_those_of_the_weights(seed):
    X, y = make_regions(seed, 300)
    model = DynamicSelectionClassifier(
        RandomForestClassifier(9), "knora-u", random_state=seed
    ).fit(X[:200], y[:200])
    weights, labels = model.weigh_members(X[200:]), model.predict_all(X[200:]).T
    weights[~weights.any(axis=1)] = 1.0
    shares = [((labels == c) * weights).sum(axis=1) for c in (0, 1)]
    expected = np.stack(shares, axis=1) / weights.sum(axis=1, keepdims=True)
    assert_allclose(model.predict_proba(X[200:]), expected)


@pytest.mark.parametrize("method", ["knora-e", "meta-des"])
def test_blocks_do_not_matter(method, monkeypatch):
    X, y = make_regions(1, 200)
    model = DynamicSelectionClassifier(
        DecisionTreeEnsemble(), method, random_state=0
    ).fit(X, y)
    whole = model.predict_proba(X)
    monkeypatch.setattr(dynamic, "BLOCK_CELLS", 400)
    assert_array_equal(model.predict_proba(X), whole)


def DecisionTreeEnsemble():
    return [DecisionTreeClassifier(max_depth=d) for d in (1, 2, 3, 4)]


def test_few_rows():
    X, y = make_regions(2, 6)
    for method in METHODS:
        model = DynamicSelectionClassifier(
            RandomForestClassifier(3), method, random_state=0
        ).fit(X, y)
        assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)
