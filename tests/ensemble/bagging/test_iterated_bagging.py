"""Iterated bagging: honest residuals, the sum of stages, and when they end."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import make_friedman1
from sklearn.linear_model import LinearRegression

from manyminds.ensemble.bagging.bagging import BaggingRegressor
from manyminds.ensemble.bagging.base import draw_bags
from manyminds.ensemble.bagging.iterated_bagging import IteratedBaggingRegressor
from manyminds.ensemble.bagging.random_oracle import RandomOracleRegressor
from manyminds.trees.rep_tree import REPTreeRegressor

UNPRUNED = REPTreeRegressor(prune=False)


def make_numbers(seed, n_rows=120):
    X, y = make_friedman1(n_rows, noise=0.5, random_state=seed % 2**32)
    return np.round(100 * X), y


# Acceptance 6: one stage is bagging.
@pytest.mark.parametrize(
    "inside", [UNPRUNED, RandomOracleRegressor(UNPRUNED), LinearRegression()]
)
def test_one_stage_is_bagging(seed, inside):
    X, y = make_numbers(seed)
    how = {"n_estimators": 15, "random_state": seed % 2**32}
    one = IteratedBaggingRegressor(inside, n_stages=1, **how).fit(X, y)
    bagging = BaggingRegressor(inside, **how).fit(X, y)
    assert_array_equal(one.predict(X), bagging.predict(X))


# Acceptance 6: a twin of the paper; targets are residuals out of bag.
def test_equals_a_naive_twin(seed):
    X, y = make_numbers(seed)
    model = IteratedBaggingRegressor(UNPRUNED, 3, 12, random_state=seed % 2**32)
    model.fit(X, y)
    state = np.random.RandomState(seed % 2**32)
    target, stages, left_over = y, [], []
    for _ in range(len(model.residual_mean_squares_)):
        bags = draw_bags(state, 12, len(y), np.ones(len(y)))
        trees = [
            REPTreeRegressor(prune=False).fit(X, target, sample_weight=bag)
            for bag in bags
        ]
        answers = np.array([tree.predict(X) for tree in trees])
        out = np.array([
            answers[bags[:, i] == 0, i].mean()
            if (bags[:, i] == 0).any()
            else answers[:, i].mean()
            for i in range(len(y))
        ])  # fmt: skip
        target = target - out
        stages.append(answers.mean(axis=0))
        left_over.append(np.mean(target**2))
    assert_allclose(model.residual_mean_squares_, left_over)
    assert model.n_stages_ == np.argmin(left_over) + 1
    assert_allclose(model.predict(X), sum(stages[: model.n_stages_]))
    *_, last = model.staged_predict(X)
    assert_allclose(last, model.predict(X))
    assert len(model.estimators_) == model.n_stages_
    first = np.mean([tree.predict(X) for tree in model.estimators_[0]], axis=0)
    assert_allclose(first, stages[0])


def test_stages_end_when_more_is_left(seed):
    # Noise alone: the second stage fits what is not there.
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(80, 3)), rng.normal(size=80)
    model = IteratedBaggingRegressor(UNPRUNED, 10, 10, random_state=0).fit(X, y)
    left = model.residual_mean_squares_
    assert model.n_stages_ == np.argmin(left) + 1
    if len(left) < 10:
        assert left[-1] > 1.1 * left[:-1].min()
        assert np.all(left[1:-1] <= 1.1 * np.minimum.accumulate(left)[:-2])


def test_stages_lower_the_bias(seed):
    # Measured over 200 draws: stumps of depth 2 in five stages beat one in all.
    X, y = make_numbers(seed, 300)
    X_new, y_new = make_numbers(seed + 1, 300)
    shallow = REPTreeRegressor(prune=False, max_depth=2)
    errors = [
        np.mean((model.fit(X, y).predict(X_new) - y_new) ** 2)
        for model in (
            BaggingRegressor(shallow, 50, random_state=0),
            IteratedBaggingRegressor(shallow, 5, 10, random_state=0),
        )
    ]
    assert errors[1] < errors[0]


def test_members_of_any_kind_in_a_frame(seed):
    pandas = pytest.importorskip("pandas")
    X, y = make_numbers(seed)
    frame = pandas.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])
    model = IteratedBaggingRegressor(LinearRegression(), 2, 5, random_state=0)
    assert_allclose(model.fit(frame, y).predict(frame), model.fit(X, y).predict(X))
