import numpy as np
import pytest

from manyminds.datasets import load_dataset
from manyminds.ensemble import GradientBoostingClassifier, GradientBoostingRegressor

CLASSIFIER = GradientBoostingClassifier(
    max_iter=60, early_stopping=True, cv=3, random_state=0
)


@pytest.mark.parametrize("name", ["wine", "wdbc"])
def test_half_is_the_model_of_all_rows(name):
    data = load_dataset(name)
    X, y = data.X, data.y
    single = CLASSIFIER.fit(X, y)
    whole = single.decision_function(X)
    both = GradientBoostingClassifier(
        max_iter=60, early_stopping=True, cv=3, refit="average", random_state=0
    ).fit(X, y)
    assert both.n_iter_ == single.n_iter_
    assert both.trees_.n_trees == 4 * single.trees_.n_trees
    n_outputs = whole.shape[1] if whole.ndim == 2 else 1
    # Each round has one tree for each output of all rows, then of the three folds.
    first = np.arange(both.trees_.n_trees).reshape(-1, 4, n_outputs)[:, 0].ravel()
    ours = both.trees_.select(first)
    np.testing.assert_array_equal(ours.threshold, single.trees_.threshold)
    np.testing.assert_array_equal(2.0 * ours.value, single.trees_.value)


def test_other_half_is_the_mean_of_the_folds(seed):
    """The twin boosts the rows of each fold by the public class."""
    rng = np.random.default_rng(seed)
    X = rng.integers(5, size=(90, 3)).astype(float)  # the same bins in each fold
    y = X[:, 0] + rng.normal(size=90)
    y -= y.mean()  # so that folds of all rows and parts begin alike
    fold = np.arange(90) % 3
    for k in range(3):  # their means, too
        y[fold == k] -= y[fold == k].mean()
    folds = [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(3)]
    common = {"learning_rate": 0.1, "random_state": 0, "min_samples_leaf": 5}
    model = GradientBoostingRegressor(
        max_iter=40, early_stopping=True, cv=folds, refit="average", **common
    ).fit(X, y)
    twin = GradientBoostingRegressor(max_iter=model.n_iter_, **common)
    parts = [np.arange(90), *(train for train, _ in folds)]
    made = [twin.fit(X[rows], y[rows]).predict(X) for rows in parts]
    expected = 0.5 * made[0] + 0.5 * np.mean(made[1:], axis=0)
    np.testing.assert_allclose(model.predict(X), expected, atol=1e-3 * y.std())
    assert np.abs(made[0] - expected).max() > 0.1 * y.std()


def test_stages_end_with_the_prediction():
    data = load_dataset("wine")
    model = GradientBoostingClassifier(
        max_iter=30, early_stopping=True, cv=3, refit="average", random_state=0
    ).fit(data.X, data.y)
    stages = list(model.staged_predict_proba(data.X))
    assert len(stages) == model.n_iter_
    np.testing.assert_allclose(stages[-1], model.predict_proba(data.X))


@pytest.mark.parametrize("option", ["linear_leaves", "warm_start"])
def test_options_that_need_one_sequence_are_refused(option):
    X, y = np.arange(20.0).reshape(-1, 1), np.arange(20.0)
    model = GradientBoostingRegressor(cv=2, refit="average", **{option: True})
    with pytest.raises(ValueError, match='refit="average" is not supported with'):
        model.fit(X, y)


def test_held_out_rows_are_replayed():
    data = load_dataset("wdbc")
    options = {"early_stopping": True, "cv": None, "random_state": 0, "max_iter": 30}
    made = [
        GradientBoostingClassifier(refit=refit, **options).fit(data.X, data.y)
        for refit in ("average", "replay")
    ]
    np.testing.assert_array_equal(made[0].trees_.value, made[1].trees_.value)
