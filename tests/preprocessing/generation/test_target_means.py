"""Means of levels; in training, of other rows only."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.preprocessing import TargetMeans


def make_frame(rng, n_rows=120):
    hue = pd.Categorical(rng.choice(["red", "blue", "green"], n_rows))
    return pd.DataFrame({"hue": hue, "size": rng.normal(size=n_rows)})


def test_means_of_equal_targets_need_no_smoothing():
    X = pd.DataFrame({"hue": pd.Categorical(["red", "blue"] * 10)})
    made = TargetMeans().fit(X, [1.5, 0.5] * 10).transform(X)
    assert_allclose(made["mean by hue"], [1.5, 0.5] * 10)
    unknown = pd.DataFrame({"hue": pd.Categorical(["green"])})
    made = TargetMeans().fit(X, [1.5, 0.5] * 10).transform(unknown)
    assert_allclose(made["mean by hue"], 1.0)  # of all rows


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_the_mean_of_a_row_does_not_use_its_own_target(task, seed):
    rng = np.random.default_rng(seed)
    X, y = make_frame(rng), rng.integers(2, size=120)
    made = TargetMeans(task=task).fit_transform(X, y)["mean by hue"].to_numpy()
    if task == "regression":  # folds do not depend on the target
        for row in range(5):
            changed = y.copy()
            changed[row] += 10
            other = TargetMeans(task=task).fit_transform(X, changed)
            assert other["mean by hue"][row] == made[row]
    fitted = TargetMeans(task=task).fit(X, y).transform(X)["mean by hue"]
    assert not np.array_equal(fitted, made)


def test_noise_does_not_leak(seed):
    # A level for each row: its mean of all rows is its own target, smoothed.
    rng = np.random.default_rng(seed)
    y = rng.normal(size=200)
    X = pd.DataFrame({"key": pd.Categorical([f"k{row}" for row in range(200)])})
    made = TargetMeans().fit_transform(X, y)["mean by key"]
    assert len(set(made.round(9))) <= 5  # the means of five folds
    leaked = TargetMeans().fit(X, y).transform(X)["mean by key"]
    assert np.std(made) < 0.2 * max(np.std(y), np.std(leaked))


def test_one_mean_for_each_of_several_classes(seed):
    rng = np.random.default_rng(seed)
    X, y = make_frame(rng), rng.choice(["a", "b", "c"], 120)
    made = TargetMeans().fit(X, y).transform(X)
    assert list(made)[2:] == [f"mean by hue of class {k}" for k in range(3)]
    assert_allclose(made.iloc[:, 2:].sum(axis=1), 1.0, atol=0.01)


def test_a_table_without_categories_or_one_class_is_unchanged():
    X = np.random.default_rng(0).normal(size=(20, 2))
    assert_array_equal(TargetMeans().fit_transform(X, [0, 1] * 10), X)
    frame = make_frame(np.random.default_rng(0), 20)
    assert TargetMeans().fit_transform(frame, [1] * 20) is frame
