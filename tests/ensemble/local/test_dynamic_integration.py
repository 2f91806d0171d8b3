"""Dynamic integration: the formula, its limits, and more than two classes."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.ensemble import ExtraTreesClassifier, RandomForestClassifier
from manyminds.ensemble.local.dynamic_integration import (
    DynamicIntegrationClassifier,
)
from manyminds.ensemble.local.proximity import forest_proximity


def draw(seed, n_samples=60, n_classes=2):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples, 3))
    score = X[:, 0] * X[:, 1] + 0.3 * rng.normal(size=n_samples)
    return X, np.digitize(
        score, np.quantile(score, np.arange(1, n_classes) / n_classes)
    )


def weigh_naively(model, X_new, X, y, exponent):
    """Weights straight from the formula, tree by tree and row by row."""
    forest = model.forest_
    near = forest_proximity(forest, X_new, X)
    says, samples = forest.predict_all(X), forest.estimators_samples_
    weights = np.zeros((len(X_new), len(samples)))
    for q in range(len(X_new)):
        for t, drawn in enumerate(samples):
            above = below = 0.0
            for i in np.setdiff1d(np.arange(len(X)), drawn):
                above += near[q, i] ** exponent * (1 if says[t, i] == y[i] else -1)
                below += near[q, i] ** exponent
            weights[q, t] = above / below if below > 0 else 0.0
    return weights


@pytest.mark.parametrize("exponent", [3.0, 1.0])
def test_weights_equal_those_of_a_naive_twin(seed, exponent):
    X, y = draw(seed)
    forest = RandomForestClassifier(9, max_features=1)
    model = DynamicIntegrationClassifier(forest, exponent=exponent, random_state=seed)
    model.fit(X[:50], y[:50])
    twin = weigh_naively(model, X[50:], X[:50], y[:50], exponent)
    assert_allclose(model.weigh_trees(X[50:]), twin, atol=1e-12)
    sign = 2 * model.forest_.predict_all(X[50:]).T - 1
    total = (twin * sign).sum(axis=1)
    sure = abs(total) > 1e-4
    assert_array_equal(model.predict(X[50:])[sure], (total > 0)[sure])


def test_exponent_zero_gives_plain_margins(seed):
    # Acceptance item 7: each tree has its out-of-bag margin, whatever the query.
    X, y = draw(seed)
    model = DynamicIntegrationClassifier(exponent=0.0, random_state=seed).fit(X, y)
    forest, margins = model.forest_, []
    for t, drawn in enumerate(forest.estimators_samples_):
        out = np.setdiff1d(np.arange(len(X)), drawn)
        right = forest.predict_all(X[out])[t] == y[out]
        margins.append(2.0 * right.mean() - 1.0)
    weights = model.weigh_trees(np.r_[X[:3], 100.0 + X[:3]])
    assert_allclose(weights, np.tile(margins, (6, 1)), atol=1e-12)


def test_negative_weights_turn_votes_round():
    X, y = draw(0, n_classes=3)
    model = DynamicIntegrationClassifier(RandomForestClassifier(2)).fit(X, y)
    model.weigh_trees = lambda X: np.tile([1.0, -0.5], (len(X), 1))
    votes = np.searchsorted(model.classes_, model.forest_.predict_all(X))
    for (first, second), shares in zip(votes.T, model.predict_proba(X)):
        expected = np.zeros(3)
        expected[first] += 1.0
        expected[np.arange(3) != second] += 0.25
        assert_allclose(shares, expected / 1.5)


def test_without_any_weight_all_votes_count():
    X, y = draw(0)
    model = DynamicIntegrationClassifier(random_state=0).fit(X, y)
    model.margins_ = np.zeros_like(model.margins_)
    votes = model.forest_.predict_all(X).mean(axis=0)
    assert_allclose(model.predict_proba(X)[:, 1], votes)


def test_rows_without_weight_count_for_nothing(seed):
    X, y = draw(seed)
    weight = np.where(np.arange(60) < 40, 1.0, 0.0)
    model = DynamicIntegrationClassifier(RandomForestClassifier(20), random_state=seed)
    model.fit(X, y, sample_weight=weight)
    before = model.weigh_trees(X)
    model.margins_[40:] *= -1
    assert_array_equal(model.weigh_trees(X), before)


def test_forests_that_leave_no_row_out_are_refused():
    X, y = draw(0)
    with pytest.raises(ValueError, match="bootstrap=True"):
        DynamicIntegrationClassifier(ExtraTreesClassifier()).fit(X, y)
    with pytest.raises(ValueError, match="estimator must be a forest classifier"):
        from sklearn.tree import DecisionTreeClassifier

        DynamicIntegrationClassifier(DecisionTreeClassifier()).fit(X, y)


def test_names_of_columns_come_and_go():
    import pandas as pd

    X, y = draw(0)
    model = DynamicIntegrationClassifier(RandomForestClassifier(3))
    model.fit(pd.DataFrame(X, columns=["a", "b", "c"]), y)
    assert model.feature_names_in_.tolist() == ["a", "b", "c"]
    assert not hasattr(model.fit(X, y), "feature_names_in_")
