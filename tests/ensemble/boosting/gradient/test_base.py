"""What boosted classifiers and regressors share: contributions, importances, stages."""

from itertools import combinations
from math import factorial

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_matrix

from manyminds.ensemble import GradientBoostingClassifier, GradientBoostingRegressor

FIXED = {"early_stopping": False, "learning_rate": 0.2, "random_state": 0}


def make_data(seed, n=300, n_features=4):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, n_features))
    X[::7, 2] = np.nan
    y = X[:, 0] + np.sin(3 * X[:, 1]) + np.isnan(X[:, 2]) + 0.3 * rng.normal(size=n)
    return X, y


def fit(kind, X, y, **options):
    """Fit a model of some number of classes, or of a loss."""
    options = {**FIXED, "max_iter": 8, **options}
    if isinstance(kind, str):
        y = np.exp(y / 4.0)  # above 0 for all losses
        return GradientBoostingRegressor(kind, **options).fit(X, y)
    y = np.digitize(y, np.quantile(y, np.arange(1, kind) / kind))
    return GradientBoostingClassifier(**options).fit(X, y)


def predict_raw(model, X):
    if hasattr(model, "decision_function"):
        return model.decision_function(X)
    predicted = model.predict(X)
    return np.log(predicted) if model.loss in ("poisson", "gamma") else predicted


# ---------------------------------------------------------------- contributions


@pytest.mark.parametrize("kind", [2, 3, 5, "squared_error", "huber", "poisson"])
@pytest.mark.parametrize("options", [{}, {"symmetric": True, "max_depth": 5}])
def test_contributions_sum_to_the_raw_prediction(kind, options, seed):
    X, y = make_data(seed)
    X[:, 3] = 7.0
    model = fit(kind, X, y, **options)
    contributions = model.predict_contributions(X)
    n_outputs = (kind,) if kind in (3, 5) else ()
    assert contributions.shape == (300, 5, *n_outputs)
    assert_allclose(contributions.sum(axis=1), predict_raw(model, X), atol=1e-10)
    expected = contributions[:, -1]
    assert_array_equal(expected, np.broadcast_to(expected[0], expected.shape))
    assert not contributions[:, 3].any()  # never split
    assert all(np.abs(contributions[:, j]).max() > 0.01 for j in range(3))


def test_contributions_are_the_plain_shapley_values(seed):
    X, y = make_data(seed, n_features=3)
    model = fit("squared_error", X, y, max_leaf_nodes=6, subsample=0.5)
    trees, rows = model.trees_, X[:4]
    plain = np.zeros((4, 3))
    for j in range(3):
        others = [k for k in range(3) if k != j]
        for size in range(3):
            share = factorial(size) * factorial(2 - size) / factorial(3)
            for known in combinations(others, size):
                with_it = expect(trees, rows, {*known, j})
                plain[:, j] += share * (with_it - expect(trees, rows, {*known}))
    assert_allclose(model.predict_contributions(rows)[:, :-1], plain, atol=1e-10)


def expect(trees, rows, known):
    """Return the sum of trees where branches of unknown features share by weight."""
    total = np.zeros(len(rows))
    for t in range(trees.n_trees):
        tree = trees.tree(t)
        total += [_descend(tree, 0, row, known) for row in rows]
    return total


def _descend(tree, node, row, known):
    left, feature = tree.left[node], tree.feature[node]
    if left < 0:
        return tree.value[node, 0]
    if feature in known:
        x = row[feature]
        goes = tree.missing_left[node] if np.isnan(x) else x <= tree.threshold[node]
        return _descend(tree, left if goes else left + 1, row, known)
    share = tree.weight[left] / tree.weight[node]
    return share * _descend(tree, left, row, known) + (1.0 - share) * _descend(
        tree, left + 1, row, known
    )


def test_contributions_of_tables_of_all_kinds(seed):
    rng = np.random.default_rng(seed)
    code, x = rng.integers(0, 5, size=300), rng.normal(size=300)
    y = code % 2 + 0.5 * x
    frame = pd.DataFrame({"c": pd.Categorical.from_codes(code, list("abcde")), "x": x})
    model = fit("squared_error", frame, y, categorical_smoothing=0.0)
    contributions = model.predict_contributions(frame)
    assert model.trees_.category_set.max() >= 0
    assert_allclose(contributions.sum(axis=1), model.predict(frame), atol=1e-10)
    X = np.where(np.abs(make_data(seed)[0][:, :2]) < 0.6, 0.0, 1.5)
    model = fit("squared_error", X, X[:, 0] + rng.normal(size=300))
    assert_array_equal(
        model.predict_contributions(csr_matrix(X)), model.predict_contributions(X)
    )


def test_rare_levels_are_not_fitted(seed):
    # Measured over 200 draws: with levels of their own the error is 2.6 to 4.8 times as
    # large, 3.5 on average with a standard deviation of 0.3.
    rng = np.random.default_rng(seed)
    X, names = rng.normal(size=(4_000, 5)), rng.integers(0, 300, size=4_000)
    frame = pd.DataFrame(X).add_prefix("x").assign(name=pd.Categorical(names))
    truth = X.sum(axis=1)
    y = truth + 2.0 * rng.normal(size=4_000)
    errors = {}
    for few in ("auto", 1):
        model = GradientBoostingRegressor(
            max_iter=100, random_state=0, min_samples_level=few
        )
        model.fit(frame[:2_000], y[:2_000])
        errors[few] = np.mean((model.predict(frame[2_000:]) - truth[2_000:]) ** 2)
    assert errors["auto"] < errors[1] / 1.5


