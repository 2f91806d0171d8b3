"""Linear leaves: a ridge regression in each leaf, that does not run away."""

import pickle

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_matrix
from sklearn.linear_model import Ridge
from sklearn.metrics import median_absolute_error
from sklearn.preprocessing import StandardScaler

from manyminds.ensemble import GradientBoostingRegressor
from manyminds.ensemble.boosting.gradient.linear_leaves import LinearLeaves

FIXED = {
    "early_stopping": False,
    "learning_rate": 0.1,
    "subsample": 1.0,
    "max_features": None,
    "random_state": 0,
}


def regress(**options):
    options = {**FIXED, "linear_leaves": True, "max_iter": 8, **options}
    return GradientBoostingRegressor(**options)


def make_data(seed, n=400):
    """Return a target that is linear on either side of a jump."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, size=(n, 3))
    X[:, 0] = np.round(X[:, 0], 1)  # no bin lies across the jump
    y = np.where(X[:, 0] > 0.25, 3.0 * X[:, 1] + 1.0, -2.0 * X[:, 1] + X[:, 0])
    return X, y + 0.02 * rng.normal(size=n)


def test_piecewise_linear_target_is_learned_far_better_than_by_constants(seed):
    X, y = make_data(seed, 2000)
    errors = []
    for linear_leaves in (True, False):
        model = regress(linear_leaves=linear_leaves, max_iter=100, max_leaf_nodes=8)
        model.fit(X[:1000], y[:1000])
        errors.append(median_absolute_error(y[1000:], model.predict(X[1000:])))
    # Measured over 24 seeds: 0.013 to 0.022 with lines, 0.043 to 0.064 with constants
    # (ratios up to 0.35); the noise alone is 0.0135. Means of squares vary more: cuts
    # are chosen for constants, and some do not hit the jump.
    assert errors[0] < 0.5 * errors[1]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("l2", [0.0, 30.0])
@pytest.mark.parametrize(("n_leaves", "n_slopes"), [(2, 1), (5, 2)])
def test_leaves_equal_the_plain_ridge_regression(
    weighted, l2, n_leaves, n_slopes, seed
):
    X, y = make_data(seed)
    rng = np.random.default_rng(seed)
    weights = rng.uniform(0.5, 3.0, size=400) if weighted else np.ones(400)
    model = regress(
        l2_regularization=l2, learning_rate=0.5, max_iter=1, max_leaf_nodes=n_leaves
    ).fit(X, y, sample_weight=weights if weighted else None)
    trees = model.trees_
    leaf = trees.apply(X)[:, 0]
    paths = list_paths(trees)
    mean, expected = np.average(y, weights=weights), np.empty(400)
    rest = y - mean
    found = set()
    for node in np.unique(leaf):
        rows, columns = leaf == node, sorted(paths[node])
        Z, w = X[np.ix_(rows, columns)], weights[rows]
        Z = StandardScaler().fit_transform(Z, sample_weight=w)
        ridge = Ridge(l2, solver="svd").fit(Z, rest[rows], sample_weight=w)
        expected[rows] = mean + 0.5 * ridge.predict(Z)
        found.add(len(columns))
    assert n_slopes in found
    assert_allclose(model.predict(X), expected, rtol=1e-4, atol=1e-5)


def list_paths(trees):
    """Return the features above each node of a tree."""
    paths = {0: set()}
    for node in np.flatnonzero(trees.left >= 0):
        for child in (trees.left[node], trees.left[node] + 1):
            paths[child] = paths[node] | {int(trees.feature[node])}
    return paths


def test_rows_that_lack_a_column_of_the_path_get_the_constant(seed):
    X, y = make_data(seed)
    rng = np.random.default_rng(seed)
    X[rng.random(400) < 0.2, 1] = np.nan
    model = regress(max_iter=1, max_leaf_nodes=6).fit(X, y)
    trees, paths = model.trees_, list_paths(model.trees_)
    leaf = trees.apply(X)[:, 0]
    lacks = np.array([np.isnan(X[i, sorted(paths[leaf[i]])]).any() for i in range(400)])
    constant = model._baseline[0] + trees.value[leaf, 0]
    assert_array_equal(model.predict(X)[lacks], constant[lacks])
    assert (model.predict(X) != constant)[~lacks].mean() > 0.8
    assert lacks.sum() > 30


def test_lines_are_those_of_complete_rows(seed):
    # Missing values are like those above 0.2, and go with them.
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, size=(400, 1))
    y = 5.0 * (X[:, 0] > 0.2) + X[:, 0]
    missing = (X[:, 0] > 0.2) & (rng.random(400) < 0.4)
    y[missing] += 1.0
    X[missing] = np.nan
    model = regress(
        max_iter=1, max_leaf_nodes=2, learning_rate=1.0, l2_regularization=0.0
    ).fit(X, y)
    leaf = model.trees_.apply(X)[:, 0]
    (mixed,) = np.unique(leaf[missing])
    rows = (leaf == mixed) & ~missing
    assert rows.sum() > 50
    line = np.polyfit(X[rows, 0], y[rows], 1)
    assert_allclose(model.predict(X[rows]), np.polyval(line, X[rows, 0]), atol=1e-4)
    assert_allclose(model.predict([[np.nan]]), y[leaf == mixed].mean(), atol=1e-4)


def test_predictions_beyond_the_training_range_are_clipped(seed):
    X, y = make_data(seed)
    model = regress(max_iter=40).fit(X, y)
    far = X * 1e6
    ends = np.clip(far, X.min(axis=0), X.max(axis=0))
    assert_allclose(model.predict(far), model.predict(ends), rtol=1e-12)
    assert np.abs(model.predict(far)).max() < 2.0 * np.abs(y).max()


def test_clips_are_the_range_of_the_leaf(seed):
    X, y = make_data(seed)
    model = regress(max_iter=1, max_leaf_nodes=2).fit(X, y)
    values, counts, columns, slopes = model._lines.trees[0]
    leaf = model.trees_.apply(X)[:, 0]
    assert_array_equal(counts, [0, 1, 1])
    for k, node in enumerate((1, 2)):
        inside = X[leaf == node, columns[k]]
        assert_array_equal(slopes[1:, k], [inside.min(), inside.max()])
    assert_array_equal(values[0], model.trees_.value[:, 0])


def test_staged_predictions_end_at_the_prediction(seed):
    X, y = make_data(seed)
    model = regress().fit(X, y)
    stages = list(model.staged_predict(X))
    assert len(stages) == model.n_iter_ == 8
    assert_array_equal(stages[-1], model.predict(X))
    assert_array_equal(stages[2], regress(max_iter=3).fit(X, y).predict(X))


@pytest.mark.parametrize(
    "options", [{}, {"subsample": 0.5}, {"max_features": 1}, {"symmetric": True}]
)
def test_warm_start_equals_one_fit(options, seed):
    X, y = make_data(seed)
    once = regress(**options).fit(X, y)
    model = regress(max_iter=3, warm_start=True, **options).fit(X, y)
    model.set_params(max_iter=8).fit(X, y)
    assert model.n_iter_ == 8
    assert_allclose(model.predict(X), once.predict(X), rtol=1e-12, atol=1e-12)
    assert_array_equal(model.trees_.threshold, once.trees_.threshold)


@pytest.mark.parametrize("linear_first", [True, False])
def test_warm_start_with_other_leaves_keeps_the_earlier_rounds(linear_first, seed):
    X, y = make_data(seed)
    model = regress(max_iter=5, warm_start=True, linear_leaves=linear_first).fit(X, y)
    before = model.predict(X)
    try:
        model.set_params(max_iter=6, linear_leaves=not linear_first).fit(X, y)
    except ValueError as error:
        assert "linear_leaves" in str(error)  # sound as well
        return
    assert_allclose(list(model.staged_predict(X))[4], before)


@pytest.mark.parametrize("refit", [None, "replay", "grow"])
def test_early_stopping_tracks_the_lines(refit, seed):
    X, y = make_data(seed, 600)
    model = regress(
        early_stopping=True, cv=None, max_iter=400, n_iter_no_change=5, refit=refit,
        learning_rate=0.4,
    ).fit(X, y)  # fmt: skip
    curve = model.validation_score_
    assert model.n_iter_ == curve.argmin() + 1 == len(curve) - 5 < 400
    n_rows = model.trees_.n_samples[model.trees_.starts[:-1]]
    assert (n_rows == (540 if refit is None else 600)).all()
    assert (
        len(model._lines.trees) == model.n_iter_ == len(list(model.staged_predict(X)))
    )


def test_scores_equal_the_losses_of_staged_predictions(seed):
    X, y = make_data(seed, 600)
    model = regress(early_stopping=True, max_iter=40, learning_rate=0.3, refit=None)
    model.fit(X[:400], y[:400], X_val=csr_matrix(X[400:]), y_val=y[400:])
    n = model.n_iter_
    for rows, scores in (
        (slice(0, 400), model.train_score_),
        (slice(400, 600), model.validation_score_),
    ):
        losses = [
            0.5 * np.mean((y[rows] - p) ** 2) for p in model.staged_predict(X[rows])
        ]
        assert_allclose(scores[:n], losses, rtol=1e-9)


def test_folds_find_the_rounds(seed):
    X, y = make_data(seed, 300)
    model = regress(early_stopping=True, cv=3, max_iter=40, learning_rate=0.3)
    model.fit(X, y)
    assert model.n_iter_ == model.validation_score_.argmin() + 1
    alone = regress(max_iter=model.n_iter_, learning_rate=0.3).fit(X, y)
    assert_array_equal(model.predict(X), alone.predict(X))


def test_verbose_does_not_stop_the_rounds(capsys, seed):
    X, y = make_data(seed, 100)
    assert regress(max_iter=25, verbose=1).fit(X, y).n_iter_ == 25


@pytest.mark.parametrize("loss", ["absolute_error", "huber", "poisson", "gamma"])
def test_other_losses_have_no_lines(loss, seed):
    X, y = make_data(seed)
    with pytest.raises(ValueError, match=f"needs loss='squared_error'; got '{loss}'"):
        regress(loss=loss).fit(X, np.exp(y))


def test_monotonic_constraints_have_no_lines(seed):
    X, y = make_data(seed)
    with pytest.raises(ValueError, match="monotonic_cst is not supported with linear"):
        regress(monotonic_cst=[1, 0, 0]).fit(X, y)


def test_categories_have_no_slopes(seed):
    rng = np.random.default_rng(seed)
    code, x = rng.integers(0, 4, size=500), rng.normal(size=500)
    y = np.array([1.0, -1.0, 2.0, 0.0])[code] * x + 3.0 * code
    frame = pd.DataFrame({"c": pd.Categorical.from_codes(code, list("abcd")), "x": x})
    model = regress(max_iter=60).fit(frame, y)
    columns = np.concatenate([columns for _, _, columns, _ in model._lines.trees])
    assert set(columns) == {1}
    assert model.trees_.category_set.max() >= 0
    constants = regress(max_iter=60, linear_leaves=False).fit(frame, y)
    assert 1 - model.score(frame, y) < 0.5 * (1 - constants.score(frame, y))


@pytest.mark.parametrize("symmetric", [False, True])
def test_number_of_threads_does_not_change_a_bit(symmetric, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(15_000, 10))
    y = X[:, 0] * X[:, 1] + rng.normal(size=15_000)
    options = {"max_iter": 2, "subsample": 0.5, "symmetric": symmetric}
    one, *others = (
        regress(n_jobs=n, **options).fit(X, y).predict(X) for n in (1, 2, 3)
    )
    for other in others:
        assert_array_equal(one, other)


def test_sparse_equals_dense_and_copies_predict_the_same(seed):
    X, y = make_data(seed)
    X[np.abs(X) < 0.5] = 0.0
    dense, sparse = regress().fit(X, y), regress().fit(csr_matrix(X), y)
    assert_array_equal(dense.predict(X), sparse.predict(csr_matrix(X)))
    copy = pickle.loads(pickle.dumps(dense))
    assert_array_equal(copy.predict(X), dense.predict(X))
    assert dense._lines.X is None  # the training rows are not kept


def test_few_or_constant_rows_have_no_line(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(30, 2))
    X[:, 1] = 5.0
    lines = LinearLeaves(X, np.array([False, False]), 0.0)
    gradients = np.stack([-X[:, 0], np.ones(30)]).astype(np.float32)
    rows = np.arange(30)
    assert lines._fit_leaf(rows, [], gradients, 1.0) is None
    assert lines._fit_leaf(rows[:9], [0], gradients, 1.0) is None
    assert lines._fit_leaf(rows, [1], gradients, 1.0) is None
    assert lines._fit_leaf(rows, [0], 0.0 * gradients, 1.0) is None
    offset, ((column, slope, least, greatest),) = lines._fit_leaf(
        rows, [0, 1], gradients, 1.0
    )
    assert column == 0 and (least, greatest) == (X[:, 0].min(), X[:, 0].max())
    assert_allclose([offset, slope], [0.0, 1.0], atol=1e-5)
    X[3:, 0] = np.nan
    assert lines._fit_leaf(rows, [0], gradients, 1.0) is None