def test_linear_leaves_have_no_contributions(seed):
    X, y = make_data(seed)
    model = fit("squared_error", X, y, linear_leaves=True)
    with pytest.raises(
        ValueError, match="predict_contributions is not defined for lin"
    ):
        model.predict_contributions(X)


# ---------------------------------------------------------------- importances


def sum_gains(model, X, y):
    """Return what the splits of the first tree on each feature gain, by the rows."""
    tree, shares = model.trees_.tree(0), np.zeros(X.shape[1])
    residual = y - y.mean()
    rows = {0: np.arange(len(X))}
    for node in range(len(tree.left)):
        left = tree.left[node]
        if left < 0:
            continue
        here, feature = rows[node], tree.feature[node]
        x = X[here, feature]
        goes = np.where(np.isnan(x), tree.missing_left[node], x <= tree.threshold[node])
        rows[left], rows[left + 1] = here[goes], here[~goes]
        for part, sign in ((here[goes], 1), (here[~goes], 1), (here, -1)):
            if len(part):
                shares[feature] += sign * residual[part].sum() ** 2 / len(part)
    return shares / shares.sum()


PLAIN = {"subsample": 1.0, "max_features": None, "l2_regularization": 0.0}


def test_importances_are_shares_of_the_gain(seed):
    X, y = make_data(seed)
    model = GradientBoostingRegressor(**FIXED, **PLAIN, max_iter=1).fit(X, y)
    assert_allclose(model.feature_importances_, sum_gains(model, X, y), rtol=1e-5)


def test_importances_of_symmetric_trees_without_empty_nodes(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, size=(300, 3)).astype(float)
    y = X @ [3.0, 2.0, 1.0] + 0.1 * rng.normal(size=300)
    model = GradientBoostingRegressor(
        **FIXED, **PLAIN, max_iter=1, symmetric=True, max_depth=3
    ).fit(X, y)
    assert model.trees_.n_leaves[0] == 8 and model.trees_.n_samples.min() > 0
    assert_allclose(model.feature_importances_, sum_gains(model, X, y), rtol=1e-5)


def test_importances_of_symmetric_trees_with_empty_nodes(seed):
    for k in range(5):  # levels next to one another may have the same feature
        X, y = make_data(seed + k, n=60)
        model = GradientBoostingRegressor(
            **FIXED, **PLAIN, max_iter=1, symmetric=True, max_depth=5,
            min_samples_leaf=1,
        ).fit(X, y)  # fmt: skip
        trees = model.trees_
        assert ((trees.left >= 0) & (trees.n_samples == 0)).any()
        assert_allclose(model.feature_importances_, sum_gains(model, X, y), rtol=1e-5)


def test_importances_of_no_splits_are_zero():
    model = GradientBoostingRegressor(**FIXED, max_iter=2).fit(
        np.zeros((50, 2)), range(50)
    )
    assert_array_equal(model.feature_importances_, [0.0, 0.0])
    assert_array_equal(model.get_importances("count"), [0.0, 0.0])


# ---------------------------------------------------------------- rest


@pytest.mark.parametrize("kind", [2, 4, "absolute_error", "gamma"])
@pytest.mark.parametrize("options", [{}, {"symmetric": True, "max_depth": 4}])
def test_stages_end_at_the_prediction(kind, options, seed):
    X, y = make_data(seed)
    model = fit(kind, X, y, **options)
    stages = list(model.staged_predict(X))
    assert len(stages) == model.n_iter_ == 8
    assert_allclose(
        stages[-1].astype(float), model.predict(X).astype(float), rtol=1e-12
    )
    assert_array_equal(stages[3], fit(kind, X, y, max_iter=4, **options).predict(X))


def test_predictions_before_a_fit_are_refused(seed):
    X, _ = make_data(seed)
    for method in ("predict", "predict_contributions"):
        with pytest.raises(ValueError, match="not fitted yet"):
            getattr(GradientBoostingRegressor(), method)(X)


def test_symmetric_trees_have_no_monotonic_constraints(seed):
    X, y = make_data(seed)
    with pytest.raises(
        ValueError, match="monotonic_cst is not supported with symmetric"
    ):
        fit("squared_error", X, y, symmetric=True, monotonic_cst=[1, 0, 0, 0])


def test_warm_start_continues_the_curves(seed):
    X, y = make_data(seed)
    options = {**FIXED, "verbose": 1}
    once = GradientBoostingRegressor(**options, max_iter=9).fit(X, y)
    model = GradientBoostingRegressor(**options, max_iter=4, warm_start=True).fit(X, y)
    model.set_params(max_iter=9).fit(X, y)
    assert_allclose(model.train_score_, once.train_score_, rtol=1e-12)
    assert len(model.train_score_) == 9 and model.validation_score_.size == 0
